import { dateOf, secondsOf } from "../../domain/recordings/recording_name.ts";
import { isBreak, type Trip, tripsOf } from "../../domain/viewer/trips.ts";
import type { SegmentDays } from "../../store/clips/segment_days.ts";
import { endingsOf, type Segment } from "../../store/library/recording_files.ts";
import { nextTurn } from "../../turns.ts";
import { type PlaceRules, rulesText } from "./place_rules.ts";

/** A camera that records round the clock makes clips without a break: they are cut at midnight then. */
const MOST_CLIPS_TOGETHER = 2000;

/** All trips of the library, oldest first. Of copies the one counts that the viewer shows. */
export async function tripsOfLibrary(days: SegmentDays, { gapMinutes, zone }: PlaceRules): Promise<Trip<Segment>[]> {
  const trips: Trip<Segment>[] = [];
  let together: Segment[] = [];
  const cut = async () => {
    // One after the other: of a day there may be more than a call takes as arguments.
    for (const trip of tripsOf(together, gapMinutes, zone)) trips.push(trip);
    together = [];
    await nextTurn();
  };
  for (const date of days.dates.toReversed()) {
    const segments = days.of(date);
    for (let at = segments.length - 1; at >= 0; at--) {
      const segment = segments[at];
      if (!segment || segments[at - 1]?.key === segment.key) continue;
      const last = together.at(-1);
      const isNewDay = last !== undefined && dateOf(last.key) !== dateOf(segment.key);
      const isApart = last !== undefined && isBreak(secondsOf(last.key), secondsOf(segment.key), gapMinutes, zone);
      if (isNewDay && (isApart || together.length > MOST_CLIPS_TOGETHER)) await cut();
      together.push(segment);
    }
  }
  await cut();
  return trips;
}

/** Another text when a trip has other clips, other files or other rules. */
export function signatureOf({ clips }: Trip<Segment>, rules: PlaceRules): string {
  const text = clips.map(({ key, folder, parts }) => `${folder}/${key} ${endingsOf(parts)}`);
  return Bun.hash([rulesText(rules), ...text].join("\n")).toString(36);
}
