import { effect, useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isHere } from "../../../server/domain/viewer/coming_text.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { Parts } from "../viewer_parts.ts";
import { wordsOf } from "./play_head.tsx";
import type { TimeLineState } from "./time_line_state.ts";
import { clockAt, FRAME_SECONDS } from "./time_window.ts";

/** Position in words for a slider over the trip: renewed once a second, and not with every frame. */
export function usePosition({
  trip,
  line,
  speedUnit,
  format,
}: Parts<"trip" | "format" | "speedUnit"> & { readonly line: TimeLineState }) {
  const second = useComputed(() => Math.floor(line.head.value + FRAME_SECONDS));
  const text = useComputed(() => {
    const { value: clock } = trip.shownClock;
    if (clock === null) return "The trip is being read";
    const reading = trip.figures.value?.at(second.value);
    const { key = "" } = clock.at(second.value) ?? {};
    const { value: movements } = trip.movements;
    const clip = trip.trip.value?.segments.find((one) => keyOf(one) === key);
    return [
      clockAt(clock, second.value, format),
      ...(movements ? [`movement ${movements.indexOf(key) + 1} of ${movements.length}`] : []),
      ...(reading ? wordsOf(reading, speedUnit) : []),
      ...(clip && !isHere(clip) ? ["still on the camera"] : []),
    ].join(", ");
  });
  const length = useComputed(() => Math.round(trip.clock.value?.length ?? 0));
  return { "aria-valuemin": 0, "aria-valuemax": length, "aria-valuenow": second, "aria-valuetext": text } as const;
}

/** Keeps a play head that runs out of a window that looks closer in sight. */
export function useFollowedHead(line: TimeLineState): void {
  useEffect(() => {
    let before = line.head.peek();
    return effect(() => {
      const now = line.head.value;
      line.follow(before);
      before = now;
    });
  }, [line]);
}
