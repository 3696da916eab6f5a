import { type Clock, within } from "../../clock.ts";
import { type Command, COMMANDS, deviceConfig, ENTITY_NAMES, OFFLINE, ONLINE } from "../../domain/mqtt/entities.ts";
import type { MqttState } from "../../domain/mqtt/mqtt_schema.ts";
import { pictureAlone } from "../../domain/mqtt/picture_alone.ts";
import { deviceEvents, deviceStates } from "../../domain/mqtt/states.ts";
import {
  birthTopic,
  type CameraTopics,
  cameraTopics,
  retainedTopics,
  serviceTopic,
  type TopicRoot,
} from "../../domain/mqtt/topics.ts";
import type { EndedRun } from "../../domain/notify/run_facts.ts";
import { MAIN_CAMERA } from "../../domain/settings/camera_key.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { ZoneTime } from "../../domain/text/zone_time.ts";
import { type Log, messageOf } from "../../log.ts";
import type { BrokerConnection, Order } from "../../remote/mqtt/broker.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { CameraSettings } from "../camera/camera_settings.ts";
import type { Job } from "../run/job.ts";
import { eventPicture, type PictureParts } from "../notify/event_picture.ts";
import type { CardChanges } from "../status/card_changes.ts";
import { type CameraStateParts, cameraStateFrom } from "../status/camera_state.ts";
import { overview } from "../status/overview.ts";
import { BrokerLink } from "./broker_link.ts";

const LOGGER = "mqtt";
/** Changes in a row are looked at together. */
const SOON_MS = 300;
/** Between two looks at a camera while nothing begins or ends. */
const LOOK_MS = 10_000;
/** All cameras are looked at so often, whether or not anything is known to have changed. */
const ALL_MS = 3_600_000;
/** After Home Assistant has started, many devices publish: each waits for a time of its own, so long up to twice that. */
const BIRTH_MS = 2500;
/** Limit for what is on its way when the connection is to end. */
const END_MS = 1000;
/** Limit for the last word. */
const LAST_MS = 2000;
/** Limit for removing the devices. */
const REMOVE_MS = 5000;
/** Orders of a camera that wait for their turn; a button that sends more of them is stuck. */
const MOST_ORDERS = 8;

/** A camera that is published. */
export type PublishedCamera = CameraStateParts &
  PictureParts & {
    readonly clock: Clock;
    readonly zone: ZoneTime;
    readonly job: Pick<Job, "snapshot" | "topic">;
    readonly cards: Pick<CardChanges, "subscribe">;
    readonly history: Pick<RunHistory, "latestGood">;
    readonly cameraSettings: Pick<CameraSettings, "known">;
  };

export interface PublisherParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings["mqtt"];
  /** Address of the page, where it is known. */
  readonly page: () => string | null;
  readonly version: string;
  /** Random id of this installation. */
  readonly installation: string;
  readonly cameras: () => readonly PublishedCamera[];
  /** Ids of all cameras that are set up, also of those that cannot be opened just now. */
  readonly ids: () => readonly string[];
  /** The broker may have devices from an earlier start, also while it was not reached in this one. */
  readonly isKnown: boolean;
  /** Does what a button or a switch asks for. */
  readonly obey: (camera: PublishedCamera, command: Command) => Promise<void>;
  /** Number from 0 to 1. */
  readonly random: () => number;
}

/** State of a camera that is published. */
interface Published {
  readonly topics: CameraTopics;
  readonly off: () => void;
  /** The run state that was looked at last. */
  isRunning: boolean;
  /** Milliseconds of a clock that never goes back. */
  lookedAt: number;
  /** A change waits for its look. */
  isWaiting: boolean;
  /** A look waits for its turn. */
  isInTurn: boolean;
  /** Orders, one after the other, and how many of them there are. */
  orders: Promise<void>;
  orderCount: number;
}

/** The name that the first camera has before anyone names it. */
const UNNAMED = "Camera";

/**
 * Publishes the cameras to one broker, as devices of Home Assistant: what has changed, and no more. It waits for nothing
 * that brings recordings home, and nothing that does waits for it.
 */
