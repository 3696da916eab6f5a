import type { Clock } from "./clock.ts";
import { MAIN_CAMERA } from "./domain/settings/camera_key.ts";
import type { ConfiguredCamera, NamedCamera } from "./domain/settings/more_cameras.ts";
import { type Log, messageOf } from "./log.ts";
import type { SettingsFile } from "./store/config/settings_file.ts";
import { Topic } from "./topic.ts";
import { Turns } from "./turns.ts";

/** A further camera that is open. */
export interface OpenCamera<A> {
  readonly app: A;
  /** Starts its schedule. */
  start(): void;
  /** Stops its job, whose partial is kept, writes what is to be written, and closes. */
  close(): Promise<void>;
}

/** A further camera of the settings file that cannot be opened, as while its disk does not answer. */
export interface RefusedCamera {
  readonly configured: ConfiguredCamera;
  readonly problem: string;
}

/** Time between two tries to open cameras that could not be opened. */
const RETRY_MS = 60_000;

/** Parts that the cameras are opened with. */
export interface CamerasParts<A> {
  readonly clock: Clock;
  readonly settings: SettingsFile;
  readonly log: Log;
  /** Opens a further camera. @throws Error when its folder or files cannot be used */
  readonly open: (camera: ConfiguredCamera) => Promise<OpenCamera<A>>;
}

/**
 * The cameras of the service, each as a value of the type `A`. It follows the settings file: a camera that is added there is opened, and one that is gone
 * from it is stopped and closed.
 */
export class Cameras<A> {
  /** The settings file, which lists the cameras. */
  readonly file: SettingsFile;
  readonly #clock: Clock;
  readonly #log: Log;
  /** Problems of those that could not be opened, by their ids. */
  readonly #problems = new Map<string, string>();
  readonly #closing = new AbortController();
  #isWaiting = false;
  readonly #openOne: CamerasParts<A>["open"];
  readonly #turns = new Turns(1);
  readonly #open = new Map<string, OpenCamera<A>>();
  readonly #changes = new Topic<null>(null);
  #main: A | null = null;
  #isStarted = false;
  #isClosed = false;
  #unsubscribe: () => void = () => {};

  constructor({ clock, settings, log, open }: CamerasParts<A>) {
    this.#clock = clock;
    this.file = settings;
    this.#log = log;
    this.#openOne = open;
  }

  /** All cameras that are open, in the order of the settings file: the first one is `main`. */
  get all(): readonly A[] {
    const apps: A[] = [];
    for (const { id } of this.file.cameras.cameras) {
      const app = this.of(id);
      if (app !== null) apps.push(app);
    }
    return apps;
  }

  /** Those that cannot be opened, in the order of the settings file. They are tried again every minute. */
  get refused(): readonly RefusedCamera[] {
    return this.file.cameras.cameras.flatMap((configured) => {
      const problem = this.#problems.get(configured.id);
      return problem === undefined ? [] : [{ configured, problem }];
    });
  }

  /** The first camera. */
  get main(): A {
    if (this.#main === null) throw new Error("the first camera is not open yet");
    return this.#main;
  }

  /** Returns the camera with this id; null for none that is open. */
  of(id: string): A | null {
    return id === MAIN_CAMERA ? this.#main : (this.#open.get(id)?.app ?? null);
  }

  /** Returns the name of a camera as the settings file has it. */
  nameOf(id: string): NamedCamera {
    const { cameras } = this.file.cameras;
    const { name, letter } = cameras.find((camera) => camera.id === id) ?? { name: id, letter: "" };
    return { id, name, letter };
  }

  /** Opens the further cameras of the settings file, and follows its changes from now on. */
  async open(main: A): Promise<void> {
    this.#main = main;
    this.#unsubscribe = this.file.onCamerasChange(() => void this.follow());
    await this.follow();
  }

  /** Calls `listener` after a camera was opened, and when one is about to be closed; returns the way to stop it. */
  onChange(listener: () => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** Starts the schedules of the further cameras. */
  start(): void {
    this.#isStarted = true;
    for (const { start } of this.#open.values()) start();
  }

  /** Opens and closes cameras until they are those of the settings file. Never rejects. */
  async follow(): Promise<void> {
    await this.#turns.run(async () => {
      if (this.#isClosed) return;
      const [, ...further] = this.file.cameras.cameras;
      for (const [id, camera] of [...this.#open]) {
        if (further.some((one) => one.id === id)) continue;
        this.#open.delete(id);
        this.#changes.set(null);
        await camera.close();
        this.#log.info("cameras", `Camera ${id} was taken away; its recordings stay`);
      }
      for (const camera of further) {
        if (this.#open.has(camera.id)) continue;
        const opened = await this.#openOne(camera).catch((error: unknown) => {
          this.#refuse(camera.id, messageOf(error));
          return null;
        });
        if (opened === null) continue;
        this.#open.set(camera.id, opened);
        if (this.#problems.delete(camera.id)) this.#log.info("cameras", `Camera ${camera.id} can be used again`);
        this.#changes.set(null);
        if (this.#isStarted) opened.start();
      }
      for (const id of [...this.#problems.keys()]) if (!further.some((one) => one.id === id)) this.#problems.delete(id);
      this.#tryAgain();
    });
  }

  #refuse(id: string, problem: string): void {
    if (this.#problems.get(id) === problem) return;
    this.#problems.set(id, problem);
    this.#log.error("cameras", `Camera ${id} cannot be used: ${problem}`);
    this.#changes.set(null);
  }

  #tryAgain(): void {
    if (this.#problems.size === 0 || this.#isWaiting) return;
    this.#isWaiting = true;
    this.#clock.sleep(RETRY_MS, this.#closing.signal).then(
      () => {
        this.#isWaiting = false;
        return this.follow();
      },
      () => {},
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.abort();
    this.#unsubscribe();
    await this.#turns.run(async () => {
      await Promise.all([...this.#open.values()].map((camera) => camera.close()));
      this.#open.clear();
    });
  }
}
