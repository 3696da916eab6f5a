import { describe, expect, test } from "bun:test";
import { configIni } from "../../../server/dashcam/simulator/simulated_config.ts";
import { configChanges } from "../../../server/domain/camera/config_changes.ts";
import { parseConfig } from "../../../server/domain/camera/config_file.ts";
import { cameraTabs } from "../../../server/domain/camera/config_tabs.ts";
import { shownValue } from "../../../server/domain/camera/config_value.ts";
import { isSecret, MASK } from "../../../server/domain/camera/secret_settings.ts";

const entriesOf = (text: string) => parseConfig(new TextEncoder().encode(text));
const entryOf = (place: string, value = "") => {
  const [section = "", key = ""] = place.split(/\.(.*)/);
  return { section, key, value };
};

describe("the shown value of", () => {
  test.each([
    ["Tab1.TimeZone", "1000", "UTC+10:00"],
    ["Tab1.TimeZone", "-1100", "UTC-11:00"],
    ["Tab1.TimeZone", "930", "UTC+09:30"],
    ["Tab1.TimeZone", "0", "UTC+00:00"],
    ["Tab1.TimeZone", "45", "UTC+00:45"],
    ["Tab1.TimeZone", "545", "UTC+05:45"],
    ["Tab1.TimeZone", "1070", "1070"],
    ["Tab1.TimeZone", "+1000", "+1000"],
    ["Tab1.TimeZone", "abc", "abc"],
    ["Tab1.TimeZone", "²", "²"],
    ["Tab1.TimeZone", "--100", "--100"],
    ["Tab1.TimeZone", "-0", "UTC-00:00"],
    ["Tab1.TimeZone", "9900", "UTC+99:00"],
    ["Tab1.TimeZone", "", ""],
    ["Tab1.VideoQuality", "9", "9"],
    ["Wifi.ap_ssid", "car\u202eten\u202c", "carten"],
    ["Tab1.VideoQuality", "0", "Highest (Extreme)"],
    ["Tab1.VideoQuality", "toString", "toString"],
    ["Tab1.NormalRecord", "1", "On"],
    ["Tab1.NormalRecord", "0", "Off"],
    ["Tab1.NormalRecord", "2", "2"],
    ["Tab3.LowvoltageVolt", "1190", "11.9 V"],
    ["Tab3.LowvoltageVolt", "1200", "12 V"],
    ["Tab3.LowvoltageVolt", "1205", "12.05 V"],
    ["Tab3.LowvoltageVolt", "-100", "-1 V"],
    ["Tab3.LowvoltageVolt", "--5", "--5"],
    ["Tab3.LowvoltageVolt", "", ""],
    ["Tab3.LowvoltageTime", "0", "Off"],
    ["Tab3.LowvoltageTime", "12", "12 h"],
    ["Tab3.ScheduledRebootTime", "3", "03:00"],
    ["Tab3.ScheduledRebootTime", "²", "²"],
    ["Wifi.WiFiBand", "0", "5 GHz"],
    ["Wifi.ap_pw", "ABC", MASK],
    ["Wifi.ap_pw", "", ""],
    ["Fancy.Mode", "2", "2"],
  ])("%s stored as %p is %p", (place, raw, shown) => {
    expect(shownValue(entryOf(place, raw))).toBe(shown);
  });
});

test.each([
  ["Wifi.ap_pw", true],
  ["Cloud.sta3_pw", true],
  ["Cloud.sta4_pw", true],
  ["Tab3.AdminPassword", true],
  ["Fancy.RootPwdHash", true],
  ["Fancy.passwd", true],
  ["Cloud.sta4_ssid", false],
  ["Tab1.VOLUME", false],
])("%s is a password: %p", (place, expected) => {
  expect(isSecret(entryOf(place))).toBe(expected);
});

