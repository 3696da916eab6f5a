import { momentNumber } from "../recordings/moment_number.ts";
import type { RecordingName } from "../recordings/recording_name.ts";
import type { DownloadOrder } from "./download_order.ts";
import { isMetadata, type PlannedFile } from "./download_plan.ts";

/** Part of a visit that thumbnails and GPS may take ahead of the videos. */
const AHEAD_SHARE = 0.1;
/** A camera sends a recording in about the time that it was filmed in, which is a minute. */
const RECORDING_MS = 60_000;
/** A visit is not counted on to last longer. */
const LONGEST_VISIT_MS = 3_600_000;

export interface QueueOptions {
  /** True when thumbnails and GPS come ahead of the videos. */
  readonly metadataFirst: boolean;
  /** Moments that come before all others, in this order. */
  readonly first: readonly number[];
  /** Order in which the files were planned. */
  readonly order: DownloadOrder;
  /** Sizes that the camera's list tells, by the name of the video; none when left out. */
  readonly sizes?: ReadonlyMap<string, number>;
}

/** File to download next. */
export interface Next {
  readonly file: PlannedFile;
  /** Its place in the plan. */
  readonly place: number;
  /** Its video is still to come: what goes wrong with it is tried again behind that. */
  readonly isAhead: boolean;
}

/** The files of one recording, from one place of the plan up to, not including, another; its video first. */
interface Unit {
  readonly moment: number;
  /** True when its video is among the planned files. */
  readonly hasVideo: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * The planned files on their way, recording by recording in the plan's order. Recordings that a user asked for come
 * first. Thumbnails and GPS of the newest recordings come ahead of all videos, so that a drive is on the map within
 * seconds. These take no more than a tenth of the visit; the rest of them comes between the videos, or with its own.
 */
export class DownloadQueue {
  readonly #files: readonly PlannedFile[];
  /** 1 for each file, by its place in the plan, that was handed out. */
  readonly #taken: Uint8Array;
  #units: Unit[] = [];
  /** The place of the unit that comes next. */
  #at = 0;
  #current: Unit | null = null;
  /** The places in the plan of what may come ahead, in turn, and which of them is the next. */
  #ahead: number[] = [];
  #aheadAt = 0;
  /** Moments that users asked for while this run goes on. */
  readonly #awaited = new Set<number>();
  readonly #visitMs: number;
  readonly #sizes: ReadonlyMap<string, number>;
  readonly order: DownloadOrder;
  #aheadMs = 0;
  #revision = 0;

