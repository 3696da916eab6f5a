import { describe, expect, test } from "bun:test";
import { configIni } from "../../../server/dashcam/simulator/simulated_config.ts";
import { configKey, parseConfig } from "../../../server/domain/camera/config_file.ts";
import { cameraTabs } from "../../../server/domain/camera/config_tabs.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const pairs = (data: Uint8Array) => parseConfig(data).map((entry) => `${configKey(entry)}=${entry.value}`);

describe("parseConfig()", () => {
  test.each<[string, string, string[]]>([
    ["keys before any section", "Voice=1\n[Tab1]\nVOLUME=3", ["General.Voice=1", "Tab1.VOLUME=3"]],
    ["a line of another kind", '[Tab1]\n<meta charset="utf-8">\nVOLUME=3', ["Tab1.VOLUME=3"]],
    ["an indented line", "[Wifi]\nap_ssid=Cam\n  ap_pw=0123", ["Wifi.ap_ssid=Cam", "Wifi.ap_pw=0123"]],
    ["CRLF", "[Tab1]\r\nA=1\r\n\r\nB=2\r\n", ["Tab1.A=1", "Tab1.B=2"]],
    ["CR alone", "[Tab1]\rA=1\rB=2", ["Tab1.A=1", "Tab1.B=2"]],
    ["comments", "[Tab1]\n;A=1\n#B=2\nC=3", ["Tab1.C=3"]],
    ["spaces around everything", " [ Tab1 ] \n a.b-c_1 = x = y ", ["Tab1.a.b-c_1=x = y"]],
    ["a key of other characters", "[Tab1]\na b=1\nä=2\n=3\nC=", ["Tab1.C="]],
    ["a key twice", "[Tab1]\nA=1\n[Tab2]\nA=2\n[Tab1]\nA=3", ["Tab1.A=1", "Tab2.A=2"]],
    ["a byte order mark", "\ufeff[Tab1]\nA=1", ["Tab1.A=1"]],
    ["other line ends in a value", "[Tab1]\nA=1\u2028B=2\u0085C=3", ["Tab1.A=1\u2028B=2\u0085C=3"]],
    [
      "form feeds and their like in a value",
      "[Tab1]\nA=1\u000bB=2\u000cC=3\u001dD=4",
      ["Tab1.A=1\u000bB=2\u000cC=3\u001dD=4"],
    ],
    ["a section of another case", "[tab1]\nA=1\n[Tab1]\nA=2", ["tab1.A=1", "Tab1.A=2"]],
    ["a line without an equals sign, and one with several", "[Tab1]\nA\nB==c=", ["Tab1.B==c="]],
    ["a page", "<!DOCTYPE html>\n<html>\nlang=1\n</html>", []],
    ["a page after empty lines", "\n \n<html>\nlang=1", []],
    ["nothing", "", []],
    ["no key", "[Tab1]\nhello", []],
    ["an endless list", Array.from({ length: 2001 }, (_, at) => `k${at}=1`).join("\n"), []],
  ])("reads %s", (_, text, expected) => {
    expect(pairs(bytes(text))).toEqual(expected);
  });

  test("reads a file of either line end as the same settings", () => {
    const text = configIni();
    expect(pairs(bytes(text))).toHaveLength(85);
    expect(pairs(bytes(text.replaceAll("\r\n", "\n")))).toEqual(pairs(bytes(text)));
  });

  test("shows what is no UTF-8 in the name of a section, too", () => {
    const [tab] = cameraTabs(parseConfig(Buffer.from("[Caf\xe9]\nMode=1", "latin1"))).filter(
      ({ other }) => other.length,
    );
    expect(tab?.name).toBe("system");
    expect(tab?.other[0]).toMatchObject({ key: "Caf\ufffd.Mode", label: "Caf\ufffd.Mode", value: "1" });
  });

  test("reads UTF-16 of both orders, and shows what is no UTF-8", () => {
    for (const mark of ["\ufeff", ""]) {
      const wide = Buffer.from(`${mark}[Tab3]\r\nuserString=Café\r\n`, "utf16le");
      expect(pairs(wide)).toEqual(["Tab3.userString=Café"]);
      expect(pairs(Buffer.from(wide).swap16())).toEqual(["Tab3.userString=Café"]);
    }
    expect(pairs(Buffer.from([0, 0]))).toEqual([]);
    expect(pairs(Buffer.from("[Tab3]\nuserString=Caf\xe9", "latin1"))).toEqual(["Tab3.userString=Caf\ufffd"]);
  });
});
