import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { send } from "../client.ts";

/** How long somebody has to stop typing before the service is asked. */
const PAUSE_MS = 250;
/** How long after a failure it is asked again. */
const RETRY_MS = 3000;

export interface Asked<T> {
  readonly answer: T;
  /** The answer is to what was typed before; the next one is on its way. */
  readonly isStale: boolean;
}

/**
 * What the service says about something that is being typed. It is asked when the typing pauses, and an answer to what
 * was typed before is dropped. Null: there is nothing to ask, and the last answer stays.
 * @param drawn the answer to the first question, which the page came with
 */
export function useAsked<T>(path: `/api/${string}` | null, drawn: T): Asked<T> {
  const last: Signal<{ readonly path: typeof path; readonly answer: T }> = useSignal({ path, answer: drawn });
  useEffect(() => {
    if (path === null || path === last.value.path) return;
    const asking = new AbortController();
    const ask = async () => {
      try {
        last.value = { path, answer: await send<T>(`GET ${path}`, undefined, asking.signal) };
      } catch {
        if (!asking.signal.aborted) timer = setTimeout(ask, RETRY_MS);
      }
    };
    let timer = setTimeout(ask, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [path]);
  return { answer: last.value.answer, isStale: path !== null && path !== last.value.path };
}
