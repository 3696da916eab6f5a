import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import type { CardId } from "../domain/status/card_ids.ts";
import type { ProgressUpdate } from "../domain/status/status_schema.ts";
import { JOB_STARTED, JOB_STOPPING, SNAPSHOT } from "../domain/sync/job_schema.ts";
import { eventStream, type StreamSource } from "../http/listen/event_stream.ts";
import { json, noContent } from "../http/request/respond.ts";
import { endpoint, eventsOf, responseEndpoint } from "./endpoint.ts";

const NO_ADDRESS = "No camera address is set yet. Set it on the dashboard, or in the settings under connection.";

export const progress = endpoint({
  summary: "The state of the one job",
  shape: SNAPSHOT,
  returns: "The state",
  async answer(_context, { job, listed }: Pick<App, "job" | "listed">) {
    // The job takes its counts of recordings from the last ones made.
    await listed.counts();
    return job.snapshot;
  },
});

export const progressStream = responseEndpoint({
  summary: "The state of the job at every change",
  description: "At most five a second; the last state and every changed card always arrive.",
  answers: eventsOf("progress", "ProgressUpdate"),
  errors: ["TOO_MANY_STREAMS"],
  async respond({ context }, app: App) {
    await app.listed.counts();
    return eventStream(context, app, { event: "progress", source: updatesOf(app) });
  },
});

/** The latest progress. Changed cards are collected until a frame names them, since most changes get no frame. */
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

export const syncNow = endpoint({
  summary: "Starts a sync",
  status: 202,
  shape: JOB_STARTED,
  returns: "It begins",
  errors: ["NO_ADDRESS", "SYNC_ALREADY_RUNNING"],
  answer(_context, { job, settings }: Pick<App, "job" | "settings">) {
    if (settings.current.connection.address === "") throw new AppError("NO_ADDRESS", NO_ADDRESS);
    return { job_id: job.start("manual") };
  },
  all: (answers) => ({ jobs: answers.map(({ camera, answer }) => ({ camera, ...answer })) }),
});

export const syncStop = endpoint({
  summary: "Stops the sync at once, keeping what is here",
  status: 202,
  shape: JOB_STOPPING,
  returns: "It ends",
  errors: ["SYNC_NOT_RUNNING"],
  answer(_context, { job }: Pick<App, "job">) {
    return { job_id: job.stop(), stopping: true } as const;
  },
  all: (answers) => ({ jobs: answers.map(({ camera, answer }) => ({ camera, ...answer })) }),
});

export const last = responseEndpoint({
  summary: "The job that runs or ended within ten seconds",
  answers: { 200: { description: "The state", schema: SNAPSHOT }, 204: { description: "There is none" } },
  respond: (_asked, { job }: Pick<App, "job">) => (job.snapshot.state === "idle" ? noContent() : json(job.snapshot)),
});
