import type { ExportWanted } from "../../../server/domain/viewer/export_choice.ts";
import type { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";

/** Part of a trip, in seconds on its clock, as the service wants it: its first and last clip, and seconds into each. */
export function wantedRange(
  clock: JourneyClock,
  { from, to }: { readonly from: number; readonly to: number },
): (ExportWanted & { readonly kind: "range" }) | null {
  const within = clock.segments.filter(({ offset, length }) => offset < to && offset + length > from);
  const first = within[0];
  const last = within.at(-1);
  if (first === undefined || last === undefined) return null;
  const seconds = (time: number) => Math.round(time * 10) / 10;
  return {
    kind: "range",
    from: first.key,
    to: last.key,
    fromSeconds: seconds(Math.max(0, from - first.offset)),
    toSeconds: seconds(Math.min(last.length, to - last.offset)),
  };
}
