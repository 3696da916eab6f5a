import type { App } from "../app.ts";
import { AppError } from "../domain/api/errors.ts";
import type { CardId, ProgressUpdate } from "../domain/status/cards.ts";
import { eventStream, type StreamSource } from "../http/listen/event_stream.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json, noContent } from "../http/listen/respond.ts";

const NO_ADDRESS = "No camera address is set yet. Set it on the dashboard, or in the settings under connection.";

/** `GET /api/sync/progress`: the state of the one job. */
export async function progress(
  _visit: RequestContext,
  { job, listed }: Pick<App, "job" | "listed">,
): Promise<Response> {
  // Its recordings are those of this moment, as in every other answer.
  await listed.counts();
  return json(job.snapshot);
}

/** `GET /api/sync/progress/stream`: the same at every change, and which cards say something else since the last frame. */
export async function progressStream(context: RequestContext, app: App): Promise<Response> {
  await app.listed.counts();
  return eventStream(context, app, { event: "progress", source: updatesOf(app) });
}

/** The latest progress; cards are collected until a frame has told of them, since most progress never gets one. */
function updatesOf({ job, cards }: Pick<App, "job" | "cards">): StreamSource {
  const changed = new Set<CardId>();
  return {
    subscribe(hasNews) {
      const stops = [
        cards.subscribe((ids) => {
          for (const id of ids) changed.add(id);
        }),
        job.topic.subscribe(hasNews),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    next() {
      const update: ProgressUpdate = { ...job.snapshot, changed: [...changed] };
      changed.clear();
      return update;
    },
  };
}

/** `POST /api/sync/now`: starts a run. @throws AppError NO_ADDRESS, SYNC_ALREADY_RUNNING */
export function syncNow(_visit: RequestContext, { job, settings }: Pick<App, "job" | "settings">): Response {
  if (settings.current.connection.address === "") throw new AppError("NO_ADDRESS", NO_ADDRESS);
  return json({ job_id: job.start("manual") }, { status: 202 });
}

/** `POST /api/sync/stop`: stops it, at once and keeping what is here. @throws AppError SYNC_NOT_RUNNING */
export function syncStop(_visit: RequestContext, { job }: Pick<App, "job">): Response {
  return json({ job_id: job.stop(), stopping: true }, { status: 202 });
}

/** `GET /api/sync/last`: a job that runs or ended within ten seconds; 204 otherwise. */
export function last(_visit: RequestContext, { job }: Pick<App, "job">): Response {
  return job.snapshot.state === "idle" ? noContent() : json(job.snapshot);
}