export class Publisher {
  readonly #parts: PublisherParts;
  readonly #root: TopicRoot;
  readonly #service: string;
  readonly #link: BrokerLink;
  readonly #cameras = new Map<PublishedCamera, Published>();
  /** Texts that the broker has, by their topics. */
  #kept = new Map<string, string>();
  /** Cameras that are set up, as far as that was looked at. */
  #ids: ReadonlySet<string> = new Set();
  /** Cameras that are no longer set up, whose devices the broker still has. */
  readonly #gone = new Set<string>();
  /** The broker has been reached. */
  #wasThere = false;
  /** Home Assistant has started, and all will be published again. */
  #isBorn = false;
  readonly #closing = new AbortController();
  /** Looks and what they publish, one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #hourly: Promise<void> = Promise.resolve();

  constructor(parts: PublisherParts) {
    const { clock, log, settings, installation } = parts;
    this.#parts = parts;
    this.#root = { prefix: settings.topic_prefix, discovery: settings.discovery_prefix, installation };
    this.#service = serviceTopic(this.#root);
    this.#link = new BrokerLink({
      clock,
      log,
      settings,
      clientId: `dashdock_${installation}`,
      will: { topic: this.#service, payload: OFFLINE },
      onConnect: (connection) => this.#connected(connection),
      onOrder: (order) => this.#ordered(order),
    });
  }

  start(): void {
    this.follow();
    this.#link.start();
    this.#hourly = this.#lookHourly();
  }

  get state(): MqttState {
    const { state, problem, since, version } = this.#link.state;
    return {
      state,
      problem,
      since: new Date(since).toISOString(),
      version: version === null ? null : version === 5 ? "5" : "3.1.1",
      devices: this.#parts.cameras().map((camera) => ({ camera: camera.camera.id, name: nameOf(camera) ?? "Dashcam" })),
      entities: [...ENTITY_NAMES],
    };
  }

  /** Publishes the cameras that are open now, and removes the devices of those that are no longer set up. */
  follow(): void {
    const { cameras, ids } = this.#parts;
    const open = new Set(cameras());
    for (const [camera, { off }] of [...this.#cameras]) {
      if (open.has(camera)) continue;
      off();
      this.#cameras.delete(camera);
    }
    const known = new Set([...ids(), ...[...open].map(({ camera }) => camera.id)]);
    for (const id of this.#ids) if (!known.has(id)) this.#gone.add(id);
    for (const id of known) this.#gone.delete(id);
    this.#ids = known;
    if (this.#gone.size > 0) this.#inTurn((connection) => this.#removeGone(connection));
    for (const camera of open) if (!this.#cameras.has(camera)) this.#begin(camera);
  }

  /** Publishes names, and what else the devices tell of themselves, where that has changed. */
  refresh(): void {
    for (const [camera, published] of this.#cameras)
      this.#inTurn((connection) => this.#config(connection, camera, published));
  }

  /** Publishes the events of a run that has ended, and what it found out about the camera. */
  runEnded(camera: PublishedCamera, run: EndedRun): void {
    const published = this.#cameras.get(camera);
    if (published === undefined) return;
    this.#inTurn((connection) => this.#config(connection, camera, published));
    const events = deviceEvents(run, { now: camera.clock.now(), zone: camera.zone });
    for (const event of events)
      this.#inTurn((connection) => connection.publish(published.topics.event, JSON.stringify(event), "passing"));
  }

  /** Resolves when what was to be published by now is with the broker. */
  settled(): Promise<void> {
    return this.#turn;
  }

  /** Says that the service is off, then ends the connection. */
  async close(): Promise<void> {
    await this.#end((connection) => connection.publish(this.#service, OFFLINE, "retained"), LAST_MS);
  }

  /** Removes all devices, then ends the connection. @param signal ends a last try to reach the broker */
  async remove(signal: AbortSignal): Promise<void> {
    const { clock, log, isKnown } = this.#parts;
    this.follow();
    const all = [...this.#gone, ...this.#ids].map((id) => this.#topicsOf(id));
    let isDone = false;
    const removeAll = async (connection: BrokerConnection) => {
      for (const topics of all) await this.#remove(connection, topics);
      await connection.publish(this.#service, "", "retained");
      isDone = true;
    };
    await this.#end(removeAll, REMOVE_MS);
    if (isDone || !(this.#wasThere || isKnown)) return;
    const late = new AbortController();
    clock.sleep(REMOVE_MS, AbortSignal.any([late.signal, signal])).then(
      () => late.abort(),
      () => {},
    );
    await this.#link.once(removeAll, AbortSignal.any([late.signal, signal])).catch(() => {});
    late.abort();
    if (!isDone) log.warning(LOGGER, "The broker could not be reached: remove the device in Home Assistant by hand");
  }

  async #end(last: (connection: BrokerConnection) => Promise<void>, ms: number): Promise<void> {
    this.#closing.abort();
    for (const { off } of this.#cameras.values()) off();
    await within(this.#parts.clock, END_MS, this.#turn);
    await this.#link.close(last, ms);
    await this.#hourly;
  }

  /** Does it after what is under way, where there is a connection then. */
  #inTurn(work: (connection: BrokerConnection) => Promise<void>): void {
    this.#turn = this.#turn
      .then(async () => {
        const { connection } = this.#link;
        if (connection !== null && !this.#closing.signal.aborted) await work(connection);
      })
      .catch((error: unknown) => {
        this.#link.refused(error);
        this.#parts.log.debug(LOGGER, `Something could not be published: ${messageOf(error)}`);
      });
  }

  async #connected(connection: BrokerConnection): Promise<void> {
    this.#kept = new Map();
    this.#wasThere = true;
    await connection.publish(this.#service, ONLINE, "retained");
    await connection.subscribe(birthTopic(this.#root), "news");
    for (const { topics } of this.#cameras.values()) await connection.subscribe(topics.command, "orders");
    this.#inTurn((current) => this.#removeGone(current));
    this.#publishAll();
  }

  #publishAll(): void {
    for (const [camera, published] of this.#cameras) {
      this.#inTurn((connection) => this.#config(connection, camera, published));
      this.#lookInTurn(camera, published);
    }
  }

  #begin(camera: PublishedCamera): void {
    const topics = this.#topicsOf(camera.camera.id);
    const published: Published = {
      topics,
      isRunning: camera.job.snapshot.state === "running",
      lookedAt: Number.NEGATIVE_INFINITY,
      isWaiting: false,
      isInTurn: false,
      orders: Promise.resolve(),
      orderCount: 0,
      off: camera.cards.subscribe(() => this.#changed(camera, published)),
    };
    this.#cameras.set(camera, published);
    this.#inTurn(async (connection) => {
      await connection.subscribe(topics.command, "orders");
      await this.#config(connection, camera, published);
    });
    this.#lookInTurn(camera, published);
  }

  #topicsOf(id: string): CameraTopics {
    return cameraTopics(this.#root, id === MAIN_CAMERA ? null : id);
  }

  /** Looks soon; while a run goes on, not more often than it has to. */
  #changed(camera: PublishedCamera, published: Published): void {
    if (this.#link.connection === null) return;
    const { clock } = this.#parts;
    if (published.isWaiting) return;
    published.isWaiting = true;
    const since = clock.elapsed() - published.lookedAt;
    // The cards of a change are told before the job is in its new state.
    clock.sleep(SOON_MS, this.#closing.signal).then(
      async () => {
        const isRunning = camera.job.snapshot.state === "running";
        const rest = LOOK_MS - since - SOON_MS;
        // While nothing runs, little changes.
        if (isRunning && published.isRunning && rest > 0) await this.#rest(camera, published, rest);
        published.isWaiting = false;
        this.#lookInTurn(camera, published);
      },
      () => {},
    );
  }

  /** Looks after what is under way, once for all who ask for it meanwhile: a slow broker does not let looks pile up. */
  #lookInTurn(camera: PublishedCamera, published: Published): void {
    if (published.isInTurn) return;
    published.isInTurn = true;
    this.#turn = this.#turn.then(() => {
      published.isInTurn = false;
    });
    this.#inTurn((connection) => this.#look(connection, camera, published));
  }

  /** Waits, but not beyond the beginning or the end of a run. */
  async #rest(camera: PublishedCamera, { isRunning }: Published, ms: number): Promise<void> {
    const over = new AbortController();
    const off = camera.job.topic.subscribe(({ state }) => {
      if ((state === "running") !== isRunning) over.abort();
    });
    const signal = AbortSignal.any([over.signal, this.#closing.signal]);
    await this.#parts.clock.sleep(ms, signal).catch(() => {});
    off();
  }

  /** Publishes the states of a camera, and its last picture, where they have changed. */
  async #look(connection: BrokerConnection, camera: PublishedCamera, published: Published): Promise<void> {
    published.lookedAt = this.#parts.clock.elapsed();
    const isRunning = camera.job.snapshot.state === "running";
    published.isRunning = isRunning;
    const known = await overview(camera);
    const { state } = await cameraStateFrom(camera, known);
    const lastGood = camera.history.latestGood();
    const states = deviceStates({
      overview: known,
      camera: state,
      lastSync: lastGood && lastGood * 1000,
      diskUsed: camera.storage.latest,
    });
    const { topics } = published;
    await this.#keep(connection, topics.state, JSON.stringify(states));
    // While a run goes on, each recording would be the last one for a moment.
    if (!isRunning && known.newest_key !== null) await this.#picture(connection, camera, topics, known.newest_key);
  }

  async #picture(
    connection: BrokerConnection,
    camera: PublishedCamera,
    { picture }: CameraTopics,
    key: string,
  ): Promise<void> {
    const kept = this.#kept;
    if (kept.get(picture) === key) return;
    const bytes = await eventPicture(camera, key);
    // Before it is published: a picture that the broker refuses is not offered again at each change.
    kept.set(picture, key);
    if (bytes !== null) await connection.publish(picture, pictureAlone(bytes), "retained");
  }

  async #config(connection: BrokerConnection, camera: PublishedCamera, { topics }: Published): Promise<void> {
    const known = await camera.cameraSettings.known();
    const config = deviceConfig({
      topics,
      service: this.#service,
      name: nameOf(camera),
      model: known?.model ?? null,
      firmware: known?.firmware ?? null,
      page: this.#parts.page(),
      version: this.#parts.version,
    });
    await this.#keep(connection, topics.config, JSON.stringify(config));
  }

  /** Publishes a text that the broker keeps, unless it has the same already. */
  async #keep(connection: BrokerConnection, topic: string, text: string): Promise<void> {
    const kept = this.#kept;
    if (kept.get(topic) === text) return;
    await connection.publish(topic, text, "retained");
    kept.set(topic, text);
  }

  async #removeGone(connection: BrokerConnection): Promise<void> {
    for (const id of this.#gone) {
      await this.#remove(connection, this.#topicsOf(id));
      this.#gone.delete(id);
    }
  }

  async #remove(connection: BrokerConnection, topics: CameraTopics): Promise<void> {
    for (const topic of retainedTopics(topics)) {
      await connection.publish(topic, "", "retained");
      this.#kept.delete(topic);
    }
  }

  #ordered({ topic, text, isRetained }: Order): void {
    const { log, obey } = this.#parts;
    if (topic === birthTopic(this.#root)) {
      // The broker kept it from before this connection, at which all was published.
      if (text === ONLINE && !isRetained) this.#born();
      return;
    }
    const [camera, published] = [...this.#cameras].find(([, { topics }]) => topics.command === topic) ?? [];
    const command = COMMANDS.find((one) => one === text);
    if (camera === undefined || published === undefined || command === undefined) return;
    if (isRetained) {
      log.warning(LOGGER, `The order ${command} was ignored: the broker had kept it from before`);
      return;
    }
    if (published.orderCount >= MOST_ORDERS) return;
    published.orderCount += 1;
    log.info(LOGGER, `Home Assistant orders: ${command}`);
    published.orders = published.orders
      .then(() => (this.#closing.signal.aborted ? undefined : obey(camera, command)))
      .catch((error: unknown) => {
        log.warning(LOGGER, `The order ${command} could not be followed: ${messageOf(error)}`);
      })
      .then(() => {
        published.orderCount -= 1;
        // The switch waits for the new state.
        this.#lookInTurn(camera, published);
      });
  }

  /** Home Assistant has started: it may have forgotten all. */
  #born(): void {
    if (this.#isBorn) return;
    this.#isBorn = true;
    const { clock, random } = this.#parts;
    clock.sleep(BIRTH_MS * (1 + random()), this.#closing.signal).then(
      () => {
        this.#isBorn = false;
        this.#kept = new Map();
        this.#publishAll();
      },
      () => {},
    );
  }

  async #lookHourly(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#parts.clock.sleep(ALL_MS, signal).catch(() => {});
      if (signal.aborted) return;
      for (const [camera, published] of this.#cameras) this.#lookInTurn(camera, published);
    }
  }
}

function nameOf({ camera }: PublishedCamera): string | null {
  return camera.id === MAIN_CAMERA && camera.name === UNNAMED ? null : camera.name;
}
