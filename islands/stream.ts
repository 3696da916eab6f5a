import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { leaveForSignIn } from "./client.ts";
import { noteConnection } from "./connection.ts";

const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 30_000;

/** What `listen` needs of an EventSource; tests bring one of their own. */
export type OpenSource = (url: string) => EventSource;

/**
 * Listens to one stream of server-sent events until told to stop. While the tab is hidden the stream is closed; when it
 * breaks it is opened again, later each time; when the session has ended the page goes to sign-in.
 * @param heard gets the data of each event
 * @returns what stops it
 */
export function listen<T>(
  { url, event, open = (address) => new EventSource(address) }: { url: string; event: string; open?: OpenSource },
  heard: (data: T) => void,
): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT_MS;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const start = () => {
    close();
    const opened = open(url);
    source = opened;
    opened.addEventListener(event, (message) => {
      wait = FIRST_WAIT_MS;
      noteConnection(document, true);
      heard(JSON.parse((message as MessageEvent<string>).data) as T);
    });
    opened.addEventListener("error", () => {
      if (source !== opened) return;
      close();
      timer = setTimeout(start, wait);
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
      void whyBroken();
    });
  };
  const seen = () => (document.hidden ? close() : start());
  document.addEventListener("visibilitychange", seen);
  if (!document.hidden) start();
  return () => {
    document.removeEventListener("visibilitychange", seen);
    close();
  };
}

/** An EventSource does not tell why it broke: ask something small. */
async function whyBroken(): Promise<void> {
  try {
    const answer = await fetch("/api/auth/me");
    noteConnection(document, true);
    if (answer.status === 401) leaveForSignIn();
  } catch {
    noteConnection(document, false);
  }
}

/** The last value of a stream as a signal, beginning with what the server had drawn. */
export function useStream<T>(source: Parameters<typeof listen>[0], initial: T): Signal<T> {
  const value = useSignal(initial);
  useEffect(
    () =>
      listen<T>(source, (data) => {
        value.value = data;
      }),
    [source.url],
  );
  return value;
}
