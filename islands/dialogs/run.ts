import { asSentence, counted } from "../../server/domain/format.ts";
import { leaveForSignIn, send, sentenceOfError } from "../client.ts";
import { morph } from "../morph.ts";
import { type Frame, openFrame, paragraph } from "./frame.ts";

/** How often the dialog looks again: files come home while it is open. */
const EVERY_MS = 3000;
const PATIENCE_MS = 10_000;

/** All that is known of a run, as its page has it, in a dialog. */
export async function showRun(page: Document, link: HTMLAnchorElement): Promise<void> {
  const { pathname, search } = link;
  const frame = openFrame(page, link, "run", "Run");
  frame.body.append(paragraph(page, "Fetching what is known of this run.", "soft"));
  const look = () => refresh(page, frame, `/hx${pathname}${search}`);
  frame.body.addEventListener("submit", (event) => {
    event.preventDefault();
    void retry(page, frame, event.submitter as HTMLButtonElement | null, look);
  });
  await look();
  if (link.hash === "#failed-files") frame.body.querySelector("#failed-files")?.scrollIntoView({ block: "start" });
  const timer = setInterval(() => page.hidden || void look(), EVERY_MS);
  frame.closed.addEventListener("abort", () => clearInterval(timer));
}

async function refresh(page: Document, { body, closed }: Frame, path: string): Promise<void> {
  let words = "What is known of this run could not be fetched. Trying again.";
  try {
    const signal = AbortSignal.any([closed, AbortSignal.timeout(PATIENCE_MS)]);
    const answer = await fetch(path, { headers: { "hx-request": "true", "hx-current-url": location.href }, signal });
    if (answer.status === 401) {
      leaveForSignIn(page);
      return;
    }
    if (answer.status === 404) words = "This run is not in the history any more.";
    if (answer.ok) {
      const template = page.createElement("template");
      template.innerHTML = await answer.text();
      const fresh = template.content.firstElementChild;
      // Inside of a dialog it is this that keeps it fresh.
      fresh?.removeAttribute("data-poll");
      const shown = body.querySelector("#run");
      if (fresh && shown) morph(shown, fresh);
      else if (fresh) body.replaceChildren(fresh);
      return;
    }
  } catch {
    if (closed.aborted) return;
  }
  // What was read before stays.
  if (!body.querySelector("#run")) body.replaceChildren(paragraph(page, words, "soft"));
}

/** Retry of one file or of all, as the button says. */
async function retry(
  page: Document,
  { body, tell }: Frame,
  button: HTMLButtonElement | null,
  look: () => Promise<void>,
): Promise<void> {
  if (!button || body.querySelector("[aria-busy]")) return;
  button.setAttribute("aria-busy", "true");
  try {
    const what = button.name === "file" ? { files: [button.value] } : { all: true };
    const { retried, job_id } = await send<{ retried: number; job_id: string | null }>("POST /api/sync/retry", what);
    const when = job_id === null ? "with the next run" : "now";
    tell(`${counted(retried, "file")} to be tried again ${when}.`);
  } catch (error) {
    tell(asSentence(sentenceOfError(error)));
  }
  button.removeAttribute("aria-busy");
  await look();
  for (const card of page.querySelectorAll("[data-poll]")) card.dispatchEvent(new Event("refresh"));
  // The button may be gone with what it was for.
  if (!body.contains(page.activeElement))
    body.parentElement?.querySelector<HTMLElement>(".dialog-close button")?.focus();
}
