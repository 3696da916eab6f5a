import type { Clock } from "../../clock.ts";
import type { Refusal } from "../../domain/film/clip_refusal.ts";
import type { ClipTables } from "../../domain/film/clip_tables.ts";
import { FilmBuilder } from "../../domain/film/film_builder.ts";
import type { ClockZone } from "../../domain/recordings/clock_change.ts";
import { Turns } from "../../turns.ts";
import { pathOf, type Segment } from "../library/recording_files.ts";
import { Film, type FilmFile } from "./film.ts";
import { FilmClips, versionAt } from "./film_clips.ts";

/** Memory for films that were asked for: their headers. The one that was asked for last is always there. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Time after which what was not asked for any more is forgotten: a player asks for parts of a film again and again. */
const KEPT_MS = 60_000;
/** Requests to the disk at once. */
const WIDTH = 16;
/** Clips whose index is read at once. */
const READ_AHEAD = 8;
/** Films that are made at once; others wait. */
const MADE_AT_ONCE = 2;

export interface FilmOrder {
  /** The letter of the camera's direction. */
  readonly direction: string;
  /** By time. */
  readonly clips: readonly Segment[];
  /** Seconds into the first clip, and into the last. */
  readonly from: number;
  readonly to: number;
  /** Leaves out every byte that no sample needs. */
  readonly isPlain: boolean;
  /** Leaves out the sound. */
  readonly isSilent?: boolean;
}

interface Known {
  readonly film: Promise<Film>;
  bytes: number;
  usedAt: number;
}

/** Clips joined to films, of which nothing is ever written. */
export class Films {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #zone: () => ClockZone;
  readonly #clips: FilmClips;
  readonly #turns = new Turns(MADE_AT_ONCE);
  /** By what they are made of; those that were asked for last come last. */
  readonly #known = new Map<string, Known>();
  #isForgetting = false;

  /** @param parts the zone is that of the camera's clock */
  constructor(parts: { root: string; clock: Clock; zone: () => ClockZone }) {
    this.#root = parts.root;
    this.#clock = parts.clock;
    this.#zone = parts.zone;
    this.#clips = new FilmClips(parts.root);
  }

  /** The film of one camera's clips; of length 0 when none of them can be used. */
  async open(order: FilmOrder): Promise<Film> {
    const files = await this.#filesOf(order);
    const zone = this.#zone();
    const hash = new Bun.CryptoHasher("sha256").update(
      `${order.direction} ${order.from} ${order.to} ${order.isPlain} ${order.isSilent ?? false} ${zone.id}\n`,
    );
    for (const { path, version } of files) hash.update(`${path} ${version}\n`);
    const key = hash.digest("base64");
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#known.delete(key);
      this.#known.set(key, known);
      known.usedAt = this.#clock.elapsed();
      return await known.film;
    }
    const film = this.#turns.run(() => this.#make(order, files, zone));
    const made: Known = { film, bytes: 0, usedAt: this.#clock.elapsed() };
    this.#known.set(key, made);
    if (!this.#isForgetting) void this.#forgetUnused();
    try {
      made.bytes = (await film).bytes;
    } catch (error) {
      this.#known.delete(key);
      throw error;
    }
    this.#makeRoom(made);
    return await film;
  }

  async #filesOf({ clips, direction }: FilmOrder): Promise<FilmFile[]> {
    const files: FilmFile[] = [];
    for (let at = 0; at < clips.length; at += WIDTH) {
      const some = clips.slice(at, at + WIDTH).map(async (clip): Promise<FilmFile> => {
        const video = clip.parts.videos.find((one) => one.direction === direction);
        if (video === undefined) return { path: "", version: null };
        const path = pathOf(clip, video.ending);
        return { path, version: await versionAt(this.#root, path) };
      });
      files.push(...(await Promise.all(some)));
    }
    return files;
  }

  async #make(
    { clips, from, to, isPlain, isSilent }: FilmOrder,
    files: readonly FilmFile[],
    zone: ClockZone,
  ): Promise<Film> {
    const builder = new FilmBuilder(isPlain, isSilent, zone);
    const read = async (at: number): Promise<ClipTables | Refusal> => {
      const file = files[at];
      return file?.version ? await this.#clips.read(file.path, file.version) : "missing";
    };
    const ahead: Promise<ClipTables | Refusal>[] = [];
    let next = 0;
    for (const [at, { key }] of clips.entries()) {
      for (; next < Math.min(clips.length, at + READ_AHEAD); next++) ahead.push(read(next));
      const tables = await ahead[at];
      builder.add({
        key,
        from: at === 0 ? from : 0,
        to: at === clips.length - 1 ? to : Number.POSITIVE_INFINITY,
        size: sizeIn(files[at]?.version ?? null),
        tables: tables ?? "missing",
      });
      // Each can be forgotten once it was added.
      delete ahead[at];
      if (builder.isOver) break;
    }
    await Promise.allSettled(ahead);
    const built = builder.finish();
    return new Film(this.#root, builder.facts(), built, files);
  }

  #makeRoom(kept: Known): void {
    let bytes = 0;
    for (const known of this.#known.values()) bytes += known.bytes;
    for (const [key, known] of this.#known) {
      if (bytes <= MOST_BYTES) return;
      // One that is being made is waited for.
      if (known === kept || known.bytes === 0) continue;
      this.#known.delete(key);
      bytes -= known.bytes;
    }
  }

  async #forgetUnused(): Promise<void> {
    this.#isForgetting = true;
    while (this.#known.size > 0) {
      await this.#clock.sleep(KEPT_MS);
      const oldest = this.#clock.elapsed() - KEPT_MS;
      for (const [key, known] of this.#known) if (known.usedAt <= oldest) this.#known.delete(key);
    }
    this.#clips.forget();
    this.#isForgetting = false;
  }
}

/** The size that a version tells; 0 without one. */
export function sizeIn(version: string | null): number {
  return version === null ? 0 : Number.parseInt(version.slice(0, version.indexOf("-")), 36);
}
