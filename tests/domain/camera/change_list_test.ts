import { expect, test } from "bun:test";
import { allChanges, unseenChanges } from "../../../server/domain/camera/change_list.ts";
import type { ConfigChange, ConfigVisit } from "../../../server/domain/camera/config_changes.ts";

const DAYS = ["2026-11-19T08:04:00.000Z", "2026-11-20T07:21:00.000Z", "2026-11-21T07:21:00.000Z"];
const visit = (id: number, changes: ConfigChange[], dismissed = false): ConfigVisit => ({
  id,
  at: DAYS[id - 1] ?? "",
  changes,
  dismissed,
});
const sleep = (from: string, to: string) => ({ key: "Wifi.WifiSleepMode", label: "Wi-Fi auto turn off", from, to });
const volume = (from: string, to: string) => ({ key: "Tab3.VOLUME", label: "Volume", from, to });
const password = { key: "Cloud.sta_pw", label: "Home network 1 password", from: "changed", to: "changed" };
const other = { key: "Fancy.A.b", label: "A.b", from: "", to: "2" };

const told = (changes: ReturnType<typeof allChanges>) =>
  changes.map(({ key, at, from, to, isSecret }) => [key, new Date(at).getUTCDate(), from, to, isSecret]);

test("changes are told in words, the newest first, and of a password only that it is another", () => {
  const visits = [visit(1, [volume("5", "4")], true), visit(2, [sleep("0", "1"), password, other])];
  expect(told(allChanges(visits))).toEqual([
    ["Wifi.WifiSleepMode", 20, "Off", "On", false],
    ["Cloud.sta_pw", 20, "", "", true],
    ["Fancy.A.b", 20, "", "2", false],
    ["Tab3.VOLUME", 19, "5", "4", false],
  ]);
  expect(told(unseenChanges(visits)).map(([key]) => key)).toEqual(["Wifi.WifiSleepMode", "Cloud.sta_pw", "Fancy.A.b"]);
});

test("a setting that changed twice is one change, of the later visit; one that was changed back is none", () => {
  const twice = [visit(1, [volume("5", "4"), sleep("0", "1")]), visit(2, [password]), visit(3, [volume("4", "3")])];
  expect(told(unseenChanges(twice))).toEqual([
    ["Tab3.VOLUME", 21, "5", "3", false],
    ["Cloud.sta_pw", 20, "", "", true],
    ["Wifi.WifiSleepMode", 19, "Off", "On", false],
  ]);
  expect(unseenChanges([visit(1, [volume("5", "4")]), visit(2, [volume("4", "5")])])).toEqual([]);
  expect(allChanges([visit(1, [volume("5", "4")]), visit(2, [volume("4", "5")])])).toHaveLength(2);
});
