import { effect, type Signal, signal } from "@preact/signals";
import { cameraClock } from "../../../server/domain/recordings/camera_clock.ts";
import { groupOf } from "../../../server/domain/recordings/recording_name.ts";
import { inTime, keyIn, MAIN_CAMERA, splitKey } from "../../../server/domain/settings/camera_key.ts";
import type { ProgressUpdate } from "../../../server/domain/status/status_schema.ts";
import type { Snapshot } from "../../../server/domain/sync/job_progress.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import { type Arrival, isWaiting } from "../../../server/domain/viewer/coming_text.ts";
import { camerasInOrder, dayOfKey, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { Refusal, send, sentenceOfError } from "../../browser/client.ts";
import { listen } from "../../browser/stream.ts";
import { showToast } from "../../browser/toast.ts";
import type { Browsing } from "../browsing.ts";

/** Milliseconds that a message stands; after them the line shows the place in the queue. */
const SAID_MS = 8000;
/** Places change with every file that came: they are asked for together. */
const SETTLE_MS = 1500;

interface Parts {
  readonly browsing: Browsing;
  /** Format of times and dates. */
  readonly format: TimeFormat;
  /** Reads what has changed, on these days in any case. */
  readonly refresh: (dates: readonly (string | null)[]) => Promise<void>;
}

/** A recording that comes right now. */
interface Arriving extends Arrival {
  readonly key: string;
}

/** Recordings that are still on the camera: their progress, those wanted first, and those not needed. */
export class ComingClips {
  /** Keys of which something is on its way to the service. */
  readonly pending: Signal<readonly string[]> = signal([]);
  /** Last action in words, with the keys it was done for. */
  readonly said: Signal<{ readonly keys: readonly string[]; readonly words: string } | null> = signal(null);
  readonly #parts: Parts;
  /** Clips that come right now, by the camera it comes from: several bring theirs side by side. */
  readonly #arriving: Signal<Readonly<Record<string, Arriving>>> = signal({});
  /** State and file of each camera's job, as the stream told them last. */
  readonly #jobs = new Map<string, { readonly state: Snapshot["state"]; readonly file: string }>();
  #forget: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Progress of a recording; null unless it comes right now. */
  arrivalOf(key: string): Arrival | null {
    const arriving = this.#arriving.value[cameraOf(key)];
    return arriving?.key === key ? arriving : null;
  }

  /** Message about one recording, or about several that are left of an action; null without one. */
  saidOf(keys: readonly string[]): string | null {
    const { value } = this.said;
    if (value === null || (keys.length === 1) !== (value.keys.length === 1)) return null;
    return keys.every((key) => value.keys.includes(key)) ? value.words : null;
  }

  /** The same for those who do not see where it is said. */
  toldLast(): string {
    const { keys = [], words = "" } = this.said.value ?? {};
    const [only] = keys;
    return only !== undefined && keys.length === 1 ? `${cameraClock(only, 0, this.#parts.format)}: ${words}` : words;
  }

  isPending(keys: readonly string[]): boolean {
    return keys.some((key) => this.pending.value.includes(key));
  }

  /** They are fetched before all others: by the run that is on its way, else by the next. @param anyway whatever the rules say */
  getNow(keys: readonly string[], anyway = false): Promise<void> {
    return this.#change(keys, async () => {
      if (!(await this.#prioritize(keys, anyway))) return null;
      const states = await Promise.all([...new Set(keys.map(cameraOf))].map((camera) => this.#stateOf(camera)));
      const what = keys.length === 1 ? "Comes" : "These come";
      const isNow = states.every((state) => state === "running");
      return `${what} ${isNow ? "next" : "first with the next visit"}`;
    });
  }

  async #stateOf(camera: string): Promise<Snapshot["state"]> {
    const known = this.#jobs.get(camera);
    if (known !== undefined) return known.state;
    const path = "GET /api/sync/progress";
    return (await send<Snapshot>(camera === MAIN_CAMERA ? path : `${path}?camera=${camera}`)).state;
  }

  /** False when a rule leaves one of them out since the page was read: then it is offered to bring them all the same. */
  async #prioritize(keys: readonly string[], anyway: boolean): Promise<boolean> {
    try {
      await send("POST /api/sync/prioritize", anyway ? { keys, anyway } : { keys });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "LEFT_OUT" || error.details["rule"] === "unreadable")
        throw error;
      const label = keys.length === 1 ? "Bring it all the same" : "Bring them all the same";
      showToast(document, "attention", sentenceOfError(error), { label, run: () => void this.getNow(keys, true) });
      return false;
    }
  }

  /** They are left on the camera. */
  leave(keys: readonly string[]): Promise<void> {
    return this.#change(keys, async () => {
      await send("POST /api/sync/unwanted", { keys });
      return keys.length === 1 ? "Left on the camera" : "These are left on the camera";
    });
  }

  /** They are fetched after all. */
  want(keys: readonly string[]): Promise<void> {
    return this.#change(keys, async () => {
      await send("DELETE /api/sync/unwanted", { keys });
      return keys.length === 1 ? "Comes after all" : "These come after all";
    });
  }

  /** Follows the progress while a day in the list has something to come. @returns what ends it */
  follow(): () => void {
    let stop = () => {};
    let isFollowing = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void this.#parts.refresh(this.#days()).catch(() => {});
      }, SETTLE_MS);
    };
    const receive = ({ camera = MAIN_CAMERA, state, current_file: current }: ProgressUpdate) => {
      const video = current?.artifact === "mp4" ? current : null;
      const before = this.#jobs.get(camera);
      const now = { state, file: video?.filename ?? "" };
      this.#jobs.set(camera, now);
      this.#take(camera, video);
      if (before !== undefined && (before.state !== now.state || before.file !== now.file)) settle();
    };
    const end = effect(() => {
      const isWanted = this.#days().length > 0;
      if (isWanted === isFollowing) return;
      isFollowing = isWanted;
      stop();
      const broken = () => this.#jobs.clear();
      stop = isWanted
        ? listen<ProgressUpdate>({ url: "/api/sync/progress/stream", event: "progress", broken }, receive)
        : () => {};
      if (!isWanted) this.#arriving.value = {};
    });
    return () => {
      end();
      stop();
      clearTimeout(timer);
      clearTimeout(this.#forget);
    };
  }

  /** Days of the list that have something to come. */
  #days(): readonly string[] {
    const { states } = this.#parts.browsing.list;
    const isComing = ({ coming }: ViewerRecording) => coming !== null && coming.state !== "unwanted";
    return Object.entries(states.value).flatMap(([date, { recordings }]) => (recordings?.some(isComing) ? [date] : []));
  }

  /** A recording has a file for each camera, one after the other: it goes on from where the one before ended. */
  #take(camera: string, file: Snapshot["current_file"]): void {
    const { [camera]: before, ...others } = this.#arriving.peek();
    if (file === null) {
      if (before !== undefined) this.#arriving.value = others;
      return;
    }
    const key = keyIn(camera, groupOf(file.filename));
    const cameras = camerasInOrder(this.#parts.browsing.list.find(key)?.directions ?? [file.direction]);
    const at = Math.max(0, cameras.indexOf(file.direction));
    const size = file.total_bytes || (file.expected_bytes ?? 0);
    const percent = size > 0 || at > 0 ? (100 * at + file.percent) / cameras.length : null;
    const most = before?.key === key ? Math.max(before.percent ?? 0, percent ?? 0) || null : percent;
    const { eta_seconds: eta, bytes_per_second: rate } = file;
    const rest = rate > 0 ? ((cameras.length - 1 - at) * size) / rate : 0;
    const now: Arriving = { key, percent: most, seconds: eta === null ? null : eta + rest };
    this.#arriving.value = { ...others, [camera]: now };
  }

  /** @param ask does it; returns what was done, in words, or null when nothing was */
  async #change(keys: readonly string[], ask: () => Promise<string | null>): Promise<void> {
    if (keys.length === 0 || this.isPending(keys)) return;
    this.pending.value = [...this.pending.value, ...keys];
    try {
      const words = await ask();
      await this.#parts.refresh([...new Set(keys.map(dayOfKey))]).catch(() => {});
      if (words !== null) this.#say(keys, words);
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    } finally {
      this.pending.value = this.pending.value.filter((key) => !keys.includes(key));
    }
  }

  #say(keys: readonly string[], words: string): void {
    clearTimeout(this.#forget);
    this.said.value = { keys, words };
    this.#forget = setTimeout(() => {
      this.said.value = null;
    }, SAID_MS);
  }
}

/** The id of the camera that a key is of. */
function cameraOf(key: string): string {
  return splitKey(key).camera ?? MAIN_CAMERA;
}

/** The keys of those of several that can be asked for sooner, by time: in this order they come. */
export function waitingKeys(recordings: readonly ViewerRecording[]): string[] {
  return recordings.filter(isWaiting).map(keyOf).sort(inTime);
}
