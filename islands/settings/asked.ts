import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { send } from "../browser/client.ts";
import { LONG_WAIT_MS, refreshWhileVisible } from "../browser/refresh_while_visible.ts";

/** Pause in the typing before the service is asked. */
const PAUSE_MS = 250;
/** Pause before another try after a failure. */
const RETRY_MS = 3000;

export interface Asked<T> {
  readonly answer: T;
  /** The answer is to what was typed before; the next one is on its way. */
  readonly isStale: boolean;
}

interface AskedOptions<T> {
  /** Milliseconds that an answer holds. After them it is asked for again, once the page is visible. */
  readonly holdsMs?: (answer: T) => number | null;
  /** Request that the page's own answer belongs to; the first path when left out. */
  readonly drawnFor?: `/api/${string}` | null;
  /** Another number asks again at once. */
  readonly round?: number;
}

/**
 * The service's answer about something that is being typed. It is asked when the typing pauses, and an answer to what
 * was typed before is dropped. Null: there is nothing to ask, and the last answer stays.
 * @param drawn the answer that the page came with
 */
export function useAsked<T>(path: `/api/${string}` | null, drawn: T, options: AskedOptions<T> = {}): Asked<T> {
  const { holdsMs = () => null, drawnFor = path, round = 0 } = options;
  const last: Signal<{ readonly path: typeof path; readonly answer: T; readonly round: number }> = useSignal({
    path: drawnFor,
    answer: drawn,
    round,
  });
  useEffect(() => {
    const isAnswered = path === last.value.path && round === last.value.round;
    const wait = isAnswered ? holdsMs(last.value.answer) : PAUSE_MS;
    if (path === null || wait === null) return;
    const { stop } = refreshWhileVisible({
      page: document,
      firstMs: wait,
      everyMs: RETRY_MS,
      waitMs: LONG_WAIT_MS,
      ask: (signal) => send<T>(`GET ${path}`, undefined, signal),
      show(answer) {
        last.value = { path, answer, round };
      },
    });
    return stop;
  }, [path, round, last.value]);
  return { answer: last.value.answer, isStale: path !== null && path !== last.value.path };
}
