/** @jsxImportSource preact */
import { renderToString } from "preact-render-to-string";
import { ActionLink } from "../../islands/parts/action_link.tsx";
import { Figure } from "../../islands/parts/figure.tsx";
import { More } from "../../islands/parts/more.tsx";
import { Note } from "../../islands/parts/note.tsx";
import { Reading } from "../../islands/parts/reading.tsx";
import { State } from "../../islands/parts/state.tsx";
import type { App } from "../app.ts";
import { AppError } from "../domain/api/errors.ts";
import type { NotBrought, RunDetail } from "../domain/runs/run_detail.ts";
import { readRunId } from "../domain/runs/run_id.ts";
import { tookInWords } from "../domain/runs/run_text.ts";
import { counted, formatBytes, formatCount, formatRate } from "../domain/text/format.ts";
import { isFileName, retry } from "../engine/status/failed_files.ts";
import { runDetail } from "../engine/status/run_detail.ts";
import { csrfToken } from "../http/auth/csrf.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { html, redirect } from "../http/listen/respond.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { FailedFiles, SHOWN } from "./failed_files.tsx";

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
  const file = form.get("file");
  const back = (query: string) => redirect(`/stats/runs/${id}?${query}`, { status: 303 });
  try {
    if (!isFileName(file) && !form.has("all")) return back("retried=0");
    const { retried } = await retry(app, isFileName(file) ? { files: [file] } : { all: true });
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
  const { failure, failed, waiting } = detail;
  const path = `/stats/runs/${detail.id}`;
  const isWhole = context.url.searchParams.get("files") === "all";
  const poll = `/hx${path}${isWhole ? "?files=all" : ""}`;
  const started = detail.started_at;
  const shown = { all: `${path}?files=all`, zone, now };
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
          <time datetime={new Date(detail.started_at).toISOString()} title={zone.whole(started)}>
            Run of {zone.moment(started, now)} {zone.name(started)}
          </time>
        </h2>
        <State level={detail.mood} word={detail.outcome} />
      </div>
      {failure && (
        <div class="run-why">
          <p class="strong">{failure.sentence}</p>
          {failure.hint && <p class="soft">{failure.hint}</p>}
          <More text={failure.more} />
          {failure.action && failure.action.kind !== "show-files" && (
            <p class="row">
              <ActionLink action={failure.action} />
            </p>
          )}
        </div>
      )}
      <RunReadings detail={detail} />
      <LeftOutList detail={detail} />
      <form method="post" action={path} data-retry>
        <input type="hidden" name="csrf_token" value={csrfToken(context, app)} />
        <FailedFiles id="failed-files" title="Files that failed" list={failed} {...shown} />
        <FailedFiles id="waiting-files" title="Waiting after an earlier failure" list={waiting} {...shown} />
      </form>
    </section>
  );
}

function RunReadings({ detail }: { readonly detail: RunDetail }) {
  const { recordings, files, bytes, duration_seconds: took, listed, chosen, dry_run, deleted } = detail;
  return (
    <dl class="readings run-readings">
      {recordings !== null && (
        <Reading name={dry_run ? "Recordings that would come" : "Recordings brought"}>
          {formatCount(recordings)}
        </Reading>
      )}
      {!dry_run && <Reading name="Files brought">{formatCount(files)}</Reading>}
      {!dry_run && (
        <Reading name="Size">
          <Figure text={formatBytes(bytes)} />
        </Reading>
      )}
      <Reading name="Took">
        {tookInWords(took)} {bytes > 0 && took > 0 && <small>{formatRate(bytes / took)}</small>}
      </Reading>
      {listed > 0 && (
        <Reading name="On the camera">
          {formatCount(listed)} <small>{counted(listed, "recording").replace(/^\S+\s/, "")}</small>
        </Reading>
      )}
      {listed > 0 && <Reading name="Chosen">{formatCount(chosen)}</Reading>}
      {deleted && (
        <Reading name="Deleted here">
          {formatCount(deleted.recordings)} <small>{formatBytes(deleted.bytes)}</small>
        </Reading>
      )}
    </dl>
  );
}

function LeftOutList({ detail: { not_brought } }: { readonly detail: RunDetail }) {
  if (not_brought.length === 0) return null;
  return (
    <>
      <h3>Not brought home</h3>
      <dl class="facts">
        {not_brought.map((rule: NotBrought) => [
          <dt key={rule.rule} class="n">
            {counted(rule.count, rule.of === "files" ? "file" : "recording")}
          </dt>,
          <dd key={`${rule.rule}-words`}>{rule.words}</dd>,
        ])}
      </dl>
    </>
  );
}
