import { type ClockZone, secondsBetween } from "../recordings/clock_change.ts";
import { secondsOf } from "../recordings/recording_name.ts";
import { type PicturePart, picturesBetween, type SoundPart, soundBetween, soundTime } from "./clip_part.ts";
import { ClipRefused, REFUSALS, type Refusal } from "./clip_refusal.ts";
import { bytesBetween, type ClipTables, type PictureTables, type TrackTables } from "./clip_tables.ts";
import { misfit } from "./film_fit.ts";
import { filmHeader } from "./film_header.ts";
import type { FilmLack } from "./film_lack.ts";
import { type Chunk, chunksBetween, FilmTrack } from "./film_track.ts";

/** A clip as it comes to a film. */
export interface FilmClip {
  /** `YYYYMMDD_HHMMSS_T` of its recording. */
  readonly key: string;
  /** Seconds on its own clock between which it is wanted. */
  readonly from: number;
  readonly to: number;
  /** Bytes of its file. */
  readonly size: number;
  readonly tables: ClipTables | Refusal;
}

/** Stretch of a clip's file that a film holds. */
export interface FilmSlice {
  /** Which of the clips that were added, from 0. */
  readonly clip: number;
  readonly at: number;
  readonly length: number;
}

export interface FilmGap {
  /** The key of the recording before it. */
  readonly after: string;
  readonly seconds: number;
}

/** Place of a clip in a film. */
export interface FilmPlace {
  readonly key: string;
  /** Seconds of the film at which it begins. */
  readonly at: number;
  /** Seconds on the clip's own clock at which it begins there. */
  readonly from: number;
}

/** A film without its bytes. */
export interface FilmFacts {
  readonly seconds: number;
  /** Clips that are in it. */
  readonly clips: number;
  /** Where each of them begins, by time. */
  readonly places: readonly FilmPlace[];
  readonly gaps: readonly FilmGap[];
  /** Camera wall time of its first picture, as `secondsOf`; null without a clip. */
  readonly startsAt: number | null;
  /** Null when the film reaches the end of what was wanted. */
  readonly cannot: FilmLack | null;
}

export interface BuiltFilm extends FilmFacts {
  readonly header: Uint8Array;
  readonly slices: readonly FilmSlice[];
  /** Bytes of header and slices. */
  readonly length: number;
}

/** A shorter break between two clips is how the camera changes files. */
const LEAST_GAP_SECONDS = 0.5;
/** Sound that goes on behind the last picture is taken along so far; more is cut. */
const LONGEST_TAIL_SECONDS = 0.1;
/** Length of a clip that does not tell its own. */
const USUAL_SECONDS = 60;

interface Taken {
  readonly key: string;
  readonly tables: ClipTables;
  /** Until its pictures end, on its own clock. */
  readonly seconds: number;
  /** True when pictures are in it that may not be shown: nothing can follow. */
  readonly hasMore: boolean;
}

/** Joins clips to a film, one after the other by time; each can be forgotten once it was added. */
export class FilmBuilder {
  readonly #isPlain: boolean;
  readonly #isSilent: boolean;
  readonly #zone: ClockZone | null;
  readonly #picture = new FilmTrack();
  readonly #sound = new FilmTrack();
  readonly #slices: FilmSlice[] = [];
  readonly #gaps: FilmGap[] = [];
  #first: ClipTables | null = null;
  #before: Taken | null = null;
  readonly #places: FilmPlace[] = [];
  #added = 0;
  /** Film time at which the next clip begins, in ticks of the pictures. */
  #time = 0;
  /** When the sound of the film begins, in ticks of the sound; its own track begins at 0. */
  #soundOrigin = 0;
  #startsAt: number | null = null;
  /** Duration of the last picture in its clip. */
  #lastDuration = 1;
  #media = 0;
  #refused: { readonly key: string; readonly words: string; readonly to: number } | null = null;
  /** The first that was refused since the last one that was taken. */
  #cause: FilmLack | null = null;
  #isOver = false;

  /**
   * @param isPlain leaves out every byte that no sample needs; else the clips' files are in the film as they are
   * @param isSilent leaves out the sound; in a plain film none of its bytes is left
   * @param zone of the camera's clock; null where it is not known
   */
  constructor(isPlain: boolean, isSilent = false, zone: ClockZone | null = null) {
    this.#isPlain = isPlain;
    this.#isSilent = isSilent;
    this.#zone = zone;
  }

  /** True when no further clip can follow. */
  get isOver(): boolean {
    return this.#isOver;
  }

