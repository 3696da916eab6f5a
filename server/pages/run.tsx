/** @jsxImportSource preact */
import * as v from "valibot";
import { Icon } from "../../islands/parts/icon.tsx";
import { More } from "../../islands/parts/more.tsx";
import { Note } from "../../islands/parts/note.tsx";
import { Whose } from "../../islands/parts/plate.tsx";
import { State } from "../../islands/parts/state.tsx";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { groupOf } from "../domain/recordings/recording_name.ts";
import type { Run } from "../domain/runs/run.ts";
import { retriedInWords } from "../domain/runs/run_causes.ts";
import type { FailedList, RunCause, RunDetail } from "../domain/runs/run_detail.ts";
import { readRunId, runPath } from "../domain/runs/run_id.ts";
import { withCamera } from "../domain/settings/camera_address.ts";
import { counted } from "../domain/text/format.ts";
import { isFileName, retry } from "../engine/status/failed_files.ts";
import { runDetail } from "../engine/status/run_detail.ts";
import { csrfToken } from "../http/auth/csrf.ts";
import { readForm, readQuery } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html, redirect } from "../http/request/respond.ts";
import { Document, PageFoot, page, part } from "./document.tsx";
import { FailedFiles, SHOWN } from "./failed_files.tsx";
import { FORM_ID, type LaterRun, RunActions } from "./run_action.tsx";
import { type AroundRun, aroundRun, bringOnce, startNow, startOf } from "./run_around.ts";
import { Brought } from "./run_brought.tsx";
import { Cause, missingOf, RunBar, RunReadings, SpaceLinks } from "./run_parts.tsx";
import { RunTimes } from "./run_times.tsx";

const EVERY_SECONDS = 5;
/** With all files, of which a thousand are half a megabyte. */
const WHOLE_SECONDS = 60;

const ASKED = v.object({
  files: v.fallback(v.nullable(v.literal("all")), null),
  coming: v.fallback(v.nullable(v.pipe(v.string(), v.regex(/^([0-9]{1,6}|no-address|unsaved)$/))), null),
  retried: v.fallback(v.nullable(v.pipe(v.string(), v.regex(/^([0-9]{1,6}|later)$/))), null),
  recordings: v.fallback(v.pipe(v.string(), v.regex(/^[0-9]{1,6}$/), v.transform(Number)), 0),
});

const NAMES = v.nullable(
  v.pipe(
    v.string(),
    v.transform((text) => text.split(",").filter(isFileName)),
  ),
);
const PRESSED = v.nullable(v.string());
const SENT = v.object({ file: NAMES, files: NAMES, all: PRESSED, waiting: PRESSED, once: PRESSED });

/** `GET /stats/runs/:id`: all that is known of a run, with the files that failed as they stand now. */
export async function runPage(context: RequestContext, app: App): Promise<Response> {
  const detail = await detailOf(context, app);
  return html(
    page(
      <Document context={context} app={app} title="Run" path="/stats">
        <RunNav app={app} detail={detail} />
        <RetriedNote context={context} />
        <RunSection context={context} app={app} detail={detail} around={await aroundRun(app, detail)} />
        <PageFoot app={app} />
      </Document>,
    ),
  );
}

/** `GET /hx/stats/runs/:id`: the same as it is now, for the page and for a dialog. */
export async function runFragment(context: RequestContext, app: App): Promise<Response> {
  const detail = await detailOf(context, app);
  const around = await aroundRun(app, detail);
  return html(part(app, <RunSection context={context} app={app} detail={detail} around={around} />, context));
}

