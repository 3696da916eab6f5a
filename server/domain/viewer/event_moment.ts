import { secondsOf } from "../recordings/recording_name.ts";
import { keyOf } from "./viewer_address.ts";
import type { ViewerRecording } from "./viewer_schema.ts";

/** An event is shown from so long before its strongest moment on: what led to it is part of it. */
export const BEFORE_SECONDS = 3;

/**
 * Returns the second at which a clip starts that was opened by itself. An event starts shortly before its strongest
 * moment, any other clip at its start.
 */
export function landingOf({ strongest }: Pick<ViewerRecording, "strongest">): number {
  const t = strongest?.t ?? null;
  return t === null ? 0 : Math.max(0, Math.round((t - BEFORE_SECONDS) * 10) / 10);
}

/** Nearer than this behind where an event is begun, a step back leads to the event before: people press twice. */
const STEP_BACK_SECONDS = 2;
/** A place is told to a tenth. */
const SAME_PLACE_SECONDS = 0.5;

/** The event after a moment (1) or before it (-1), by where each is begun; undefined where there is none. */
export function eventBeside<T extends ViewerRecording>(
  events: readonly T[],
  seen: { readonly key: string; readonly seconds: number },
  by: 1 | -1,
): T | undefined {
  const now = secondsOf(seen.key) + seen.seconds;
  const begun = events
    .map((event) => ({ event, at: secondsOf(keyOf(event)) + landingOf(event) }))
    .sort((one, other) => one.at - other.at);
  const found =
    by > 0
      ? begun.find(({ at }) => at > now + SAME_PLACE_SECONDS)
      : begun.findLast(({ at }) => at < now - STEP_BACK_SECONDS);
  return found?.event;
}
