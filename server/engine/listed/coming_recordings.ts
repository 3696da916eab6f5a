import { momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { directionOf, parseRecording, type RecordingName } from "../../domain/recordings/recording_name.ts";
import { type DownloadOrder, orderKeyOf } from "../../domain/sync/download_order.ts";
import type { Snapshot } from "../../domain/sync/job_progress.ts";
import type { Coming } from "../../domain/viewer/viewer_schema.ts";
import type { KnownList } from "./known_list.ts";
import type { RequestedRecordings } from "./requested_recordings.ts";

export interface ComingRecordingsParts {
  readonly listed: Pick<KnownList, "eachComing" | "revision">;
  readonly requested: Pick<RequestedRecordings, "first" | "queue" | "revision">;
  readonly progress: { readonly value: Snapshot };
  /** In which order the next run will ask for them. */
  readonly order: () => DownloadOrder;
}

/** A recording of which videos are still on the camera, and whether it is to come. */
interface Missing {
  readonly moment: number;
  readonly directions: string[];
  /** Its first video. */
  readonly recording: RecordingName;
  readonly isUnwanted: boolean;
}

/** The recordings of which videos are still on the camera, with their place in the queue. */
export class ComingRecordings {
  readonly #parts: ComingRecordingsParts;
  #missing: ReadonlyMap<number, Missing> = new Map();
  #revision = "";
  /** Increased when another recording is coming, or one comes no more. */
  #version = 0;
  /** In which order they come, the next one first; by what it was made of. */
  #order: { readonly of: string; readonly places: ReadonlyMap<number, number> } | null = null;

  constructor(parts: ComingRecordingsParts) {
    this.#parts = parts;
  }

  /** Another number when another recording is coming, other videos of one, or one is not needed; not for its place. */
  get version(): number {
    this.#refresh();
    return this.#version;
  }

  /** All of them, by time. */
  all(): Coming[] {
    this.#refresh();
    const places = this.#places();
    return [...this.#missing.values()].map((one) => this.#coming(one, places));
  }

  /** One of them; null when all of it is at home, or it is not chosen, or not on the camera. */
  of(key: string): Coming | null {
    this.#refresh();
    const missing = this.#missing.get(momentNumber(key));
    return missing === undefined ? null : this.#coming(missing, this.#places());
  }

  #refresh(): void {
    const { listed, requested } = this.#parts;
    const revision = `${listed.revision} ${requested.revision}`;
    if (revision === this.#revision) return;
    this.#revision = revision;
    const missing = new Map<number, Missing>();
    listed.eachComing((name, isUnwanted) => {
      const moment = momentNumber(name);
      const known = missing.get(moment);
      const recording = known ? null : parseRecording(name);
      if (recording) missing.set(moment, { moment, directions: [recording.direction], recording, isUnwanted });
      else if (known && !known.directions.includes(directionOf(name))) known.directions.push(directionOf(name));
    });
    for (const { directions } of missing.values()) directions.sort();
    if (isSame(missing, this.#missing)) return;
    this.#missing = missing;
    this.#version++;
  }

  #places(): ReadonlyMap<number, number> {
    const { requested } = this.#parts;
    const { queue } = requested;
    const of = `${this.#version} ${this.#revision} ${queue === null ? JSON.stringify(this.#parts.order()) : queue.revision}`;
    if (this.#order?.of === of) return this.#order.places;
    const moments = queue === null ? this.#planned() : queue.moments();
    const places = new Map(moments.filter((moment) => this.#missing.has(moment)).map((moment, at) => [moment, at]));
    this.#order = { of, places };
    return places;
  }

  /** The order in which the next run will ask for them. */
  #planned(): number[] {
    const order = this.#parts.order();
    const first = new Map(this.#parts.requested.first.map((moment, at) => [moment, at]));
    const rankOf = (moment: number) => first.get(moment) ?? first.size;
    return [...this.#missing.values()]
      .filter(({ isUnwanted }) => !isUnwanted)
      .map(({ moment, recording }) => ({ moment, place: orderKeyOf(order, recording) }))
      .sort((one, other) => rankOf(one.moment) - rankOf(other.moment) || one.place - other.place)
      .map(({ moment }) => moment);
  }

  #coming({ moment, directions, isUnwanted }: Missing, places: ReadonlyMap<number, number>): Coming {
    const place = places.get(moment) ?? null;
    const key = momentKey(moment);
    if (isUnwanted) return { key, directions, state: "unwanted", position: null, seconds: null };
    const { current_file: current, state, eta_seconds: left } = this.#parts.progress.value;
    // A thumbnail or a track that comes does not make the recording come.
    const file = current?.artifact === "mp4" ? current : null;
    const now = this.#parts.requested.queue?.current ?? (file === null ? null : momentNumber(file.filename));
    const share = place === null || places.size === 0 ? null : (place + 1) / places.size;
    // The rest is spread evenly: a recording is a minute, and of about the same size as the others.
    const seconds = state !== "running" || left === null || share === null ? null : Math.round(left * share);
    if (now === moment) return { key, directions, state: "now", position: null, seconds };
    const isOneNow = now !== null && places.get(now) === 0;
    return { key, directions, state: "waiting", position: place === null ? null : place + (isOneNow ? 0 : 1), seconds };
  }
}

function isSame(one: ReadonlyMap<number, Missing>, other: ReadonlyMap<number, Missing>): boolean {
  if (one.size !== other.size) return false;
  for (const [moment, { directions, isUnwanted }] of one) {
    const before = other.get(moment);
    if (before?.isUnwanted !== isUnwanted || before.directions.join() !== directions.join()) return false;
  }
  return true;
}
