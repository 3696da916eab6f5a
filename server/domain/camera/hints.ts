import type * as v from "valibot";
import { clipName } from "../recordings/camera_clock.ts";
import { hasUnsetClock } from "../recordings/recording_name.ts";
import { aheadInWords, counted, formatSeconds } from "../text/format.ts";
import type { CardTime } from "../text/zone_time.ts";
import { type ClockSighting, clockError } from "./camera_time.ts";
import { CLOCK_TOLERANCE_MS } from "./check_findings.ts";
import type { CAMERA_HINT } from "./hint_schema.ts";
import { emptiedAt, longestAbsence, overwriting, type SeenList } from "./seen_lists.ts";
import type { HarmfulSetting } from "./settings_against_schedule.ts";

export type CameraHint = v.InferOutput<typeof CAMERA_HINT>;

/** Facts that hints are made of. Times in epoch milliseconds. */
export interface HintFacts extends CardTime {
  /** Address of the camera. */
  readonly address: string;
  /** Time at which a run met something at the camera's address that is no camera; null when the latest did not. */
  readonly another_at: number | null;
  /** Lists of the camera in one run after the other, the oldest first. */
  readonly lists: readonly SeenList[];
  readonly clock: ClockSighting | null;
  /** The recording that waits longest and how many older ones the camera has; null when none waits. */
  readonly waiting: { readonly name: string; readonly before: number } | null;
  /** Time of the next run; null while the camera is not home, or no run is planned. */
  readonly next_at: number | null;
  readonly harmful: readonly HarmfulSetting[];
}

/** Returns the hints about the camera beside the state of its sync, the most pressing first. */
export function cameraHints(facts: HintFacts): CameraHint[] {
  return [another(facts), emptied(facts), clock(facts), overwrites(facts), wifi(facts)].filter((hint) => hint !== null);
}

function another({ another_at: at, address, now, zone }: HintFacts): CameraHint | null {
  if (at === null) return null;
  return {
    id: "another-device",
    title: `Another device answers at ${address}.`,
    cause: `The run at ${momentOf(at, now, zone)} found no camera there. The router may have given the address to another device.`,
    remedy: "Find the camera’s new address in your router. Make it permanent there, and set it here.",
    action: { label: "Set the address", href: "/settings#connection" },
  };
}

function emptied({ lists, now, zone }: HintFacts): CameraHint | null {
  const since = emptiedAt(lists);
  if (since === null) return null;
  const { at, before } = since;
  return {
    id: "empty-list",
    title: "The camera’s list is empty.",
    cause: `At ${momentOf(before.at, now, zone)} it listed ${counted(before.recordings, "recording")}, since ${momentOf(at, now, zone)} none.`,
    remedy: "Check the memory card in the camera’s app. Recordings here stay here.",
    action: null,
  };
}

const MINUTE_MS = 60_000;
/** Zones differ by whole steps; by satellites a clock is known to the second, else it may be some minutes off besides. */
const ZONE_STEPS = {
  known: { step: 15 * MINUTE_MS, tolerance: 1.5 * MINUTE_MS },
  guessed: { step: 30 * MINUTE_MS, tolerance: CLOCK_TOLERANCE_MS },
} as const;

function clock({ clock: sighting, now, zone }: HintFacts): CameraHint | null {
  const error = sighting && clockError(sighting, zone);
  if (sighting === null || error === null || error === 0) return null;
  const { name, at, how } = sighting;
  const named = clipName(name, zone.wall(now).year, zone.format);
  const ours = `${zone.moment(at, now)} ${zone.name(at)}`;
  const seen = {
    listed: `At ${ours} its newest recording was named ${named}`,
    recording: `At ${ours} the recording in progress was named ${named}`,
    satellites: `GPS says ${ours}; the camera named it ${named}`,
  };
  const cause = `${seen[how]}. The names and ages of recordings are wrong.`;
  if (hasUnsetClock(name)) {
    const remedy = "Set the clock in the camera’s app, or let GPS set it.";
    return { id: "clock", title: "The camera’s clock is not set.", cause, remedy, action: null };
  }
  const amount = formatSeconds(Math.abs(error) / 1000);
  const { step, tolerance } = ZONE_STEPS[how === "satellites" ? "known" : "guessed"];
  const rest = Math.abs(error) % step;
  const isZone = Math.abs(error) > step - tolerance && Math.min(rest, step - rest) <= tolerance;
  return {
    id: "clock",
    title: `The camera’s clock is ${how === "satellites" ? "" : "at least "}${amount} ${error > 0 ? "ahead" : "behind"}.`,
    cause,
    remedy: `Set its clock${isZone ? " or time zone" : ""} in the camera’s app. If that is right, set the time zone here.`,
    action: { label: "Set the time zone", href: "/settings#schedule" },
  };
}

const HOUR_MS = 3_600_000;

function overwrites(facts: HintFacts): CameraHint | null {
  const { lists, waiting, next_at, now, zone } = facts;
  const rate = overwriting(lists);
  const last = lists.at(-1);
  if (rate === null || waiting === null || !last) return null;
  const goneAt = last.at + ((waiting.before + 1) / rate.perHour) * HOUR_MS;
  const absence = longestAbsence(lists);
  const visitAt = next_at ?? Math.max(now, last.at + absence);
  if (goneAt > visitAt) return null;
  const visit =
    next_at === null
      ? `lately it was away for up to ${formatSeconds(absence / 1000)}`
      : `the next run comes ${aheadInWords((next_at - now) / 1000)}`;
  const pace = counted(Math.max(1, Math.round(rate.perHour * 24)), "recording");
  return {
    id: "overwrites",
    title: "The camera overwrites recordings that are not home yet.",
    cause: `It overwrites about ${pace} a day; the oldest that waits, ${clipName(waiting.name, zone.wall(now).year, zone.format)}, is gone ${aheadInWords((goneAt - now) / 1000)}, and ${visit}.`,
    remedy: "Let the camera stay at home longer, or leave out kinds that you do not need, such as parking.",
    action: { label: "Choose what comes home", href: "/settings#sync" },
  };
}

function wifi({ harmful }: HintFacts): CameraHint | null {
  const found = harmful.find(({ reason }) => reason === "wifi-sleeps");
  if (!found) return null;
  const { cause, remedy } = found;
  return {
    id: "wifi-sleeps",
    title: "The camera’s Wi-Fi sleeps before the next run comes.",
    cause,
    remedy,
    action: { label: "Set the schedule", href: "/settings#schedule" },
  };
}

/** `07:30`, with the day when it is not today. */
function momentOf(at: number, now: number, zone: CardTime["zone"]): string {
  return zone.dayNumber(at) === zone.dayNumber(now) ? zone.clock(at) : zone.moment(at, now);
}
