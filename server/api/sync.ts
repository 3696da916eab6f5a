import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { MAIN_CAMERA } from "../domain/settings/camera_key.ts";
import type { Rewrite } from "../domain/settings/keys_in_answers.ts";
import { CARD_IDS, type CardId } from "../domain/status/card_ids.ts";
import type { ProgressUpdate } from "../domain/status/status_schema.ts";
import { JOB_STARTED, JOB_STOPPING, SNAPSHOT } from "../domain/sync/job_schema.ts";
import { QUEUE } from "../domain/sync/queue_schema.ts";
import { eventStream, SeveralFrames, type StreamSource } from "../http/listen/event_stream.ts";
import { json, noContent } from "../http/request/respond.ts";
import { asksForAll } from "./cameras_asked.ts";
import { endpoint, eventsOf, limit, responseEndpoint } from "./endpoint.ts";

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
  description:
    "At most five a second; the last state and every changed card always arrive. With `?camera=all` the events of all cameras come, five a second each, and each says whose it is.",
  takesAll: true,
  answers: eventsOf("progress", "ProgressUpdate"),
  errors: ["TOO_MANY_STREAMS"],
  async respond({ context }, app: App) {
    if (asksForAll(context)) {
      await Promise.all(app.cameras.all.map(({ listed }) => listed.counts()));
      const source = updatesOfAll(app.cameras, await rewriteOfUpdates());
      return eventStream(context, app, { event: "progress", source });
    }
    await app.listed.counts();
    const isMain = app.camera.id === MAIN_CAMERA;
    const source = isMain ? updatesOf(app) : keyedUpdatesOf(app, await rewriteOfUpdates());
    return eventStream(context, app, { event: "progress", source });
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

/** Function that puts the keys and the id of a camera into its updates; loaded for several cameras only. */
async function rewriteOfUpdates(): Promise<Rewrite> {
  const [{ cameraRewriteOf }, { PROGRESS_UPDATE }] = await Promise.all([
    import("../domain/settings/keys_in_answers.ts"),
    import("../domain/status/status_schema.ts"),
  ]);
  const rewrite = cameraRewriteOf(PROGRESS_UPDATE);
  if (rewrite === null) throw new Error("the progress says whose it is");
  return rewrite;
}

/** The latest progress of a camera, with whose it is. */
function keyedUpdatesOf(app: App, rewrite: Rewrite): StreamSource {
  const source = updatesOf(app);
  return { subscribe: source.subscribe, next: () => rewrite(source.next(), app.camera.id) };
}

interface FollowedCamera {
  readonly source: StreamSource;
  hasNews: boolean;
  /** True: all that is shown of the cameras is to be fetched again. */
  isChanged: boolean;
  readonly stop: () => void;
}

/**
 * The latest progress of each camera that has news. Cameras that are added or taken away meanwhile are followed: with one
 * that is new all its cards have changed, and with one that is gone those of the first camera.
 */
function updatesOfAll(cameras: App["cameras"], rewrite: Rewrite): StreamSource {
  const followed = new Map<string, FollowedCamera>();
  return {
    subscribe(hasNews) {
      const follow = (app: App, isChanged: boolean) => {
        const source = keyedUpdatesOf(app, rewrite);
        const stop = source.subscribe(() => {
          one.hasNews = true;
          hasNews();
        });
        const one: FollowedCamera = { source, stop, hasNews: true, isChanged };
        followed.set(app.camera.id, one);
      };
      for (const app of cameras.all) follow(app, false);
      const offChanges = cameras.onChange(() => {
        const open = new Map(cameras.all.map((app) => [app.camera.id, app]));
        for (const [id, one] of followed) {
          if (open.has(id)) continue;
          one.stop();
          followed.delete(id);
          const main = followed.get(MAIN_CAMERA);
          if (main) Object.assign(main, { hasNews: true, isChanged: true });
        }
        for (const [id, app] of open) if (!followed.has(id)) follow(app, true);
        hasNews();
      });
      return () => {
        offChanges();
        for (const { stop } of followed.values()) stop();
      };
    },
    next() {
      const updates: unknown[] = [];
      for (const one of followed.values()) {
        if (!one.hasNews) continue;
        const update = one.source.next() as ProgressUpdate;
        updates.push(one.isChanged ? { ...update, changed: CARD_IDS } : update);
        Object.assign(one, { hasNews: false, isChanged: false });
      }
      return new SeveralFrames(updates);
    },
  };
}

export const queue = endpoint({
  summary: "The recordings that are to come home, in the order in which they come, and why",
  query: v.object({ limit: limit(100, 1000) }),
  shape: QUEUE,
  returns: "The next ones",
  async answer({ query }, { listed, queue, sizes }: Pick<App, "listed" | "queue" | "sizes">) {
    await listed.counts();
    return { items: [...(await queue()).items(await (await sizes()).current()).take(query.limit)] };
  },
});

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
