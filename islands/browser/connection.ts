/** Sent to the page when the service answers again after it had not. */
export const CONNECTED = "dashdock:back";

/** The longest wait, while the service does not answer, for what is otherwise asked for more often. */
export const LONGEST_WAIT_MS = 30_000;

/** Shows `#no-connection` while the service does not answer, and sends `CONNECTED` when it does again. */
export function noteConnection(page: Document, isThere: boolean): void {
  const note = page.getElementById("no-connection");
  if (!note || note.hidden === isThere) return;
  note.hidden = isThere;
  // A stream that was open before may hang without an error.
  const view = page.defaultView as (Window & typeof globalThis) | null;
  if (isThere && view) page.dispatchEvent(new view.Event(CONNECTED));
}