/** `POST /stats/runs/:id`: Retry without script, what waits, or what is left out; back to the page, which shows the result. */
export async function retryFromPage(context: RequestContext, app: App): Promise<Response> {
  const detail = await detailOf(context, app);
  const { id } = detail;
  const sent = await readForm(context, SENT);
  const files = sent.file ?? sent.files ?? [];
  const back = (query: string) => redirect(withCamera(`/stats/runs/${id}?${query}`, context.camera), { status: 303 });
  try {
    if (sent.waiting !== null) return back(await startNow(app, detail.work?.waiting ?? 0));
    if (sent.once !== null) return back(await bringOnce(app, detail, sent.once));
    if (files.length === 0 && sent.all === null) return back("retried=0");
    const { retried, recordings } = await retry(app, files.length > 0 ? { files } : { all: true });
    return back(`retried=${retried}&recordings=${recordings}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return back(error.code === "SYNC_ALREADY_RUNNING" ? "retried=later" : "retried=0");
  }
}

/** @throws AppError NOT_FOUND */
async function detailOf(context: RequestContext, app: App): Promise<RunDetail> {
  const id = readRunId(context.params["id"] ?? "");
  const most = readQuery(context, ASKED).files === "all" ? undefined : SHOWN;
  const detail = id === null ? null : await runDetail(app, id, most);
  if (detail === null) throw new AppError("NOT_FOUND", "This run is not in the history, or not any more");
  return detail;
}

/** The way to all runs, and to those right before and after. */
function RunNav({ app: { history, zone }, detail: { id } }: { readonly app: App; readonly detail: RunDetail }) {
  const { before, after } = history.beside({ ts: Number(id) / 1000 });
  const clock = ({ ts, durationSeconds }: Run) => zone.clock((ts - durationSeconds) * 1000);
  return (
    <nav class="run-nav" aria-label="Runs">
      <a class="back" href="/stats#runs">
        <Icon name="i-left" />
        All runs
      </a>
      {before && (
        <a href={runPath(before)} aria-label={`The run before, ${clock(before)}`}>
          <Icon name="i-left" />
          {clock(before)}
        </a>
      )}
      {after && (
        <a href={runPath(after)} aria-label={`The run after, ${clock(after)}`}>
          {clock(after)}
          <Icon name="i-right" />
        </a>
      )}
    </nav>
  );
}

function RetriedNote({ context }: { readonly context: RequestContext }) {
  const { coming, retried: text, recordings } = readQuery(context, ASKED);
  if (coming !== null) return <ComingNote coming={coming} />;
  if (text === null) return null;
  if (text === "later")
    return <Note level="waiting" role="status" title="A sync is running already; the next one tries them again." />;
  const retried = Number(text);
  const title = retried === 0 ? "Nothing waits to be tried again." : retriedInWords({ recordings, retried }, "now");
  return <Note level={retried === 0 ? "waiting" : "busy"} role="status" title={title} />;
}

function ComingNote({ coming }: { readonly coming: string }) {
  if (coming === "no-address")
    return <Note level="attention" role="status" title="No camera address is set. The next sync needs one." />;
  if (coming === "unsaved")
    return <Note level="attention" role="status" title="This could not be saved. The log has the cause." />;
  const count = Number(coming);
  return (
    <Note level="busy" role="status" title={`${counted(count, "recording")} ${count === 1 ? "comes" : "come"} now.`} />
  );
}

/** Says whose run it is; nothing where there is one camera. */
function WhoseRun({ app: { camera, cameras } }: { readonly app: App }) {
  if (cameras.all.length < 2) return null;
  const place = cameras.all.findIndex((one) => one.camera.id === camera.id);
  return (
    <>
      {" "}
      <Whose camera={{ ...camera, place }} />
    </>
  );
}

interface RunSectionProps {
  readonly context: RequestContext;
  readonly app: App;
  readonly detail: RunDetail;
  readonly around: AroundRun;
}

function RunSection({ context, app, detail, around }: RunSectionProps) {
  const { zone } = app;
  const now = app.clock.now();
  const { failed, waiting, mood, started_at: started } = detail;
  const path = `/stats/runs/${detail.id}`;
  const isWhole = readQuery(context, ASKED).files === "all";
  const poll = `/hx${path}${isWhole ? "?files=all" : ""}`;
  const later = around.later && { href: runPath(around.later), began: zone.clock(startOf(around.later)) };
  const shown = { all: `${path}?files=all`, zone, now };
  const rowsOf = ({ total, by_cause }: FailedList) => (total === 0 ? 0 : Math.max(1, by_cause.length));
  const rows = rowsOf(failed) + rowsOf(waiting) + detail.causes.length;
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
          <WhoseRun app={app} />
        </h2>
        <State level={mood} word={detail.outcome} />
      </div>
      <div class={`run-why is-${mood}`}>
        <Icon name={`s-${mood}`} />
        <p class="run-sentence">{detail.sentence}</p>
        <Why
          detail={detail}
          later={later}
          isSyncing={app.job.isRunning}
          when={`${zone.clockSpan(started, detail.ended_at)} ${zone.name(started)}.`}
        />
      </div>
      {detail.work && <RunBar work={detail.work} />}
      <RunReadings detail={detail} needed={around.space?.needed ?? null} />
      {rows > 0 && (
        <form method="post" action={path} id={FORM_ID} data-retry>
          <input type="hidden" name="csrf_token" value={csrfToken(context, app)} />
          <div class="section-head">
            <h3>Not downloaded{detail.work && `: ${counted(missingOf(detail.work), "recording")}`}</h3>
            <span class="small quiet">{counted(rows, "cause")}</span>
          </div>
          <ul class="causes">
            <FailedFiles id="failed-files" what="failed" list={failed} {...shown} />
            <FailedFiles id="waiting-files" what="waiting after an earlier failure" list={waiting} {...shown} />
            {detail.causes.map((cause) => (
              <Cause
                key={cause.cause}
                cause={cause}
                thisYear={zone.wall(now).year}
                format={zone.format}
                once={isLeftOut(cause) ? cause.names.filter((name) => around.once.has(groupOf(name))).length : 0}
                later={later}
              />
            ))}
          </ul>
        </form>
      )}
      {around.space && <SpaceLinks app={app} space={around.space} />}
      {detail.brought && (
        <Brought
          brought={detail.brought}
          clips={around.clips}
          isFolderUnknown={around.isFolderUnknown}
          thisYear={zone.wall(now).year}
          format={zone.format}
        />
      )}
      <RunTimes detail={detail} after={around.after} zone={zone} />
    </section>
  );
}

function isLeftOut({ cause }: RunCause): boolean {
  return cause === "retention" || cause === "selection";
}

interface WhyProps {
  readonly detail: RunDetail;
  /** From when to when it ran, as the end of a sentence. */
  readonly when: string;
  readonly later: LaterRun | null;
  readonly isSyncing: boolean;
}

const BEGAN: Readonly<Record<NonNullable<RunDetail["trigger"]>, string>> = {
  schedule: "Started by the schedule,",
  arrival: "Started as the camera came,",
  first: "Started with the first start,",
  hand: "Started by hand,",
  retry: "Started to try files again,",
  command: "Started on the command line,",
};

/** When it ran, what is to be done about what went wrong, and the rest behind it. */
function Why({ detail, when, later, isSyncing }: WhyProps) {
  const { failure, trigger } = detail;
  const began = trigger === null ? "Ran from" : BEGAN[trigger];
  return (
    <div class="run-rest">
      <p class="soft">
        {began} {when} {failure?.hint}
      </p>
      {failure && <More text={failure.more} />}
      <RunActions detail={detail} later={later} isSyncing={isSyncing} />
    </div>
  );
}
