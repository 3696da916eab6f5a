import type { Cameras } from "./cameras.ts";
import type { Clock } from "./clock.ts";
import type { Command } from "./domain/mqtt/entities.ts";
import type { MqttState } from "./domain/mqtt/mqtt_schema.ts";
import { NOT_PUBLISHED } from "./domain/mqtt/not_published.ts";
import type { NamedCamera } from "./domain/settings/more_cameras.ts";
import { addressForOthers } from "./domain/settings/public_address.ts";
import type { Settings } from "./domain/settings/settings.ts";
import { type PublishedCamera, Publisher } from "./engine/mqtt/publisher.ts";
import { endedRun, type LookedAt } from "./engine/notify/look.ts";
import type { Job } from "./engine/run/job.ts";
import { type Log, messageOf } from "./log.ts";
import { installationId } from "./store/config/installation_id.ts";
import type { RunHistory } from "./store/config/run_history.ts";
import type { SettingsFile } from "./store/config/settings_file.ts";
import { VERSION } from "./version.ts";

/** A camera that is published and takes orders. */
type Orderly = PublishedCamera & {
  readonly camera: NamedCamera;
  readonly settings: Pick<SettingsFile, "update"> & PublishedCamera["settings"];
  readonly job: Pick<Job, "start" | "isRunning"> & PublishedCamera["job"];
  readonly history: RunHistory;
  readonly segments: LookedAt["segments"];
  readonly placeNames: LookedAt["placeNames"];
};

export interface PublishedCamerasParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: SettingsFile;
  readonly configDir: string;
  readonly cameras: Pick<Cameras<Orderly>, "all" | "file" | "onChange">;
}

/** The cameras as they are published for Home Assistant, at the broker that is set. */
export class PublishedCameras {
  readonly #parts: PublishedCamerasParts;
  #publisher: Publisher | null = null;
  /** Reason why there is none although a broker is set, and since when there is none. */
  #problem: string | null = null;
  #since: string | null = null;
  /** Beginnings and ends of connections, one after the other. */
  #turn: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();
  readonly #off: (() => void)[] = [];
  readonly #followed = new Map<Orderly, () => void>();

  constructor(parts: PublishedCamerasParts) {
    this.#parts = parts;
  }

  /** Connects where a broker is set, and from then on whenever one is. @param isKnown the devices may be at the broker already */
  start(isKnown: boolean): void {
    const { settings, cameras } = this.#parts;
    this.#off.push(
      settings.onChange((now, before) => this.#changed(now, before)),
      cameras.file.onCamerasChange(() => {
        this.#publisher?.follow();
        this.#publisher?.refresh();
      }),
      cameras.onChange(() => this.#follow()),
    );
    this.#follow();
    const { mqtt } = settings.current;
    if (mqtt.url !== null) this.#later(() => this.#open(mqtt, isKnown));
  }

  get state(): MqttState {
    if (this.#publisher !== null) return this.#publisher.state;
    if (this.#since === null || this.#parts.settings.current.mqtt.url === null) return NOT_PUBLISHED;
    const state = this.#problem === null ? "connecting" : "failed";
    return { ...NOT_PUBLISHED, state, since: this.#since, problem: this.#problem };
  }

  /** Resolves when what has happened by now is with the broker. */
  async settled(): Promise<void> {
    await this.#turn;
    await this.#publisher?.settled();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const off of [...this.#off, ...this.#followed.values()]) off();
    await this.#turn;
    await this.#publisher?.close();
  }

  #changed(now: Settings, before: Settings): void {
    if (now.web.public_url !== before.web.public_url) this.#publisher?.refresh();
    if (now.mqtt === before.mqtt) return;
    const { mqtt } = now;
    const isElsewhere =
      mqtt.url !== before.mqtt.url ||
      mqtt.topic_prefix !== before.mqtt.topic_prefix ||
      mqtt.discovery_prefix !== before.mqtt.discovery_prefix;
    const isOther =
      isElsewhere ||
      mqtt.username !== before.mqtt.username ||
      mqtt.password !== before.mqtt.password ||
      mqtt.ca_file !== before.mqtt.ca_file;
    if (!isOther) return;
    this.#later(async () => {
      const old = this.#publisher;
      this.#publisher = null;
      if (isElsewhere) await old?.remove(this.#closing.signal);
      else await old?.close();
      if (mqtt.url !== null && !this.#closing.signal.aborted) await this.#open(mqtt, !isElsewhere);
    });
  }

  /** @param isKnown the devices may be at the broker already */
  async #open(mqtt: Settings["mqtt"], isKnown: boolean): Promise<void> {
    const { clock, log, settings, cameras, configDir } = this.#parts;
    const publisher = new Publisher({
      clock,
      log,
      settings: mqtt,
      page: () => addressForOthers(settings.current),
      version: VERSION,
      installation: await installationId(configDir),
      cameras: () => cameras.all,
      ids: () => cameras.file.cameras.cameras.map(({ id }) => id),
      isKnown,
      obey: (camera, command) => obey(cameras.all.find((one) => one === camera) ?? null, command),
      random: Math.random,
    });
    this.#publisher = publisher;
    publisher.start();
  }

  #later(work: () => Promise<void>): void {
    const { clock, log } = this.#parts;
    this.#since = new Date(clock.now()).toISOString();
    this.#problem = null;
    this.#turn = this.#turn
      .then(() => new Promise((resolve) => setImmediate(resolve)))
      .then(() => (this.#closing.signal.aborted ? undefined : work()))
      .catch((error: unknown) => {
        this.#problem = `Nothing can be published: ${messageOf(error)}.`;
        log.warning("mqtt", `Nothing can be published: ${messageOf(error)}`);
      });
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
    this.#publisher?.follow();
  }

  #followOne(app: Orderly): () => void {
    let known = app.job.snapshot.job_id;
    return app.job.topic.subscribe(({ job_id, state }) => {
      if ((state !== "completed" && state !== "failed") || job_id === known) return;
      known = job_id;
      if (this.#publisher !== null) this.#later(() => this.#afterRun(app));
    });
  }

  async #afterRun(app: Orderly): Promise<void> {
    try {
      const latest = app.history.latest();
      if (latest !== null) this.#publisher?.runEnded(app, await endedRun(latest, app));
    } catch (error) {
      this.#parts.log.warning("mqtt", `The events of a run could not be published: ${messageOf(error)}`);
    }
  }
}

/** Does what a button or a switch asks for. */
async function obey(camera: Orderly | null, command: Command): Promise<void> {
  if (camera === null) return;
  const { job, settings } = camera;
  if (command === "sync") {
    if (settings.current.connection.address === "") throw new Error("no camera address is set yet");
    if (!job.isRunning) job.start("manual");
    return;
  }
  const paused = command === "pause";
  if (settings.current.schedule.paused !== paused)
    await settings.update((latest) => ({ ...latest, schedule: { ...latest.schedule, paused } }));
}
