import type { Pass } from "../../server/domain/places/places_schema.ts";
import { dateOf, timeOf } from "../../server/domain/recordings/recording_name.ts";
import { KEEP_CLASSES, type KeepClass } from "../../server/domain/retention/keep_times.ts";
import { type SpeedUnit, speedIn } from "../../server/domain/viewer/distance_text.ts";
import { weekdayOf } from "../../server/domain/viewer/calendar_month.ts";
import { type FlatDrive, minuteOf } from "./flat_drives.ts";
import { fastParts } from "./speed_lines.ts";

const DAY_MINUTES = 1440;
const SATURDAY = 5;

/** Conditions of drives and passes, beside the weeks, which the API knows. Times are those of the camera's clock. */
export interface MapFilter {
  readonly days: "all" | "workdays" | "weekend";
  /** Minutes of the day. Where the first is later it is a time over midnight. */
  readonly from: number;
  readonly to: number;
  /** Ids of cameras; none means all. */
  readonly whose: readonly string[];
  /** A drive has a recording of one of these kinds; none means all. */
  readonly kinds: readonly KeepClass[];
  /** In the unit that people read. */
  readonly fast: number;
}

export const NO_MAP_FILTER: MapFilter = { days: "all", from: 0, to: DAY_MINUTES, whose: [], kinds: [], fast: 0 };

/** True when it leaves nothing out. */
export function isOpen({ days, from, to, whose, kinds, fast }: MapFilter): boolean {
  const isAnyDrive = whose.length === 0 && kinds.length === 0 && fast === 0;
  return isAnyDrive && days === "all" && from === 0 && to === DAY_MINUTES;
}

/** The filter with one camera more, or less when it has it. */
export function withCameraOf(filter: MapFilter, id: string, all: readonly string[]): MapFilter {
  const now = filter.whose.length === 0 ? all : filter.whose;
  const whose = now.includes(id) ? now.filter((one) => one !== id) : [...now, id];
  // None at all would show nothing, and every one is the same as no filter.
  return { ...filter, whose: whose.length === all.length || whose.length === 0 ? [] : whose };
}

/** The filter with one kind more, or less when it has it. */
export function withKindOf(filter: MapFilter, kind: KeepClass): MapFilter {
  const { kinds } = filter;
  return { ...filter, kinds: KEEP_CLASSES.filter((one) => kinds.includes(one) !== (one === kind)) };
}

/** The drives that meet the conditions, as far as they do: of a drive that was fast for a while that part. */
export function drivesOf(drives: readonly FlatDrive[], filter: MapFilter, unit: SpeedUnit): readonly FlatDrive[] {
  if (isOpen(filter)) return drives;
  const least = filter.fast / speedIn(1, unit);
  return drives
    .filter(({ date, minute, camera }) => isOn(date, filter) && isAt(minute, filter) && isOf(camera, filter))
    .filter(({ kinds }) => filter.kinds.length === 0 || filter.kinds.some((kind) => kinds.includes(kind)))
    .flatMap((drive) => fastParts(drive, least));
}

/**
 * True when a pass meets the conditions: by the second at which it begins, and its speed then. Passes of drives without the
 * kinds are not asked for.
 */
export function isPassOf(
  { key, seconds, speed, camera }: Pick<Pass, "key" | "seconds" | "speed" | "camera">,
  filter: MapFilter,
  unit: SpeedUnit,
): boolean {
  if (isOpen(filter)) return true;
  const minute = minuteOf(timeOf(key)) + Math.floor((Number(timeOf(key).slice(6, 8)) + seconds) / 60);
  const isFast = filter.fast === 0 || (speed !== null && speedIn(speed, unit) >= filter.fast - 0.01);
  return isFast && isOn(dateOf(key), filter) && isAt(minute % DAY_MINUTES, filter) && isOf(camera, filter);
}

function isOn(date: string, { days }: MapFilter): boolean {
  return days === "all" || weekdayOf(date) >= SATURDAY === (days === "weekend");
}

function isAt(minute: number, { from, to }: MapFilter): boolean {
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

function isOf(camera: string, { whose }: MapFilter): boolean {
  return whose.length === 0 || whose.includes(camera);
}
