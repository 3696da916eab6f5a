import { type Signal, signal } from "@preact/signals";
import type { Films } from "../../../server/domain/film/film_schema.ts";
import { directionRank } from "../../../server/domain/recordings/recording_codes.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import type { SpeedUnit } from "../../../server/domain/viewer/distance_text.ts";
import { type ExportWanted, exportQuery, sideName } from "../../../server/domain/viewer/export_choice.ts";
import type { SideProgress } from "../../../server/domain/viewer/side_text.ts";
import { cameraName } from "../../../server/domain/viewer/viewer_address.ts";
import type { Telemetry } from "../../../server/domain/viewer/viewer_schema.ts";
import { reached } from "../../browser/address.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import type { FromWorker, Order, OrderedFilm, ToWorker } from "./messages.ts";
import { CannotMake, REFUSALS, sentenceOf } from "./refusals.ts";

/** Progress of a video that is made. */
export type Making =
  | { readonly kind: "idle" }
  | { readonly kind: "asking" }
  | { readonly kind: "making"; readonly progress: SideProgress | null; readonly seconds: number }
  | {
      readonly kind: "made";
      readonly name: string;
      readonly bytes: number;
      /** Address to save it from; null when it is in the file that was chosen. */
      readonly address: string | null;
      readonly notes: readonly string[];
    }
  | { readonly kind: "failed"; readonly sentence: string };

/** Parts of a video that the user wants beside the pictures. */
export interface SideChoice {
  readonly hasSpeed: boolean;
  readonly hasMap: boolean;
  readonly hasSound: boolean;
}

interface SideWanted extends SideChoice {
  readonly wanted: ExportWanted;
}

interface Settings {
  /** Address of the worker's script. */
  readonly script: string;
  readonly unit: SpeedUnit;
  readonly format: TimeFormat;
  /** Told when a video is made, or cannot be made. */
  readonly ended: (how: Making) => void;
}

/** More do not fit into a picture. */
const MOST_CAMERAS = 4;
/** A worker that does not end by itself is ended. */
const LAST_WORDS_MS = 3000;

/** Interface of browsers that write to a file of the user's choice. */
interface FilePicking {
  readonly showSaveFilePicker?: (options: {
    readonly suggestedName: string;
    readonly types: readonly { readonly description: string; readonly accept: Readonly<Record<string, string[]>> }[];
  }) => Promise<FileSystemFileHandle & { readonly remove?: () => Promise<void> }>;
}

type ChosenFile = Awaited<ReturnType<NonNullable<FilePicking["showSaveFilePicker"]>>>;