  constructor(files: readonly PlannedFile[], { metadataFirst, first, order, sizes }: QueueOptions) {
    this.order = order;
    this.#sizes = sizes ?? new Map();
    this.#files = files;
    this.#taken = new Uint8Array(files.length);
    this.#units = unitsOf(files);
    const moments = new Set(this.#units.map(({ moment }) => moment));
    this.#visitMs = Math.min(LONGEST_VISIT_MS, moments.size * RECORDING_MS);
    if (metadataFirst) this.#planAhead();
    if (first.length > 0) this.#moveToFront(first);
  }

  /** A number that changes with the files to come, or their order. */
  get revision(): number {
    return this.#revision;
  }

  /** The moment of which a file comes now; null before the first, and while thumbnails and GPS come ahead. */
  get current(): number | null {
    return this.#current?.moment ?? null;
  }

  /** The moments of which videos are still to come, in order, the one that comes now first. */
  moments(): number[] {
    const moments = new Set<number>();
    if (this.#current?.hasVideo) moments.add(this.#current.moment);
    for (let at = this.#at; at < this.#units.length; at++) {
      const unit = this.#units[at];
      if (unit?.hasVideo) moments.add(unit.moment);
    }
    return [...moments];
  }

  /** The recordings of which videos are still to come, in order, the one that comes now first. */
  *recordings(): Generator<RecordingName> {
    const recordingOf = (unit: Unit | null | undefined) =>
      unit?.hasVideo ? (this.#files[unit.from]?.recording ?? null) : null;
    const current = recordingOf(this.#current);
    if (current !== null) yield current;
    const units = this.#units;
    for (let at = this.#at; at < units.length; at++) {
      const recording = recordingOf(units[at]);
      if (recording !== null) yield recording;
    }
  }

  /** Size of a video as the camera's list tells it; null where it does not. */
  sizeOf(name: string): number | null {
    return this.#sizes.get(name) ?? null;
  }

  /** Returns the file to download next; null when all are done. @param elapsedMs since the first file was asked for */
  next(elapsedMs: number): Next | null {
    for (;;) {
      const next = (this.#current && this.#nextOf(this.#current)) ?? this.#nextAhead(elapsedMs);
      if (next !== null) return next;
      if (this.#current !== null) this.#revision++;
      this.#current = this.#units[this.#at] ?? null;
      if (this.#current === null) return null;
      this.#at++;
    }
  }

  /** Adds the time that a file took ahead of the videos. */
  tookAhead(milliseconds: number): void {
    this.#aheadMs += milliseconds;
  }

  /** Puts back a file that could not be had ahead: it comes with its video, or at the end. */
  giveBack({ file, place }: Next): void {
    this.#taken[place] = 0;
    const holdsIt = ({ from, to }: Unit) => from <= place && place < to;
    if (this.#current && holdsIt(this.#current)) return;
    if (this.#units.some((unit, at) => at >= this.#at && holdsIt(unit))) return;
    const moment = momentNumber(file.recording.name);
    this.#units.push({ moment, hasVideo: false, from: place, to: place + 1 });
  }

  /** Leaves thumbnails and GPS to come with their videos: the camera answers them with nothing that can be used. */
  stopAhead(): void {
    this.#ahead = [];
  }

  /** Moves these moments to the front, in this order: a user waits for them, and nothing of others comes ahead of them. */
  prioritize(moments: readonly number[]): void {
    for (const moment of moments) this.#awaited.add(moment);
    this.#moveToFront(moments);
  }

  #moveToFront(moments: readonly number[]): void {
    const places = new Map(moments.map((moment, at) => [moment, at]));
    const placeOf = (moment: number) => places.get(moment) ?? moments.length;
    const rest = this.#units.slice(this.#at);
    this.#units = rest.sort((one, other) => placeOf(one.moment) - placeOf(other.moment));
    this.#at = 0;
    const of = (place: number) => placeOf(momentNumber(this.#files[place]?.recording.name ?? ""));
    this.#ahead = this.#ahead.slice(this.#aheadAt).sort((one, other) => of(one) - of(other));
    this.#aheadAt = 0;
    this.#revision++;
  }

  /** Thumbnails and GPS whose video is still to come, the newest recording's first. */
  #planAhead(): void {
    // A recording that may still grow keeps its companions with its video: downloaded too early they would stay
    // unfinished.
    const growing = new Set(this.#units.filter(({ from }) => this.#files[from]?.newest).map(({ moment }) => moment));
    for (const { moment, hasVideo, from, to } of this.#units) {
      if (!hasVideo || growing.has(moment)) continue;
      for (let place = from; place < to; place++)
        if (isMetadata(this.#files[place]?.kind ?? "mp4")) this.#ahead.push(place);
    }
    const base = (place: number) => this.#files[place]?.recording.base ?? "";
    this.#ahead.sort((one, other) => (base(one) === base(other) ? 0 : base(one) < base(other) ? 1 : -1));
  }

  /** Null when a user waits for the next file, when the share of the visit is used up, and when nothing is left. */
  #nextAhead(elapsedMs: number): Next | null {
    if (this.#awaited.has(this.#units[this.#at]?.moment ?? -1)) return null;
    if (this.#aheadMs > AHEAD_SHARE * Math.max(elapsedMs, this.#visitMs)) return null;
    while (this.#aheadAt < this.#ahead.length) {
      // It has been taken when it has come with its video meanwhile.
      const next = this.#take(this.#ahead[this.#aheadAt++] ?? -1, true);
      if (next !== null) return next;
    }
    return null;
  }

  #nextOf({ from, to }: Unit): Next | null {
    for (let place = from; place < to; place++) {
      const next = this.#take(place, false);
      if (next !== null) return next;
    }
    return null;
  }

  /** The file at that place of the plan; null when it was handed out. */
  #take(place: number, isAhead: boolean): Next | null {
    const file = this.#files[place];
    if (file === undefined || this.#taken[place] === 1) return null;
    this.#taken[place] = 1;
    return { file, place, isAhead };
  }
}

/** The plan by recording; a recording's files are together in it. */
function unitsOf(files: readonly PlannedFile[]): Unit[] {
  const units: Unit[] = [];
  let from = 0;
  let name = files[0]?.recording.name ?? "";
  for (let to = 1; to <= files.length; to++) {
    const next = files[to]?.recording.name ?? "";
    if (next === name) continue;
    units.push({ moment: momentNumber(name), hasVideo: files[from]?.kind === "mp4", from, to });
    from = to;
    name = next;
  }
  return units;
}
