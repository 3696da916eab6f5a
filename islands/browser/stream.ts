import { reached } from "./address.ts";
import { leaveForSignIn } from "./client.ts";
import { CONNECTED, LONGEST_WAIT_MS, noteConnection } from "./connection.ts";
import { asked } from "./page_camera.ts";

const FIRST_WAIT_MS = 2000;

/** Events to listen to; tests pass a source, a page and a fetch of their own. */
export interface Listening {
  /** A function is asked anew each time the stream is opened. */
  readonly url: string | (() => string);
  readonly event: string;
  readonly open?: (url: string) => EventSource;
  readonly page?: Document;
  readonly ask?: (url: string) => Promise<Response>;
  /** Called when it has broken, and when the tab is hidden. */
  readonly broken?: () => void;
}

/**
 * Listens to one stream of server-sent events until it is stopped. While the tab is hidden the stream is closed; when it
 * breaks it is opened again, later each time; when the session has ended the page goes to sign-in.
 * @param onData gets the data of each event, and whether it is the first since the stream was opened
 * @returns what stops it
 */
export function listen<T>(
  { url, event, open = (address) => new EventSource(address), page = document, ask = fetch, broken }: Listening,
  onData: (data: T, isFirst: boolean) => void,
): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT_MS;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
    broken?.();
  };
  const start = () => {
    close();
    const opened = open(asked(typeof url === "string" ? url : url(), page));
    source = opened;
    let isFirst = true;
    opened.addEventListener(event, (message) => {
      wait = FIRST_WAIT_MS;
      noteConnection(page, true);
      onData(JSON.parse((message as MessageEvent<string>).data) as T, isFirst);
      isFirst = false;
    });
    opened.addEventListener("error", () => {
      if (source !== opened) return;
      close();
      timer = setTimeout(start, wait);
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
      void findCause(page, ask);
    });
  };
  const onVisibility = () => (page.hidden ? close() : start());
  page.addEventListener("visibilitychange", onVisibility);
  page.addEventListener(CONNECTED, onVisibility);
  if (!page.hidden) start();
  return () => {
    page.removeEventListener("visibilitychange", onVisibility);
    page.removeEventListener(CONNECTED, onVisibility);
    close();
  };
}

/** Asks something small, since the error of an EventSource has no cause. */
async function findCause(page: Document, ask: (url: string) => Promise<Response>): Promise<void> {
  try {
    const answer = await ask(reached("/api/auth/me", page));
    noteConnection(page, true);
    if (answer.status === 401) leaveForSignIn(page);
  } catch {
    noteConnection(page, false);
  }
}