/** Makes one video at a time, in a worker of its own. */
export class SideBySideMaking {
  readonly state: Signal<Making> = signal({ kind: "idle" });
  readonly #settings: Settings;
  #ends: (() => void) | null = null;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Asks where to, makes the video, and tells how it went in `state`. */
  async start(wanted: SideWanted): Promise<void> {
    if (this.#ends !== null) return;
    this.forget();
    const name = sideName(wanted.wanted);
    const cancelled = Promise.withResolvers<void>();
    this.#ends = cancelled.resolve;
    this.state.value = { kind: "asking" };
    const leaving = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", leaving);
    let file: ChosenFile | null = null;
    let how: Making;
    const awake = await stayAwake();
    try {
      file = await chosenFile(name);
      const { order, notes } = await this.#orderOf(wanted, file);
      how = await this.#run(order, cancelled.promise, name, notes);
    } catch (error) {
      how = howOf(error);
    }
    if (how.kind !== "made") await removeEmpty(file);
    await awake?.release().catch(() => {});
    removeEventListener("beforeunload", leaving);
    this.#ends = null;
    this.state.value = how;
    this.#settings.ended(how);
  }

  /** Ends what is being made; nothing of it stays. */
  cancel(): void {
    this.#ends?.();
  }

  /** Lets go of a video that was kept in memory. */
  forget(): void {
    const { value } = this.state;
    if (value.kind === "made" && value.address !== null) URL.revokeObjectURL(value.address);
    if (this.#ends === null) this.state.value = { kind: "idle" };
  }

  async #orderOf(asked: SideWanted, file: FileSystemFileHandle | null) {
    const { wanted, hasSpeed, hasMap, hasSound } = asked;
    const query = exportQuery(wanted);
    const key = wanted.kind === "range" ? wanted.from : wanted.key;
    const [{ cameras }, telemetry] = await Promise.all([
      send<Films>(`GET /api/viewer/film?${query}&places=true`),
      send<Telemetry>(`GET /api/viewer/trips/${encodeURIComponent(key)}/telemetry`),
    ]);
    const chosen = cameras
      .toSorted((one, other) => directionRank(one.direction) - directionRank(other.direction))
      .slice(0, MOST_CAMERAS);
    const films = chosen
      .filter(({ clips }) => clips > 0)
      .map(
        ({ direction, seconds, bytes, places = [] }): OrderedFilm => ({
          direction,
          seconds,
          bytes,
          places,
          name: cameraName(direction),
          address: reached(`/film/${direction}.mp4?${query}`),
        }),
      );
    const notes = chosen.flatMap(({ direction, cannot }) =>
      cannot === null ? [] : [`${cameraName(direction)}: ${cannot}`],
    );
    if (films.length === 0) throw new CannotMake([REFUSALS.noPictures, ...notes].join(" "));
    const { unit, format } = this.#settings;
    const order: Order = { films, telemetry, unit, format, hasSpeed, hasMap, hasSound, file };
    return { order, notes };
  }

  async #run(order: Order, cancelled: Promise<void>, name: string, notes: readonly string[]): Promise<Making> {
    const begun = performance.now();
    this.state.value = { kind: "making", progress: null, seconds: 0 };
    const worker = new Worker(reached(this.#settings.script), { type: "module" });
    const ended = Promise.withResolvers<Making>();
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      const isLoaded = this.state.value.kind === "making" && this.state.value.progress !== null;
      ended.resolve({ kind: "failed", sentence: isLoaded ? REFUSALS.unexpected : REFUSALS.noScript });
    });
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === "progress")
        this.state.value = { kind: "making", progress: data, seconds: (performance.now() - begun) / 1000 };
      else if (data.kind === "failed") ended.resolve(data);
      else if (data.kind === "cancelled") ended.resolve({ kind: "idle" });
      else {
        const address = data.video && URL.createObjectURL(data.video);
        ended.resolve({ kind: "made", name, bytes: data.bytes, address, notes: [...notes, ...data.notes] });
      }
    });
    const say = (words: ToWorker) => worker.postMessage(words);
    void cancelled.then(() => {
      say({ kind: "cancel" });
      setTimeout(() => ended.resolve({ kind: "idle" }), LAST_WORDS_MS);
    });
    say({ kind: "make", order });
    try {
      return await ended.promise;
    } finally {
      worker.terminate();
    }
  }
}

/** Sentence of the error that has ended it. */
function howOf(error: unknown): Making {
  if (error instanceof DOMException && error.name === "AbortError") return { kind: "idle" };
  const isOurs = error instanceof CannotMake || error instanceof DOMException;
  return { kind: "failed", sentence: isOurs ? sentenceOf(error) : sentenceOfError(error) };
}

/** Keeps the screen on: devices that turn it off stop the page, too. Null where the browser does not. */
async function stayAwake(): Promise<WakeLockSentinel | null> {
  try {
    return await navigator.wakeLock.request("screen");
  } catch {
    return null;
  }
}

/**
 * The file that the user chooses; null where the browser has no dialog for it. @throws DOMException AbortError when
 * none was chosen
 */
async function chosenFile(suggestedName: string): Promise<ChosenFile | null> {
  const { showSaveFilePicker: choose } = globalThis as FilePicking;
  if (choose === undefined) return null;
  return await choose.call(globalThis, {
    suggestedName,
    types: [{ description: "Video", accept: { "video/mp4": [".mp4"] } }],
  });
}

/** Takes away the empty file that choosing has made. One that holds something is left alone. */
async function removeEmpty(file: ChosenFile | null): Promise<void> {
  try {
    if (file !== null && (await file.getFile()).size === 0) await file.remove?.();
  } catch {
    // The user, or the browser, took it away.
  }
}
