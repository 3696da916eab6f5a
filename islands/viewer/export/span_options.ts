import { isEvent } from "../../../server/domain/retention/keep_times.ts";
import type { ExportWanted } from "../../../server/domain/viewer/export_choice.ts";
import type { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import type { TripRange } from "../trip_state.ts";
import { wantedRange } from "./wanted_range.ts";

/** A part of the trip that one press chooses. */
export interface SpanOption {
  readonly name: string;
  readonly range: TripRange;
}

const AROUND_SECONDS = 60;
/** Ends are told to a tenth of a second. */
const SAME_SECONDS = 0.1;

/**
 * Parts of a trip to choose from around a clip, the usual one first: what happened with one minute before and after, the clip,
 * the trip. Empty for a clip of another trip.
 * @param time on the trip's clock at what is seen
 */
export function spanOptions(clock: JourneyClock, recording: ViewerRecording, time: number): SpanOption[] {
  const segment = clock.segments.find(({ key }) => key === keyOf(recording));
  if (segment === undefined) return [];
  const { offset, length } = segment;
  const clip: TripRange = { from: offset, to: Math.min(clock.length, offset + length) };
  const around = ({ from, to }: TripRange): TripRange => ({
    from: Math.max(0, from - AROUND_SECONDS),
    to: Math.min(clock.length, to + AROUND_SECONDS),
  });
  const strongest = recording.strongest?.t ?? null;
  const moment = strongest === null ? clip : { from: offset + strongest, to: offset + strongest };
  const whole: TripRange = { from: 0, to: clock.length };
  const event = { name: "Event ± 1 min", range: around(moment) };
  const options = [
    ...(isEvent(recording.type) ? [event] : []),
    { name: "This clip", range: clip },
    ...(isEvent(recording.type) ? [] : [{ name: "Here ± 1 min", range: around({ from: time, to: time }) }]),
    { name: "Whole trip", range: whole },
  ];
  return options.filter(({ range }, at) => options.findIndex((one) => isSameRange(one.range, range)) === at);
}

/** True when two ranges are the same as far as they are told. */
export function isSameRange(one: TripRange, other: TripRange): boolean {
  return Math.abs(one.from - other.from) < SAME_SECONDS && Math.abs(one.to - other.to) < SAME_SECONDS;
}

/** A part of a trip as the service wants it: a whole trip and a whole clip by name. Null where no clip is in it. */
export function wantedSpan(clock: JourneyClock, range: TripRange): ExportWanted | null {
  const [first] = clock.segments;
  if (first && isSameRange(range, { from: 0, to: clock.length })) return { kind: "trip", key: first.key };
  const clip = clock.segments.find(({ offset, length }) => isSameRange(range, { from: offset, to: offset + length }));
  return clip ? { kind: "clip", key: clip.key } : wantedRange(clock, range);
}
