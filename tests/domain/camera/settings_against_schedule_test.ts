import { expect, test } from "bun:test";
import { configFiles } from "../../../server/dashcam/simulator/simulated_config.ts";
import { type ConfigEntry, parseConfig } from "../../../server/domain/camera/config_file.ts";
import { harmfulSettings } from "../../../server/domain/camera/settings_against_schedule.ts";
import { scheduleTimes } from "../../../server/domain/settings/schedule_gap.ts";

const NOW = Date.UTC(2026, 10, 21, 7, 51);
const AWAKE = { "Wifi.WifiSleepMode": "0" };

function reasons(
  changes: Readonly<Record<string, string>>,
  cron: string,
  { paused = false, on_arrival = false } = {},
): string[] {
  const entries = parseConfig(configFiles({ ...AWAKE, ...changes }).config);
  return harmfulSettings(entries, { cron_expression: cron, paused, on_arrival }, NOW).map(({ reason }) => reason);
}

test.each<[string, Readonly<Record<string, string>>, string, string[]]>([
  ["nothing of the usual ones with a run every quarter of an hour", {}, "*/15 * * * *", []],
  ["Wi-Fi that sleeps before the next run", { "Wifi.WifiSleepMode": "1" }, "*/15 * * * *", ["wifi-sleeps"]],
  ["Wi-Fi that is kept awake by the runs", { "Wifi.WifiSleepMode": "1" }, "*/10 * * * *", []],
  ["Wi-Fi that sleeps between runs of the night", { "Wifi.WifiSleepMode": "1" }, "*/5 0-1 * * *", ["wifi-sleeps"]],
  ["a restart within the hours of the runs", {}, "*/15 1-5 * * *", ["scheduled-reboot"]],
  ["a restart right at the only run", {}, "2 3 * * *", ["scheduled-reboot"]],
  ["a restart while the only run goes on", {}, "30 2 * * *", ["scheduled-reboot"]],
  ["a restart long before the only run", {}, "0 5 * * *", []],
  ["a restart at midnight", { "Tab3.ScheduledRebootTime": "0" }, "50 23 * * *", ["scheduled-reboot"]],
  ["a restart that is turned off", { "Tab3.ScheduledReboot": "0" }, "0 3 * * *", []],
  ["a restart at no time", { "Tab3.ScheduledRebootTime": "²" }, "0 3 * * *", []],
  ["a timer that ends before the next run", { "Tab3.LowvoltageTime": "6" }, "0 12 * * *", ["cut-off-timer"]],
  ["a timer that the runs come before", { "Tab3.LowvoltageTime": "6" }, "0 * * * *", []],
  ["a timer of a part that is off", { "Tab3.LowvoltageTime": "6", "Tab3.Battery": "0" }, "0 12 * * *", []],
  ["a high voltage", { "Tab3.LowvoltageVolt": "1250" }, "*/5 * * * *", ["cut-off-voltage"]],
  ["events that are overwritten", { "Tab1.OverwriteLock": "1" }, "*/5 * * * *", ["overwrites-events"]],
  ["values that are none", { "Tab3.LowvoltageVolt": "--5", "Tab3.LowvoltageTime": "abc" }, "0 12 * * *", []],
])("%s", (_, changes, cron, expected) => {
  expect(reasons(changes, cron)).toEqual(expected);
});

test("a paused schedule has nothing to be missed, and only what is lost on the camera is said", () => {
  const all = { "Wifi.WifiSleepMode": "1", "Tab1.OverwriteLock": "1" };
  expect(reasons(all, "0 3 * * *", { paused: true })).toEqual(["overwrites-events"]);
});

test("a camera whose arrival starts a run is missed by no schedule", () => {
  const all = { "Wifi.WifiSleepMode": "1", "Tab3.LowvoltageTime": "6", "Tab1.OverwriteLock": "1" };
  expect(reasons(all, "0 3 * * *")).toEqual(["wifi-sleeps", "cut-off-timer", "scheduled-reboot", "overwrites-events"]);
  expect(reasons(all, "0 3 * * *", { on_arrival: true })).toEqual(["overwrites-events"]);
});

test("a cause and a remedy are sentences that name the setting as the camera’s app does", () => {
  const entries: ConfigEntry[] = [
    { section: "Wifi", key: "WifiSleepMode", value: "1" },
    { section: "Wifi", key: "onstart", value: "0" },
  ];
  expect(harmfulSettings(entries, { cron_expression: "*/15 * * * *", paused: false, on_arrival: false }, NOW)).toEqual([
    {
      reason: "wifi-off-at-start",
      setting: "Wifi.onstart",
      label: "Wi-Fi on when the camera starts",
      cause: "The camera’s Wi-Fi stays off when the camera starts. Dashdock finds it only after its button is pressed.",
      remedy: "Turn “Wi-Fi on when the camera starts” on in the camera’s app.",
    },
    {
      reason: "wifi-sleeps",
      setting: "Wifi.WifiSleepMode",
      label: "Wi-Fi auto turn off",
      cause:
        "The camera’s Wi-Fi turns off after 10 idle minutes. Dashdock looks every 15 minutes, so it can miss a short visit.",
      remedy: "Let Dashdock look every 5 minutes, or turn “Wi-Fi auto turn off” off in the camera’s app.",
    },
  ]);
});

test.each<[string, number | null]>([
  ["*/15 * * * *", 15],
  ["*/7 * * * *", 7],
  ["0 * * * *", 60],
  ["0,40 * * * *", 40],
  ["0 3 * * *", 1440],
  ["*/5 8-17 * * *", 14 * 60 + 5],
  ["0 3 * * mon", 7 * 1440],
  ["0 3 * * mon-fri", 3 * 1440],
  ["0 3 1 1 *", 365 * 1440],
  ["0 3 1,15 * mon", 7 * 1440],
  ["nonsense", null],
])("%s is silent for %s minutes at most", (cron, minutes) => {
  expect(scheduleTimes(cron, NOW)?.longest_gap ?? null).toBe(minutes);
});
