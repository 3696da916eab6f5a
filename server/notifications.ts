import { join } from "node:path";
import type { Cameras } from "./cameras.ts";
import type { Clock } from "./clock.ts";
import { MAIN_CAMERA, splitKey } from "./domain/settings/camera_key.ts";
import type { NotifyState } from "./domain/notify/notify_schema.ts";
import type { NotifyTrouble } from "./domain/notify/told_text.ts";
import type { Settings } from "./domain/settings/settings.ts";
import type { PictureParts } from "./engine/notify/event_picture.ts";
import type { LookedAt } from "./engine/notify/look.ts";
import type { Notifier } from "./engine/notify/notifier.ts";
import type { Job } from "./engine/run/job.ts";
import { type Log, messageOf } from "./log.ts";
import type { RunHistory } from "./store/config/run_history.ts";
import type { SettingsFile } from "./store/config/settings_file.ts";
import { VERSION } from "./version.ts";

/** A camera whose runs are followed. */
interface FollowedCamera extends LookedAt, PictureParts {
  readonly job: Pick<Job, "topic" | "snapshot">;
  readonly history: RunHistory;
  readonly segments: LookedAt["segments"];
}

/** Parts that messages are made with. */
export interface NotificationsParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: SettingsFile;
  readonly configDir: string;
  readonly cameras: Pick<Cameras<FollowedCamera>, "all" | "main" | "of" | "nameOf" | "onChange">;
}

/** Follows the runs of all cameras for those who want to be told. Until there is a target, nothing of it is loaded. */
export class Notifications {
  readonly #parts: NotificationsParts;
  #opening: Promise<Notifier> | null = null;
  #opened: Notifier | null = null;
  readonly #followed = new Map<FollowedCamera, () => void>();
  readonly #off: (() => void)[] = [];
  /** Work that was begun after runs. */
  #following: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: NotificationsParts) {
    this.#parts = parts;
  }

  /** Begins to follow. */
  start(): void {
    const { settings, cameras } = this.#parts;
    const begin = (now: Settings) => {
      if (isWanted(now)) this.#later(async () => void (await this.notifier()));
    };
    this.#off.push(
      settings.onChange(begin),
      cameras.onChange(() => this.#follow()),
    );
    this.#follow();
    begin(settings.current);
  }

  /** Results of the last messages; nothing is loaded or written while there are no targets. */
  async state(): Promise<NotifyState> {
    const isUnused = this.#opening === null && !isWanted(this.#parts.settings.current);
    return isUnused ? { targets: [], waiting: 0, ping: null } : (await this.notifier()).state;
  }

  /** The one that tells; opened by the first who asks. */
  notifier(): Promise<Notifier> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Services that messages were given up for, for the dashboard; nothing is loaded for it. */
  get troubles(): readonly NotifyTrouble[] {
    return (this.#opened?.state.targets ?? []).filter(({ lost }) => lost > 0);
  }

  /** Resolves when what runs have led to by now is with those who tell it. */
  settled(): Promise<void> {
    return this.#following;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const off of [...this.#off, ...this.#followed.values()]) off();
    const opened = await this.#opening?.catch(() => null);
    await opened?.close();
    await this.#following;
  }

  async #open(): Promise<Notifier> {
    const { clock, log, settings, cameras, configDir } = this.#parts;
    const [{ Notifier }, { NotifyFile }, { look }, { eventPicture }] = await Promise.all([
      import("./engine/notify/notifier.ts"),
      import("./store/config/notify_file.ts"),
      import("./engine/notify/look.ts"),
      import("./engine/notify/event_picture.ts"),
    ]);
    const notifier = new Notifier({
      clock,
      log,
      settings,
      zone: () => cameras.main.zone,
      file: new NotifyFile(join(configDir, "notify.json"), log),
      version: VERSION,
      userAgent: `Dashdock/${VERSION} (self-hosted dashcam viewer)`,
      look: () => Promise.all(cameras.all.map((app) => look(app, null))),
      nameOf: (id) => (cameras.all.length > 1 ? cameras.nameOf(id).name : null),
      async picture(key) {
        const { camera, bare } = splitKey(key);
        const app = cameras.of(camera ?? MAIN_CAMERA);
        return app && (await eventPicture(app, bare));
      },
    });
    await notifier.open();
    this.#opened = notifier;
    return notifier;
  }

  /** Follows the cameras that are open now. */
  #follow(): void {
    const { cameras } = this.#parts;
    const open = new Set(cameras.all);
    for (const [app, off] of this.#followed)
      if (!open.has(app)) {
        off();
        this.#followed.delete(app);
      }
    for (const app of open) if (!this.#followed.has(app)) this.#followed.set(app, this.#followOne(app));
  }

  #followOne(app: FollowedCamera): () => void {
    let known = app.job.snapshot.job_id;
    return app.job.topic.subscribe(({ job_id, state }) => {
      if ((state !== "completed" && state !== "failed") || job_id === known) return;
      known = job_id;
      if (isWanted(this.#parts.settings.current)) this.#later(() => this.#afterRun(app));
    });
  }

  async #afterRun(app: FollowedCamera): Promise<void> {
    const { look, endedRun } = await import("./engine/notify/look.ts");
    const latest = app.history.latest();
    if (latest === null) return;
    const run = await endedRun(latest, app);
    const notifier = await this.notifier();
    await Promise.all([notifier.ping(run.ending === "failed"), look(app, run).then((facts) => notifier.note(facts))]);
  }

  /** Does it after everything that is under way: no run waits for it. */
  #later(work: () => Promise<void>): void {
    this.#following = this.#following
      .then(() => new Promise((resolve) => setImmediate(resolve)))
      .then(() => (this.#isClosed ? undefined : work()))
      .catch((error: unknown) => {
        this.#parts.log.warning("notify", `Nothing could be told: ${messageOf(error)}`);
      });
  }
}

function isWanted({ notify }: Settings): boolean {
  return notify.targets.length > 0 || notify.ping_url !== null;
}
