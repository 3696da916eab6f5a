/** Sent to the page when the service answers again after it had not. */
export const BACK = "dashdock:back";

/** While the service does not answer it is asked ever more seldom; what was asked for more often, not less than this. */
export const LONGEST_WAIT_MS = 30_000;

/** Says on the page whether the service answers; the words are in the page, hidden while all is well. */
export function noteConnection(page: Document, isThere: boolean): void {
  const note = page.getElementById("no-connection");
  if (!note || note.hidden === isThere) return;
  note.hidden = isThere;
  // What hangs half open since then does not know yet.
  const view = page.defaultView as (Window & typeof globalThis) | null;
  if (isThere && view) page.dispatchEvent(new view.Event(BACK));
}
