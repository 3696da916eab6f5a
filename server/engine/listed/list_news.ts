import type { ListedFile } from "../../domain/recordings/camera_listing.ts";
import { dayOfMoment, hasNoAge } from "../../domain/recordings/moment_number.ts";
import { checkRecordingName } from "../../domain/recordings/recording_name.ts";
import type { CameraList } from "../../domain/sync/camera_list.ts";
import type { RecordingCounter } from "../../domain/sync/recording_counter.ts";
import { eachInSlices } from "../../turns.ts";

/** Names tell days of clocks that may be set to any zone. */
const NEAR_MS = 2 * 86_400_000;

/**
 * The moments that a list has and the one before lacks, as far as they may have been recorded just now: those of these
 * days, and those of a clock that was not set.
 * @param at when the list was asked for, in epoch milliseconds
 */
export function newsIn(list: CameraList, before: CameraList | null, at: number): number[] {
  const firstDay = Number(new Date(at - NEAR_MS).toISOString().slice(0, 10).replaceAll("-", ""));
  const news: number[] = [];
  for (let place = 0; place < list.size; place++) {
    const moment = list.momentAt(place);
    if (!hasNoAge(moment) && dayOfMoment(moment) < firstDay) continue;
    if (before === null || !hasMoment(before, moment)) news.push(moment);
  }
  return news;
}

/** Number of names with a date that never was. */
export async function impossibleIn(files: readonly ListedFile[]): Promise<number> {
  let impossible = 0;
  await eachInSlices(files, ({ name }) => {
    if (checkRecordingName(name) === "impossible") impossible++;
  });
  return impossible;
}

/**
 * True when a list has what it must have after the one before: its newest recording, which a camera overwrites last, and
 * all that was still to come. What lacks these may be cut short.
 * @param counter of the list before; null while nothing is known of what was to come
 */
export function lacksNothing(
  list: CameraList,
  before: CameraList | null,
  counter: Pick<RecordingCounter, "eachComing"> | null,
): boolean {
  if (before === null || before.size === 0) return true;
  if (!list.hasVideo(before.momentAt(before.size - 1), before.endingAt(before.size - 1))) return false;
  let isWhole = true;
  counter?.eachComing((place, isUnwanted) => {
    isWhole &&= isUnwanted || list.hasVideo(before.momentAt(place), before.endingAt(place));
  });
  return isWhole;
}

function hasMoment(list: CameraList, moment: number): boolean {
  const [from, to] = list.rangeOf(moment);
  return to > from;
}
