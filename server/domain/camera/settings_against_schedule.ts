import { scheduleTimes } from "../settings/schedule_gap.ts";
import { formatSeconds } from "../text/format.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { clockOf } from "../text/zone_time.ts";
import { knownSetting } from "./config_catalogue.ts";
import { type ConfigEntry, configKey } from "./config_file.ts";
import { shownValue } from "./config_value.ts";

/** A setting of the camera that works against the schedule, with its cause and remedy as sentences. */
export interface HarmfulSetting {
  readonly reason: HarmReason;
  /** Section and key, such as `Wifi.WifiSleepMode`. */
  readonly setting: string;
  /** Name for people, such as `Wi-Fi auto turn off`. */
  readonly label: string;
  readonly cause: string;
  readonly remedy: string;
}

export type HarmReason =
  | "wifi-off-at-start"
  | "wifi-sleeps"
  | "scheduled-reboot"
  | "cut-off-timer"
  | "cut-off-voltage"
  | "overwrites-events";

/** Times at which Dashdock looks for the camera. */
export interface LookSchedule {
  readonly cron_expression: string;
  readonly paused: boolean;
  /** It is also looked for between runs, every few seconds. */
  readonly on_arrival: boolean;
}

/** Minutes without use after which the camera turns its Wi-Fi off. */
const SLEEPS_AFTER_MINUTES = 10;
/** A schedule that is silent for longer has hours of its own, and a restart within them costs a good part of them. */
const AROUND_THE_CLOCK_MINUTES = 120;
/** Minutes that a run may be going on when the camera restarts. */
const RUN_MINUTES = 60;
/** Minutes from a restart until the Wi-Fi is back. */
const RESTART_MINUTES = 5;
/** Hundredths of a volt: from any cut-off above this, a resting car battery falls below it within hours. */
const HIGHEST_CUT_OFF = 1220;

/**
 * Returns the camera's settings that will hurt, the worst first: the check reports them and the dashboard hints at
 * them.
 * @param now from where the days of the schedule are looked at
 */
export function harmfulSettings(
  entries: readonly ConfigEntry[],
  schedule: LookSchedule,
  now: number,
  format: TimeFormat = USUAL_FORMAT,
) {
  // A camera whose arrival starts a run is met while its Wi-Fi is on, and again after a restart.
  const times = schedule.paused || schedule.on_arrival ? null : scheduleTimes(schedule.cron_expression, now);
  const values = new Map(entries.map((entry) => [configKey(entry), entry]));
  const value = (setting: string) => values.get(setting)?.value;
  const found: HarmfulSetting[] = [];
  const add = (reason: HarmReason, setting: string, sentences: (label: string) => [cause: string, remedy: string]) => {
    const [section = "", key = ""] = setting.split(".");
    const label = knownSetting(section, key)?.label ?? setting;
    const [cause, remedy] = sentences(label);
    found.push({ reason, setting, label, cause, remedy });
  };

  if (value("Wifi.onstart") === "0")
    add("wifi-off-at-start", "Wifi.onstart", (label) => [
      "The camera’s Wi-Fi stays off when the camera starts. Dashdock finds it only after its button is pressed.",
      `Turn “${label}” on in the camera’s app.`,
    ]);

  const gap = times?.longest_gap ?? 0;
  if (value("Wifi.WifiSleepMode") === "1" && gap > SLEEPS_AFTER_MINUTES)
    add("wifi-sleeps", "Wifi.WifiSleepMode", (label) => [
      `The camera’s Wi-Fi turns off after ${SLEEPS_AFTER_MINUTES} idle minutes. Dashdock ${looks(gap)}, so it can miss a short visit.`,
      `Let Dashdock look every 5 minutes, or turn “${label}” off in the camera’s app.`,
    ]);

  const hasProtection = value("Tab3.Battery") !== "0";
  const timer = whole(value("Tab3.LowvoltageTime"));
  if (hasProtection && timer !== null && timer > 0 && timer * 60 < gap)
    add("cut-off-timer", "Tab3.LowvoltageTime", () => [
      `The camera turns off ${timer === 1 ? "an hour" : `${timer} hours`} after parking. Dashdock ${looks(gap)}, so the camera may be off by then.`,
      `Let Dashdock look more often than every ${timer === 1 ? "hour" : `${timer} hours`}, or set a longer timer in the camera’s app.`,
    ]);

  const reboot = value("Tab3.ScheduledReboot") === "1" ? rebootMinute(value("Tab3.ScheduledRebootTime")) : null;
  const isHit = (minute: number) =>
    reboot !== null && (reboot - minute + 1440 + RESTART_MINUTES) % 1440 <= RUN_MINUTES + RESTART_MINUTES;
  if (gap > AROUND_THE_CLOCK_MINUTES && times?.minutes.some(isHit))
    add("scheduled-reboot", "Tab3.ScheduledReboot", (label) => [
      `The camera restarts every day at ${clockOf({ hour: Math.floor((reboot ?? 0) / 60), minute: 0 }, format)}. The schedule runs at that time, and the restart cuts it off.`,
      `Move “${label}” in the camera’s app to an hour without runs.`,
    ]);

  const volts = values.get("Tab3.LowvoltageVolt");
  const cutOff = whole(volts?.value);
  if (hasProtection && volts && cutOff !== null && cutOff > HIGHEST_CUT_OFF)
    add("cut-off-voltage", "Tab3.LowvoltageVolt", () => [
      `The camera turns off when the car’s battery is below ${shownValue(volts)}. A resting battery soon is, so the camera may be off before a sync.`,
      "Set the cut-off to 12.0 V or a little less in the camera’s app.",
    ]);

  if (value("Tab1.OverwriteLock") === "1")
    add("overwrites-events", "Tab1.OverwriteLock", (label) => [
      "When the card is full, the camera overwrites locked events too. Some may be gone before a sync.",
      `Turn “${label}” off in the camera’s app.`,
    ]);
  return found;
}

function whole(text: string | undefined): number | null {
  return text !== undefined && /^[0-9]{1,6}$/.test(text) ? Number(text) : null;
}

function rebootMinute(text: string | undefined): number | null {
  const hour = whole(text);
  return hour !== null && hour < 24 ? hour * 60 : null;
}

/** Says how often Dashdock looks, by the longest time between two looks. */
function looks(minutes: number): string {
  if (minutes < 60) return `looks every ${minutes} minutes`;
  if (minutes === 60) return "looks once an hour";
  if (minutes === 1440) return "looks only once a day";
  return `waits up to ${formatSeconds(minutes * 60)} between two looks`;
}