  add(clip: FilmClip): void {
    const number = this.#added++;
    if (this.#isOver) return;
    // One of the recordings of a second is enough.
    if (this.#before !== null && secondsOf(clip.key) <= secondsOf(this.#before.key)) return;
    if (typeof clip.tables === "string") this.#refuse(clip, clip.tables);
    else if (this.#before?.hasMore) this.#end(this.#before.key, REFUSALS.edited, "after");
    else this.#join(clip, this.#isSilent ? { ...clip.tables, sound: null } : clip.tables, number);
  }

  /** Facts of the film that need none of its bytes. */
  facts(): FilmFacts {
    const { gaps, cannot } = this.#ending();
    const seconds = this.#first === null ? 0 : this.#time / this.#first.picture.scale;
    const places = this.#places;
    return { seconds, clips: places.length, places, gaps, startsAt: this.#startsAt, cannot };
  }

  /** The film; null when no clip of it could be used. It is asked once, at the end. */
  finish(): BuiltFilm | null {
    const first = this.#first;
    if (first === null) return null;
    const { scale } = first.picture;
    this.#picture.finish(this.#before?.hasMore ? this.#picture.last + this.#lastDuration : this.#time);
    if (first.sound !== null)
      this.#sound.finish(Math.round((this.#time / scale) * first.sound.scale) - this.#soundOrigin);
    const header = filmHeader({
      picture: { tables: first.picture, track: this.#picture },
      sound: first.sound === null || this.#sound.count === 0 ? null : { tables: first.sound, track: this.#sound },
      soundOrigin: this.#soundOrigin,
      length: this.#time,
      hasMore: this.#before?.hasMore ?? false,
      media: this.#media,
    });
    return { ...this.facts(), header, slices: this.#slices, length: header.length + this.#media };
  }

  #join(clip: FilmClip, tables: ClipTables, number: number): void {
    const words = this.#first && misfit(this.#first, tables);
    if (words !== null) {
      this.#end(clip.key, words, "before");
      return;
    }
    try {
      this.#take(clip, tables, number);
    } catch (error) {
      if (!(error instanceof ClipRefused)) throw error;
      this.#refuse(clip, error.reason);
    }
  }

  #take(clip: FilmClip, tables: ClipTables, number: number): void {
    const { picture, sound } = tables;
    const { scale } = picture;
    const part = picturesBetween(picture, clip.from, clip.to);
    const isBeginning = this.#first === null;
    const isCut = part.to < part.end || part.hasMore;
    const end = isCut || sound === null ? part.to : withTail(part.to, scale, sound);
    const begins = this.#time;
    const heard =
      sound && soundBetween(sound, (part.from / scale) * sound.scale, (end / scale) * sound.scale, isBeginning);
    this.#gapBefore(clip.key);

    this.#addBytes(number, clip.size, picture, sound, part, heard);
    this.#addPictures(picture, part, begins);
    this.#lastDuration = Math.max(1, picture.durations.valueAt(part.last));
    // Times of decoding rise, also where the order of a clip's pictures is odd.
    this.#time = Math.max(begins + end - part.from, this.#picture.last + (part.hasMore ? -Infinity : 1));
    if (sound !== null && heard !== null) this.#addSound(sound, heard, (begins - part.from) / scale);

    this.#first ??= tables;
    this.#startsAt ??= secondsOf(clip.key) + part.from / scale;
    this.#places.push({ key: clip.key, at: begins / scale, from: part.from / scale });
    const seconds = part.end / scale;
    this.#before = { key: clip.key, tables, seconds, hasMore: part.hasMore };
    [this.#refused, this.#cause] = [null, null];
  }

  /** @param begins when the first one is shown, on the film's clock */
  #addPictures(picture: PictureTables, { first, second, last, times }: PicturePart, begins: number): void {
    if (times === null) {
      const before = this.#picture.count;
      let time = begins;
      for (const [samples, lasts] of picture.durations.between(first, last + 1)) {
        this.#picture.addRun(time, samples, lasts);
        time += samples * lasts;
      }
      this.#picture.addKeys(before, picture.keys, first, last + 1);
      return;
    }
    const { decoded, shown } = times;
    const origin = decoded[first] ?? 0;
    const delayed = (shown[first] ?? 0) - origin;
    const keyAt = keyCursor(picture);
    for (let at = first; at <= last; at = at === first ? second : at + 1) {
      const decodedAt = decoded[at] ?? 0;
      this.#picture.add(begins + decodedAt - origin, (shown[at] ?? 0) - decodedAt - delayed, keyAt(at));
    }
  }

  /** @param offset seconds from the clip's own clock to that of the film */
  #addSound(sound: TrackTables, { from, to }: SoundPart, offset: number): void {
    if (from >= to) return;
    let time = Math.round(soundTime(sound, from) + offset * sound.scale);
    if (this.#sound.count === 0) this.#soundOrigin = time;
    time -= this.#soundOrigin;
    if (this.#sound.count > 0) time = Math.max(time, this.#sound.last + 1);
    for (const [samples, lasts] of sound.durations.between(from, to)) {
      this.#sound.addRun(time, samples, lasts);
      time += samples * lasts;
    }
  }

  #addBytes(
    clip: number,
    size: number,
    picture: PictureTables,
    sound: TrackTables | null,
    part: PicturePart,
    heard: SoundPart | null,
  ): void {
    const pictures = [...chunksBetween(picture, part.first, part.first + 1)];
    if (part.second <= part.last) {
      // One chunk where both lie beside each other.
      if (part.second === part.first + 1) pictures.length = 0;
      const from = part.second === part.first + 1 ? part.first : part.second;
      for (const chunk of chunksBetween(picture, from, part.last + 1)) pictures.push(chunk);
    }
    const sounds = sound === null || heard === null ? [] : [...chunksBetween(sound, heard.from, heard.to)];
    const place = this.#isPlain
      ? this.#addStretches(clip, [...stretches(picture, pictures), ...(sound === null ? [] : stretches(sound, sounds))])
      : this.#addWhole(clip, size);
    for (const { at, samples } of pictures) this.#picture.addChunk(place(at), samples);
    for (const { at, samples } of sounds) this.#sound.addChunk(place(at), samples);
    const { count } = this.#picture;
    this.#picture.addSizes(count, picture.sizes, part.first, part.first + 1);
    if (part.second <= part.last) this.#picture.addSizes(count + 1, picture.sizes, part.second, part.last + 1);
    if (sound !== null && heard !== null && heard.from < heard.to)
      this.#sound.addSizes(this.#sound.count, sound.sizes, heard.from, heard.to);
  }

  #addWhole(clip: number, size: number): (at: number) => number {
    const base = this.#media;
    this.#slices.push({ clip, at: 0, length: size });
    this.#media += size;
    return (at) => base + at;
  }

  /** Adds the stretches in which chunks lie; chunks beside each other are one. */
  #addStretches(clip: number, chunks: { readonly at: number; readonly length: number }[]): (at: number) => number {
    chunks.sort((one, other) => one.at - other.at);
    const begins: number[] = [];
    const places: number[] = [];
    let [at, length] = [0, 0];
    const push = () => {
      if (length === 0) return;
      this.#slices.push({ clip, at, length });
      begins.push(at);
      places.push(this.#media);
      this.#media += length;
    };
    for (const chunk of chunks) {
      if (chunk.length === 0) continue;
      if (length > 0 && chunk.at === at + length) length += chunk.length;
      else {
        push();
        [at, length] = [chunk.at, chunk.length];
      }
    }
    push();
    return (wanted) => {
      let [low, high] = [0, begins.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((begins[middle] ?? 0) <= wanted) low = middle + 1;
        else high = middle;
      }
      // Samples of no bytes lie anywhere.
      return low === 0 ? 0 : Math.min((places[low - 1] ?? 0) + wanted - (begins[low - 1] ?? 0), this.#media);
    };
  }

  #gapBefore(key: string): void {
    const before = this.#before;
    if (before === null) return;
    const seconds = this.#passed(before, key);
    if (seconds > LEAST_GAP_SECONDS) this.#gaps.push({ after: before.key, seconds: rounded(seconds) });
  }

  /** Seconds from the end of a clip to the beginning of another. */
  #passed(before: Taken, key: string): number {
    // From beginning to beginning: when clocks change within a clip, its end is at no time of the wall.
    return secondsBetween(secondsOf(before.key), secondsOf(key), this.#zone) - before.seconds;
  }

  #refuse({ key, to }: FilmClip, reason: Refusal): void {
    const words = REFUSALS[reason];
    this.#refused = { key, words, to };
    this.#cause ??= { key, words, ends: null };
  }

  #end(key: string, words: string, side: "before" | "after"): void {
    this.#isOver = true;
    this.#cause = { key, words, ends: side };
  }

  #ending(): Pick<FilmFacts, "gaps" | "cannot"> {
    const [refused, before] = [this.#refused, this.#before];
    if (this.#cause === null || before === null) return { gaps: this.#gaps, cannot: this.#cause };
    if (this.#isOver || refused === null) return { gaps: this.#gaps, cannot: this.#cause };
    const seconds = this.#passed(before, refused.key) + Math.min(USUAL_SECONDS, refused.to);
    const last = seconds > 0 ? [{ after: before.key, seconds: rounded(seconds) }] : [];
    return { gaps: [...this.#gaps, ...last], cannot: { ...this.#cause, ends: "before" } };
  }
}

/** Where chunks lie, and how long they are. */
function stretches({ sizes }: TrackTables, chunks: readonly Chunk[]) {
  return chunks.map(({ at, first, samples }) => ({ at, length: bytesBetween(sizes, first, first + samples) }));
}

/** The end of a clip, by its pictures or by the sound that goes on a little longer, in ticks of the pictures. */
function withTail(end: number, scale: number, sound: TrackTables): number {
  const last = Math.min(sound.durations.sumBefore(sound.count) + sound.shift, sound.shownTo) / sound.scale;
  const tail = last - end / scale;
  return tail > 0 && tail <= LONGEST_TAIL_SECONDS ? Math.ceil(last * scale) : end;
}

/** Tells of rising numbers of pictures which ones stand by themselves. */
function keyCursor({ keys }: PictureTables): (picture: number) => boolean {
  let row = 0;
  return (picture) => {
    if (keys === null) return true;
    while (row < keys.length && (keys[row] ?? 0) < picture) row++;
    return keys[row] === picture;
  };
}

/** Milliseconds; sums of fractions would have more digits than mean anything. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
