/** @jsxImportSource preact */
import { renderToString } from "preact-render-to-string";
import { ActionLink } from "../../islands/parts/action_link.tsx";
import { Icon } from "../../islands/parts/icon.tsx";
import { More } from "../../islands/parts/more.tsx";
import { Note } from "../../islands/parts/note.tsx";
import { State } from "../../islands/parts/state.tsx";
import type { App } from "../app.ts";
import { AppError } from "../domain/api/errors.ts";
import type { RunDetail } from "../domain/runs/run_detail.ts";
import { readRunId } from "../domain/runs/run_id.ts";
import { counted } from "../domain/text/format.ts";
import { isFileName, retry } from "../engine/status/failed_files.ts";
import { runDetail } from "../engine/status/run_detail.ts";
import { csrfToken } from "../http/auth/csrf.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { html, redirect } from "../http/listen/respond.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { FailedFiles, SHOWN } from "./failed_files.tsx";
import { Cause, RunBar, RunFacts, RunReadings } from "./run_parts.tsx";

const EVERY_SECONDS = 5;
/** With all files, of which a thousand are half a megabyte. */
const WHOLE_SECONDS = 60;

/** `GET /stats/runs/:id`: all that is known of a run, with the files that failed as they stand now. */
export async function runPage(context: RequestContext, app: App): Promise<Response> {
  const detail = await detailOf(context, app);
  return html(
    page(
      <Document context={context} app={app} title="Run" path="/stats">
        <p class="run-back">
          <a href="/stats#runs">All runs</a>
        </p>
        <RetriedNote context={context} />
        <RunSection context={context} app={app} detail={detail} />
        <PageFoot app={app} />
      </Document>,
    ),
  );
}

/** `GET /hx/stats/runs/:id`: the same as it is now, for the page and for a dialog. */
export async function runFragment(context: RequestContext, app: App): Promise<Response> {
  return html(renderToString(<RunSection context={context} app={app} detail={await detailOf(context, app)} />));
}

/** `POST /stats/runs/:id`: Retry without script, one file or all; back to the page, which shows the result. */
export async function retryFromPage(context: RequestContext, app: App): Promise<Response> {
  const { id } = await detailOf(context, app);
  const form = await context.form();
  const sent = form.get("file") ?? form.get("files");
  const files = typeof sent === "string" ? sent.split(",").filter(isFileName) : [];
  const back = (query: string) => redirect(`/stats/runs/${id}?${query}`, { status: 303 });
  try {
    if (files.length === 0 && !form.has("all")) return back("retried=0");
    const { retried } = await retry(app, files.length > 0 ? { files } : { all: true });
    return back(`retried=${retried}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return back(error.code === "SYNC_ALREADY_RUNNING" ? "retried=later" : "retried=0");
  }
}

/** @throws AppError NOT_FOUND */
async function detailOf(context: RequestContext, app: App): Promise<RunDetail> {
  const id = readRunId(context.params["id"] ?? "");
  const most = context.url.searchParams.get("files") === "all" ? undefined : SHOWN;
  const detail = id === null ? null : await runDetail(app, id, most);
  if (detail === null) throw new AppError("NOT_FOUND", "This run is not in the history, or not any more");
  return detail;
}

function RetriedNote({ context }: { readonly context: RequestContext }) {
  const text = context.url.searchParams.get("retried");
  if (text === null || !/^([0-9]{1,6}|later)$/.test(text)) return null;
  if (text === "later")
    return <Note level="waiting" role="status" title="A sync is running already; the next one tries them again." />;
  const title =
    text === "0" ? "Nothing waits to be tried again." : `${counted(Number(text), "file")} to be tried again now.`;
  return <Note level={text === "0" ? "waiting" : "busy"} role="status" title={title} />;
}

interface RunSectionProps {
  readonly context: RequestContext;
  readonly app: App;
  readonly detail: RunDetail;
}

function RunSection({ context, app, detail }: RunSectionProps) {
  const { zone } = app;
  const now = app.clock.now();
  const { failed, waiting, mood, started_at: started } = detail;
  const path = `/stats/runs/${detail.id}`;
  const isWhole = context.url.searchParams.get("files") === "all";
  const poll = `/hx${path}${isWhole ? "?files=all" : ""}`;
  const shown = { all: `${path}?files=all`, zone, now };
  const isAllHere = failed.total + waiting.total + detail.causes.length === 0;
  return (
    <section
      class="run"
      id="run"
      aria-labelledby="run-title"
      data-poll={poll}
      data-every={isWhole ? WHOLE_SECONDS : EVERY_SECONDS}
    >
      <div class="section-head">
        <h2 id="run-title">
          <time datetime={new Date(started).toISOString()} title={zone.whole(started)}>
            Run of {zone.moment(started, now)} {zone.name(started)}
          </time>
        </h2>
        <State level={mood} word={detail.outcome} />
      </div>
      <div class={`run-why is-${mood}`}>
        <Icon name={`s-${mood}`} />
        <p class="run-sentence">{detail.sentence}</p>
        <Why detail={detail} />
      </div>
      {detail.work && <RunBar work={detail.work} />}
      <RunReadings detail={detail} />
      {!isAllHere && (
        <form method="post" action={path} data-retry>
          <input type="hidden" name="csrf_token" value={csrfToken(context, app)} />
          <h3>Not downloaded</h3>
          <ul class="causes">
            <FailedFiles id="failed-files" what="failed" list={failed} {...shown} />
            <FailedFiles id="waiting-files" what="waiting after an earlier failure" list={waiting} {...shown} />
            {detail.causes.map((cause) => (
              <Cause key={cause.cause} cause={cause} />
            ))}
          </ul>
        </form>
      )}
      <h3>Details</h3>
      <RunFacts detail={detail} zone={zone} />
    </section>
  );
}

/** What went wrong, what is to be done about it, and the rest behind it. */
function Why({ detail: { failure, started_at, mood } }: { readonly detail: RunDetail }) {
  const isPlain = mood === "fine" || mood === "waiting";
  return (
    <div class="run-rest">
      {failure && (
        <p class="soft">
          {/* What failed of a run that went through is told by its causes. */}
          {mood === "failed" && `${failure.sentence} `}
          {failure.hint}
        </p>
      )}
      {failure && <More text={failure.more} />}
      <p class="row">
        {failure?.action && failure.action.kind !== "show-files" && <ActionLink action={failure.action} />}
        {!isPlain && (
          <a class="b" href={`/logs?at=${started_at}`}>
            Log of this run
          </a>
        )}
      </p>
    </div>
  );
}
