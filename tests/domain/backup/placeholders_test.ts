import { describe, expect, test } from "bun:test";
import {
  Placeholders,
  type PrivateKind,
  type PrivateValue,
  replacedIn,
} from "../../../server/domain/backup/placeholders.ts";

const digest = (text: string) => Bun.hash(text).toString(36).slice(0, 6);
const places = (...known: PrivateValue[]) => new Placeholders(digest, known);

describe("Placeholders", () => {
  const KNOWN: readonly PrivateValue[] = [
    { kind: "secret", value: "pa ss/wörd+1&2" },
    { kind: "secret", value: "x\"y\\z'<&>" },
    { kind: "network", value: "Müllers WLAN 5 GHz" },
    { kind: "address", value: "nas" },
    { kind: "address", value: "192.168.7.31" },
    { kind: "name", value: "anna" },
    { kind: "name", value: "Annas Auto" },
    { kind: "secret", value: "a-b.c*d+e?f(g)[h]{i}|j^k$l#m" },
  ];
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const percent = (text: string) => [...utf8(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const FORMS: readonly (readonly [name: string, of: (value: string) => string])[] = [
    ["as it is", (value) => value],
    ["in upper case", (value) => value.toUpperCase()],
    ["in lower case", (value) => value.toLowerCase()],
    ["in an address", encodeURIComponent],
    ["in an address, in lower case", (value) => encodeURIComponent(value).toLowerCase()],
    ["in a form", (value) => encodeURIComponent(value).replaceAll("%20", "+")],
    ["twice in an address", (value) => encodeURIComponent(encodeURIComponent(value))],
    ["with every byte escaped", percent],
    ["in JSON", (value) => JSON.stringify(value).slice(1, -1)],
    ["decomposed", (value) => value.normalize("NFD")],
    ["in hexadecimal", (value) => Buffer.from(value).toString("hex")],
  ];
  for (const [name, of] of FORMS)
    test(`find a known value ${name}`, () => {
      for (const { kind, value } of KNOWN) {
        const form = of(value);
        const text = places(...KNOWN).text(`before ${form}, behind`);
        expect(`${value}: ${text}`).toBe(
          `${value}: before [${kind}-${digest(`${kind} ${value.toLowerCase()}`)}], behind`,
        );
      }
    });

  test("find a known value in base64, also between others, and in upper and lower case", () => {
    const value = "correct horse";
    const known = places({ kind: "secret", value });
    for (const form of [value, value.toUpperCase()])
      for (const around of ["", "u:", "me:"]) {
        const written = Buffer.from(`${around}${form}${around}`).toString("base64");
        const text = known.text(`Sent ${written} just now`);
        // No part is left by which it could be read: at most the characters that it shares with what is beside it.
        expect([form, around, text.includes("[secret-")]).toEqual([form, around, true]);
        const left = text
          .replaceAll(/\[secret-\w+\]/g, "")
          .replace("Sent", "")
          .replace("just now", "")
          .trim();
        expect([form, around, left.length < 14]).toEqual([form, around, true]);
      }
  });

  test("are the same for a value in every text and file, and others for other values", () => {
    const [one, other] = [places(), places()];
    const first = one.text("from 10.1.2.3");
    expect(other.text("to 10.1.2.3 and 10.1.2.4")).toMatch(
      new RegExp(`^to ${first.slice(5).replaceAll(/[[\]]/g, "\\$&")} and \\[address-\\w+\\]$`),
    );
    expect(replacedIn(`${first}, ${other.text("10.1.2.4 password=hunter2")}, [other-1]`)).toEqual({
      ...{ secret: 1, address: 2, network: 0, place: 0, name: 0, time: 0 },
    });
    expect(new Placeholders((text) => digest(`another key ${text}`), []).text("from 10.1.2.3")).not.toBe(first);
  });

  const FOUND: readonly (readonly [kind: PrivateKind, text: string, ...gone: string[]])[] = [
    ["address", "The camera at 192.168.1.20:8080 is away", "192.168.1.20"],
    ["address", "a%3D192%2E168%2E1%2E20", "192%2E168"],
    ["address", "from fe80::1ff:fe23:4567:890a%eth0", "fe23"],
    ["address", "from 2001:db8:0:1:2:3:4:5", "2001:db8"],
    ["address", "from ::ffff:10.0.0.7", "10.0.0.7"],
    ["address", "card AA:BB:cc:dd:ee:01", "AA:BB"],
    ["address", "card aa-bb-cc-dd-ee-01", "aa-bb"],
    ["address", "card aabb.ccdd.ee01", "ccdd"],
    ["address", "told anna.mueller+cam@mail.example.org", "anna", "example"],
    ["address", "?to=anna%40mail.example.org", "anna"],
    ["address", "lookup dashcam.fritz.box failed", "fritz"],
    ["address", "host raspberry:9091 refused", "raspberry"],
    ["address", "GET https://user:pw@hooks.example.com/services/T0/B1?x=y", "hooks", "services", "pw@"],
    ["secret", "Authorization: Bearer abc.def-ghi", "abc.def"],
    ["secret", "password=hunter2", "hunter2"],
    ["secret", '{"wifi_pwd": "hunter2"}', "hunter2"],
    ["secret", "key dd_Zk3Pq81LmX02aaZZ", "Zk3Pq81"],
    ["secret", "id 0f8fad5b-d9cb-469f-a165-70867728950e", "d9cb"],
    ["network", 'joined SSID "Home sweet home"', "sweet"],
    ["network", "ssid=HomeNet", "HomeNet"],
    ["place", "at 48.13713, 11.57540", "48.13", "11.57"],
    ["place", "at 48.137,11.575", "48.137"],
    ["place", "at 48.1371N", "48.1371"],
    ["place", "lat=48.1 lon=11.5", "48.1", "11.5"],
    ["place", "$GPRMC,A,4808.2257,N,01134.5240,E", "4808", "01134"],
    ["place", "48° 8′ 13.6″ N", "48"],
    ["time", "20260607_102000_NF.mp4 came home", "20260607", "102000"],
    ["time", "/srv/cam/2026-06-07/20260607_102000_N.gps", "20260607_"],
    ["name", "cannot open /home/anna/cam", "anna"],
    ["name", "cannot open /volume1/homes/anna/cam", "anna"],
    ["name", "C:\\Users\\Anna\\cam", "Anna"],
  ];
  for (const [kind, text, ...gone] of FOUND)
    test(`stand for ${kind} in: ${text}`, () => {
      const clean = places().text(text);
      expect(clean).toContain(`[${kind}-`);
      for (const part of gone) expect(clean.toLowerCase()).not.toContain(part.toLowerCase());
    });

  const LEFT = [
    "2026-11-21 08:15:03,250 +11:00: INFO Sync finished: 12 recordings, 3.4 GB in 71.5 s",
    "sync.priority is smart, schedule.timezone is Europe/Berlin",
    "stats.db, dashdock.log.1 and settings.json are in /config",
    "listening on http://0.0.0.0:8080, http://127.0.0.1:8080 and http://[::1]:8080",
    "Dashdock 1.2.0 on Linux 6.1, 35 °C, 99 %",
    "cannot use web.allowed_hosts: null",
    "The password was changed",
  ];
  for (const text of LEFT)
    test(`leave as it is: ${text}`, () => {
      expect(places().text(text)).toBe(text);
    });

  test("keep what was asked of the camera, without the camera's name", () => {
    expect(places().text("GET http://192.168.1.20/blackvue_vod.cgi?x=1 took 2 s")).toMatch(
      /^GET http:\/\/\[address-\w+\]\/blackvue_vod\.cgi took 2 s$/,
    );
  });

  test("leave nothing of a word at which a long line is cut, and are quick with any line", () => {
    const secret = "c0rrecthorse";
    const long = `${"a ".repeat(8188)}${secret}`;
    expect(places().text(`${long}\nshort`).includes(secret.slice(0, 4))).toBe(false);
    for (const run of ["a", "a.", "a-", "1", "1.1", " ", "@", "%40", ":", "[", "a@", "\\", "=a1"])
      expect(places().text(run.repeat(20_000)).length).toBeLessThan(400_000);
  });
});