describe("cameraTabs()", () => {
  test("groups every setting of a camera, and shows its values", () => {
    const tabs = cameraTabs(entriesOf(configIni()));
    expect(tabs.map(({ name, label, section }) => [name, label, section])).toEqual([
      ["basic", "Basic", "Tab1"],
      ["sensitivity", "Sensitivity", "Tab2"],
      ["system", "System", "Tab3"],
      ["wifi", "Wi-Fi", "Wifi"],
      ["cloud", "Cloud", "Cloud"],
    ]);
    const counts = tabs.map(({ fields, other, not_fitted }) => [fields.length, other.length, not_fitted.length]);
    expect(counts).toEqual([
      [19, 0, 0],
      [9, 0, 0],
      [34, 0, 11],
      [4, 0, 0],
      [8, 0, 0],
    ]);
    const shown = Object.fromEntries(tabs.flatMap(({ fields }) => fields.map(({ key, value }) => [key, value])));
    expect(shown).toMatchObject({
      "Tab1.TimeSet": "Sync with GPS",
      "Tab1.TimeZone": "UTC+10:00",
      "Tab1.RecordTime": "1 minute",
      "Tab3.PSENSOR": "Off",
      "Tab3.ScheduledRebootTime": "03:00",
      "Tab3.LowvoltageTime": "Off",
      "Tab3.LowvoltageVoltHeavy": "23.2 V",
      "Wifi.ap_pw": MASK,
      "Cloud.CloudSettingVersion": "2026-01-01 00:00:00",
    });
    expect(tabs[0]?.fields[0]).toEqual({
      key: "Tab1.TimeSet",
      label: "Time source",
      value: "Sync with GPS",
      raw: "0",
      secret: false,
      has_value: true,
      formats_card: true,
      help: "",
    });
    expect(tabs.flatMap(({ fields }) => fields).filter(({ formats_card }) => formats_card)).toHaveLength(7);
  });

  test("puts what is not known where it belongs", () => {
    const tabs = cameraTabs(
      entriesOf(
        "[Tab1]\nVOLUME2=7\n[Fancy]\nMode=2\nLevel=1\n[Cloud]\nsta4_pw=ABCDEF0123\nsta4_ssid=x\n[Tab3]\nAdminPassword=1\n[tab1]\nTimeSet=0",
      ),
    );
    const other = Object.fromEntries(
      tabs.map(({ name, other: fields }) => [
        name,
        fields.map(({ key, label, value, raw, secret }) => [key, label, value, raw, secret]),
      ]),
    );
    expect(other).toEqual({
      basic: [["Tab1.VOLUME2", "VOLUME2", "7", "7", false]],
      sensitivity: [],
      system: [
        ["Fancy.Mode", "Fancy.Mode", "2", "2", false],
        ["Fancy.Level", "Fancy.Level", "1", "1", false],
        ["Tab3.AdminPassword", "AdminPassword", MASK, null, true],
        ["tab1.TimeSet", "tab1.TimeSet", "0", "0", false],
      ],
      wifi: [],
      cloud: [
        ["Cloud.sta4_pw", "sta4_pw", MASK, null, true],
        ["Cloud.sta4_ssid", "sta4_ssid", "x", "x", false],
      ],
    });
  });

  test("has every group of no settings at all", () => {
    expect(cameraTabs([]).map(({ fields }) => fields)).toEqual([[], [], [], [], []]);
  });
});

test("changes are told in the order of the new file, then what is gone, and of passwords only that they are others", () => {
  const before = entriesOf("[Tab3]\nVOLUME=5\nBattery=1\n[Cloud]\nsta_ssid=DemoHome\nsta_pw=A\n[Old]\nGone=1\nEmpty=");
  const after = entriesOf("[Cloud]\nsta_pw=B\nsta_ssid=NewHome\n[Tab3]\nBattery=1\nVOLUME=4\n[New]\nHere=");
  expect(configChanges(before, after)).toEqual([
    { key: "Cloud.sta_pw", label: "Home network 1 password", from: "changed", to: "changed" },
    { key: "Cloud.sta_ssid", label: "Home network 1 name", from: "DemoHome", to: "NewHome" },
    { key: "Tab3.VOLUME", label: "Volume", from: "5", to: "4" },
    { key: "New.Here", label: "Here", from: "", to: "" },
    { key: "Old.Gone", label: "Gone", from: "1", to: "" },
    { key: "Old.Empty", label: "Empty", from: "", to: "" },
  ]);
  expect(configChanges(after, after)).toEqual([]);
});
