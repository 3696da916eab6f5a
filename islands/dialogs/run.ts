import { retriedInWords } from "../../server/domain/runs/run_causes.ts";
import type { Snapshot } from "../../server/domain/sync/job_progress.ts";
import type { JobRetries } from "../../server/domain/sync/job_schema.ts";
import { sentenceOf } from "../../server/domain/sync/job_text.ts";
import { asSentence } from "../../server/domain/text/format.ts";
import { Refusal, send, sentenceOfError } from "../browser/client.ts";
import { fetchFragment } from "../browser/fragment.ts";
import { morph } from "../browser/morph.ts";
import { ownPath } from "../browser/own_path.ts";
import { refreshWhileVisible } from "../browser/refresh_while_visible.ts";
import { type Frame, openFrame, paragraph } from "./frame.ts";

/** Time between two refreshes of the dialog: files arrive while it is open. */
const EVERY_MS = 3000;

/** The job of the words at the bottom: it tries files again, or has to end before they are. */
interface Awaited {
  readonly job: string;
  readonly isRetry: boolean;
}

/** All that is known of a run, as its page has it, in a dialog. */
export async function showRun(page: Document, link: HTMLAnchorElement): Promise<void> {
  const path = `/hx${ownPath(link, page)}${link.search}`;
  const frame = openFrame(page, link, "run", "Run");
  frame.body.append(paragraph(page, "Fetching what is known of this run.", "soft"));
  let awaited: Awaited | null = null;
  const { refresh, stop } = refreshWhileVisible({
    page,
    everyMs: EVERY_MS,
    async ask(signal) {
      const job = awaited;
      const words = job === null ? null : await endOf(job, frame.closed);
      if (words !== null && awaited === job) {
        awaited = null;
        frame.showStatus(words);
      }
      return await read(page, frame, path, signal);
    },
    show: (fresh) => draw(frame, fresh),
  });
  frame.closed.addEventListener("abort", stop);
  frame.body.addEventListener("submit", (event) => {
    const button = event.submitter as HTMLButtonElement | null;
    // Buttons that start a sync of their own lead to the run's page, which shows the progress.
    if (button?.name === "waiting" || button?.name === "once") return;
    event.preventDefault();
    const asked = retry(page, frame, button, refresh);
    void asked.then((job) => {
      awaited = job ?? awaited;
    });
  });
  // It opens at its title: what went wrong is read before the files.
  await refresh();
}

/** The run as it is now; where nothing of it is shown yet, why not. @throws Refusal */
async function read(page: Document, { body }: Frame, path: string, signal: AbortSignal): Promise<Element | null> {
  try {
    return await fetchFragment({ page, ask: fetch }, path, signal);
  } catch (error) {
    // It has left the history: that is an answer of a service that is there.
    const isGone = error instanceof Refusal && error.details["status"] === 404;
    const gone = isGone ? new Refusal("RUN_NOT_FOUND", "This run is not in the history any more.") : null;
    const words = gone?.message ?? "The details of this run could not be fetched. Trying again.";
    // Details that were read before stay.
    if (!body.querySelector("#run")) body.replaceChildren(paragraph(page, words, "soft"));
    throw gone ?? error;
  }
}

function draw({ body }: Frame, fresh: Element | null): void {
  // The dialog refreshes it.
  fresh?.removeAttribute("data-poll");
  const shown = body.querySelector("#run");
  if (fresh && shown) morph(shown, fresh);
  else if (fresh) body.replaceChildren(fresh);
}

/** Outcome of a job in words; empty when another job has taken its place, null while it runs or does not answer. */
async function endOf({ job, isRetry }: Awaited, closed: AbortSignal): Promise<string | null> {
  try {
    const snapshot = await send<Snapshot>("GET /api/sync/progress", undefined, closed);
    if (snapshot.job_id !== job) return "";
    if (snapshot.state === "running") return null;
    return isRetry ? `Tried again. ${sentenceOf(snapshot)}` : "";
  } catch {
    return null;
  }
}

/** Retries one file or all, by the button's name. @returns the job that tries them, or has to end before */
async function retry(
  page: Document,
  { body, showStatus }: Frame,
  button: HTMLButtonElement | null,
  refresh: () => Promise<void>,
): Promise<Awaited | null> {
  if (!button || body.querySelector("[aria-busy]")) return null;
  button.setAttribute("aria-busy", "true");
  let job: Awaited | null = null;
  try {
    const what = button.name === "all" ? { all: true } : { files: button.value.split(",") };
    const { job_id, ...counts } = await send<JobRetries>("POST /api/sync/retry", what);
    if (job_id !== null) job = { job: job_id, isRetry: true };
    const when = job_id === null ? "with the next run" : "now";
    showStatus(retriedInWords(counts, when));
  } catch (error) {
    const running = error instanceof Refusal ? error.details["current_job_id"] : null;
    if (typeof running === "string") job = { job: running, isRetry: false };
    showStatus(asSentence(sentenceOfError(error)));
  }
  button.removeAttribute("aria-busy");
  await refresh();
  for (const card of page.querySelectorAll("[data-poll]")) card.dispatchEvent(new Event("refresh"));
  // The button may be gone with what it was for.
  if (!body.contains(page.activeElement))
    body.parentElement?.querySelector<HTMLElement>(".dialog-close button")?.focus();
  return job;
}
