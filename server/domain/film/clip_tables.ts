import { type Box, boxesIn } from "../recordings/mp4_boxes.ts";
import { swapWords, viewOf } from "../recordings/mp4_writing.ts";
import { ClipRefused } from "./clip_refusal.ts";
import { pictureEntry, type SampleEntry, soundEntry } from "./sample_entry.ts";
import { SampleRuns } from "./sample_runs.ts";

/** Where the samples of one track lie, and when each is shown (ISO/IEC 14496-12 §8.5 to §8.7). */
export interface TrackTables {
  /** Ticks of a second; all times are in them. */
  readonly scale: number;
  readonly entry: SampleEntry;
  readonly count: number;
  /** Duration of each sample, in the order of decoding. */
  readonly durations: SampleRuns;
  /** Delay from decoding to showing of each sample; null when that is the same for all. */
  readonly delays: SampleRuns | null;
  /** Bytes of each sample, or of every sample. */
  readonly sizes: Uint32Array | number;
  /** Position of each chunk in the file. */
  readonly chunks: Float64Array;
  /** The first sample of each chunk, and the count behind the last. */
  readonly chunkFirsts: Uint32Array;
  /** Samples that stand by themselves, rising; null when all do. */
  readonly keys: Uint32Array | null;
  /** Added to the time of decoding and the delay it gives the time on the clip's own clock, on which players begin at 0. */
  readonly shift: number;
  /** Times on that clock between which samples are shown. */
  readonly shownFrom: number;
  readonly shownTo: number;
}

export interface PictureTables extends TrackTables {
  readonly width: number;
  readonly height: number;
  /** Nine numbers by which pictures are turned (§8.3.2.3), as they stand in the header. */
  readonly matrix: Uint8Array;
}

/** A clip's index, as small as its samples can be found with. */
export interface ClipTables {
  readonly picture: PictureTables;
  /** Null without sound. */
  readonly sound: TrackTables | null;
  /** Tracks of pictures and of sound; a film has the first of each. */
  readonly tracks: string;
  /** Memory that this takes. */
  readonly bytes: number;
}

/** A stretch of a file. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Cameras write a picture, a sound and perhaps a text. */
const MOST_TRACKS = 16;
/** Pictures of two hours, 120 a second. */
const MOST_PICTURES = 1_000_000;
/** Cameras begin a new file every few minutes. */
const LONGEST_SECONDS = 86_400;
/** B-frames delay pictures by some tenths of a second. */
const LONGEST_DELAY_SECONDS = 60;
const VIDEO = 0x7669_6465;
const SOUND = 0x736f_756e;
const NORMAL_RATE = 0x1_0000;
const FULL_HEADER = 4;

/**
 * Reads the tables of a clip. Nothing is taken at its word: a count is as large as its box has room for, and samples lie
 * where the file has media, none over another.
 * @param movie the content of its `moov` box, mended where it needs to be
 * @param media the contents of its `mdat` boxes, rising
 * @throws ClipRefused
 */
export function readClip(movie: Uint8Array, media: readonly Stretch[]): ClipTables {
  try {
    return read(movie, media);
  } catch (error) {
    // A table that says more than it has.
    throw error instanceof RangeError ? new ClipRefused("damaged") : error;
  }
}

function read(movie: Uint8Array, media: readonly Stretch[]): ClipTables {
  const tables = new Tables(movie);
  const whole: Place = { content: 0, end: movie.length };
  if (tables.inside(whole, "mvex") !== null) throw new ClipRefused("fragments");
  const tracks = tables.within(whole).filter(({ type }) => type === "trak");
  if (tracks.length > MOST_TRACKS) throw new ClipRefused("damaged");
  const header = tables.needed(whole, "mvhd");
  const movieScale = tables.u32(header.content + (tables.u8(header.content) === 1 ? 20 : 12));
  const kinds = tracks.map((track) => {
    const handler = tables.found(track, ["mdia", "hdlr"]);
    return handler === null ? 0 : tables.u32(handler.content + 8);
  });
  const pictureAt = kinds.indexOf(VIDEO);
  const pictures = tracks[pictureAt];
  if (pictures === undefined) throw new ClipRefused("pictures");
  const picture = pictureOf(tables, pictures, movieScale);
  if (picture.count === 0) throw new ClipRefused("pictures");
  const sounds = tracks[kinds.indexOf(SOUND)];
  const read = sounds === undefined ? null : trackOf(tables, sounds, movieScale, soundEntry);
  const sound = read?.count ? read : null;
  checkPlaces(sound === null ? [picture] : [picture, sound], media);
  const counted = kinds.filter(
    (kind, at) => kind === VIDEO || (kind === SOUND && (sound !== null || at !== kinds.indexOf(SOUND))),
  );
  return {
    picture,
    sound,
    tracks: `${counted.filter((kind) => kind === VIDEO).length} ${counted.filter((kind) => kind === SOUND).length}`,
    bytes: bytesOf(picture) + (sound === null ? 0 : bytesOf(sound)),
  };
}

type Place = Pick<Box, "content" | "end">;

/** The index in memory; reading beyond its end throws a RangeError. */
class Tables {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  /** Boxes in a box, by where its content begins. */
  readonly #within = new Map<number, readonly Box[]>();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = viewOf(bytes);
  }

  within({ content, end }: Place): readonly Box[] {
    const known = this.#within.get(content);
    if (known !== undefined) return known;
    const boxes = [...boxesIn(this.bytes, content, end)];
    if (boxes.some((box) => box.end > end)) throw new ClipRefused("damaged");
    this.#within.set(content, boxes);
    return boxes;
  }

  inside(place: Place, type: string): Box | null {
    return this.within(place).find((box) => box.type === type) ?? null;
  }

  found(place: Place, path: readonly string[]): Box | null {
    let at: Place = place;
    let box: Box | null = null;
    for (const type of path) {
      box = this.inside(at, type);
      if (box === null) return null;
      at = box;
    }
    return box;
  }

  needed(place: Place, ...path: readonly string[]): Box {
    const box = this.found(place, path);
    if (box === null) throw new ClipRefused("damaged");
    return box;
  }

  u8(at: number): number {
    return this.#view.getUint8(at);
  }

  u16(at: number): number {
    return this.#view.getUint16(at);
  }

  u32(at: number): number {
    return this.#view.getUint32(at);
  }

  i32(at: number): number {
    return this.#view.getInt32(at);
  }

  /** So many numbers of 32 bits, one after the other. */
  words(at: number, count: number): Uint32Array {
    if (at + 4 * count > this.bytes.length) throw new RangeError("The table is longer than its box");
    const buffer = new ArrayBuffer(4 * count);
    new Uint8Array(buffer).set(this.bytes.subarray(at, at + 4 * count));
    const words = new Uint32Array(buffer);
    swapWords(words);
    return words;
  }

  u64(at: number): number {
    return Number(this.#view.getBigUint64(at));
  }

  i64(at: number): number {
    return Number(this.#view.getBigInt64(at));
  }

  /** A table's number of rows, for which there is room in its box. @param at where the number stands, from the content on */
  rows({ content, end }: Place, at: number, rowBytes: number): number {
    const count = this.u32(content + at);
    if (count * rowBytes > end - content - at - 4) throw new ClipRefused("damaged");
    return count;
  }
}

function pictureOf(tables: Tables, track: Box, movieScale: number): PictureTables {
  const header = tables.needed(track, "tkhd");
  const known = trackOf(tables, track, movieScale, pictureEntry);
  if (known.count > MOST_PICTURES) throw new ClipRefused("large");
  const { end } = header;
  if (end - header.content < 84) throw new ClipRefused("damaged");
  return {
    ...known,
    matrix: tables.bytes.slice(end - 44, end - 8),
    width: tables.u32(end - 8),
    height: tables.u32(end - 4),
  };
}

type EntryReader = (movie: Uint8Array, entry: Box) => SampleEntry;

function trackOf(tables: Tables, track: Box, movieScale: number, entryOf: EntryReader): TrackTables {
  const media = tables.needed(track, "mdia");
  const clock = tables.needed(media, "mdhd");
  const scale = tables.u32(clock.content + (tables.u8(clock.content) === 1 ? 20 : 12));
  if (scale === 0) throw new ClipRefused("damaged");
  const samples = tables.needed(media, "minf", "stbl");
  const entry = entryOf(tables.bytes, onlyEntry(tables, tables.needed(samples, "stsd")));
  const { sizes, count } = sizesOf(tables, samples);
  const runs = tables.needed(samples, "stts");
  const durations = new SampleRuns(pairs(tables, runs, count), rowsUpTo(tables, runs, count));
  const total = durations.sumBefore(count);
  if (count > 0 && !(total > 0 && total <= LONGEST_SECONDS * scale)) throw new ClipRefused("damaged");
  const { shift: edited, shownFrom, shownTo } = editOf(tables, track, scale, movieScale);
  const { delays, delay } = delaysOf(tables, samples, count, scale);
  return {
    scale,
    entry,
    count,
    durations,
    delays,
    sizes,
    ...chunksOf(tables, samples, count),
    keys: keysOf(tables, samples, count),
    shift: edited + delay,
    shownFrom,
    shownTo,
  };
}

/** Files whose samples are coded in several ways in turn are none of a camera's. */
function onlyEntry(tables: Tables, descriptions: Box): Box {
  const [entry] = tables.within({ content: descriptions.content + 8, end: descriptions.end });
  if (entry === undefined || tables.u32(descriptions.content + FULL_HEADER) !== 1) throw new ClipRefused("edited");
  return entry;
}

/** Sizes of samples, in either form (§8.7.3). */
function sizesOf(tables: Tables, samples: Box): { readonly sizes: Uint32Array | number; readonly count: number } {
  const plain = tables.inside(samples, "stsz");
  if (plain !== null) {
    const each = tables.u32(plain.content + FULL_HEADER);
    if (each > 0) return { sizes: each, count: tables.u32(plain.content + 8) };
    const count = tables.rows(plain, 8, 4);
    return { sizes: tables.words(plain.content + 12, count), count };
  }
  const compact = tables.needed(samples, "stz2");
  const bits = tables.u8(compact.content + 7);
  if (bits !== 4 && bits !== 8 && bits !== 16) throw new ClipRefused("damaged");
  const count = tables.rows(compact, 8, bits / 8);
  const sizes = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    const place = compact.content + 12 + Math.floor((at * bits) / 8);
    sizes[at] = bits === 16 ? tables.u16(place) : bits === 8 ? tables.u8(place) : halfByte(tables.u8(place), at);
  }
  return { sizes, count };
}

function halfByte(byte: number, at: number): number {
  return at % 2 === 0 ? byte >> 4 : byte & 15;
}

/** Rows of a table of runs that the samples need. */
function rowsUpTo(tables: Tables, runs: Box, count: number): number {
  const rows = tables.rows(runs, FULL_HEADER, 8);
  let samples = 0;
  for (let row = 0; row < rows; row++) {
    if (samples >= count) return row;
    samples += tables.u32(runs.content + 8 + 8 * row);
  }
  // Samples without a time.
  if (samples < count) throw new ClipRefused("damaged");
  return rows;
}

/** The runs of a table, cut where the samples end. */
function* pairs(tables: Tables, runs: Box, count: number, isSigned = false): Generator<readonly [number, number]> {
  const rows = rowsUpTo(tables, runs, count);
  for (let [row, left] = [0, count]; row < rows; row++) {
    const at = runs.content + 8 + 8 * row;
    const samples = Math.min(left, tables.u32(at));
    left -= samples;
    yield [samples, isSigned ? tables.i32(at + 4) : tables.u32(at + 4)];
  }
}

/** Delay from decoding to showing of samples (§8.6.1.3); signed in both versions, as writers have it. */
function delaysOf(tables: Tables, samples: Box, count: number, scale: number) {
  const runs = tables.inside(samples, "ctts");
  if (runs === null || count === 0) return { delays: null, delay: 0 };
  const delays = new SampleRuns(pairs(tables, runs, count, true), rowsUpTo(tables, runs, count));
  const [least, most] = delays.extremes;
  if (Math.max(-least, most) > LONGEST_DELAY_SECONDS * scale) throw new ClipRefused("damaged");
  return least === most ? { delays: null, delay: least } : { delays, delay: 0 };
}

/** Positions of chunks, and which samples are in each (§8.7.4, §8.7.5). */
function chunksOf(tables: Tables, samples: Box, count: number): Pick<TrackTables, "chunks" | "chunkFirsts"> {
  const short = tables.inside(samples, "stco");
  const places = short ?? tables.needed(samples, "co64");
  const placeBytes = short === null ? 8 : 4;
  const all = tables.rows(places, FULL_HEADER, placeBytes);
  const runs = tables.needed(samples, "stsc");
  const rows = tables.rows(runs, FULL_HEADER, 12);
  const firsts = new Uint32Array(all + 1);
  let [chunk, sample] = [0, 0];
  for (let row = 0; row < rows && sample < count; row++) {
    const at = runs.content + 8 + 12 * row;
    const each = tables.u32(at + 4);
    const next = row + 1 < rows ? tables.u32(at + 12) - 1 : all;
    if (tables.u32(at) !== chunk + 1 || each === 0 || next <= chunk || tables.u32(at + 8) !== 1)
      throw new ClipRefused("damaged");
    for (; chunk < next && chunk < all && sample < count; chunk++) {
      firsts[chunk] = sample;
      sample = Math.min(count, sample + each);
    }
  }
  if (sample < count) throw new ClipRefused("damaged");
  firsts[chunk] = count;
  const first = places.content + 8;
  const shorts = short === null ? null : tables.words(first, chunk);
  const chunks = new Float64Array(chunk);
  for (let at = 0; at < chunk; at++) chunks[at] = shorts?.[at] ?? tables.u64(first + placeBytes * at);
  return { chunks, chunkFirsts: firsts.slice(0, chunk + 1) };
}

function keysOf(tables: Tables, samples: Box, count: number): Uint32Array | null {
  const sync = tables.inside(samples, "stss");
  if (sync === null) return null;
  const rows = tables.rows(sync, FULL_HEADER, 4);
  const keys = tables.words(sync.content + 8, rows);
  for (let [row, before] = [0, 0]; row < rows; row++) {
    const number = keys[row] ?? 0;
    if (number <= before || number > count) throw new ClipRefused("damaged");
    keys[row] = number - 1;
    before = number;
  }
  return rows === count ? null : keys;
}

/** Folds a track's edit list (§8.6.6) into one shift: a wait at most, then one stretch of the track at its own speed. */
function editOf(tables: Tables, track: Box, scale: number, movieScale: number) {
  const list = tables.found(track, ["edts", "elst"]);
  const whole = { shift: 0, shownFrom: Number.NEGATIVE_INFINITY, shownTo: Number.POSITIVE_INFINITY };
  if (list === null) return whole;
  const isLong = tables.u8(list.content) === 1;
  const rows = tables.rows(list, FULL_HEADER, isLong ? 20 : 12);
  if (rows > 0 && movieScale === 0) throw new ClipRefused("damaged");
  let wait = 0;
  for (let row = 0; row < rows; row++) {
    const at = list.content + 8 + (isLong ? 20 : 12) * row;
    const lasts = isLong ? tables.u64(at) : tables.u32(at);
    const from = isLong ? tables.i64(at + 8) : tables.i32(at + 4);
    const ticks = Math.round((lasts / movieScale) * scale);
    if (from === -1) {
      wait += ticks;
      continue;
    }
    const rate = tables.u32(at + (isLong ? 16 : 8));
    if (from < 0 || rate !== NORMAL_RATE || wait > LONGEST_DELAY_SECONDS * scale) throw new ClipRefused("edited");
    for (let more = row + 1; more < rows; more++) {
      const next = list.content + 8 + (isLong ? 20 : 12) * more;
      if ((isLong ? tables.i64(next + 8) : tables.i32(next + 4)) !== -1) throw new ClipRefused("edited");
    }
    return { shift: wait - from, shownFrom: wait, shownTo: lasts === 0 ? whole.shownTo : wait + ticks };
  }
  return whole;
}

/** Looks whether every chunk lies within media, and over no other. @throws ClipRefused */
function checkPlaces(tracks: readonly TrackTables[], media: readonly Stretch[]): void {
  const [places, lengths] = chunksOfAll(tracks);
  const order = orderOf(places);
  let [stretch, free] = [0, 0];
  for (let row = 0; row < places.length; row++) {
    const chunk = order === null ? row : (order[row] ?? 0);
    const at = places[chunk] ?? 0;
    const end = at + (lengths[chunk] ?? 0);
    // Samples of no bytes lie nowhere.
    if (end === at) continue;
    let room = media[stretch];
    while (room !== undefined && at >= room.to) room = media[++stretch];
    if (room === undefined || at < room.from || at < free || end > room.to) throw new ClipRefused("damaged");
    free = end;
  }
}

/** The chunks of one track, or those of two merged by place as far as each is in order. */
function chunksOfAll([one, other]: readonly TrackTables[]): readonly [places: Float64Array, lengths: Float64Array] {
  const here = one?.chunks ?? new Float64Array(0);
  const hereLengths = lengthsOf(one);
  if (other === undefined) return [here, hereLengths];
  const there = other.chunks;
  const thereLengths = lengthsOf(other);
  const places = new Float64Array(here.length + there.length);
  const lengths = new Float64Array(places.length);
  for (let [at, left, right] = [0, 0, 0]; at < places.length; at++) {
    const isHere = right === there.length || (left < here.length && (here[left] ?? 0) <= (there[right] ?? 0));
    places[at] = (isHere ? here[left] : there[right]) ?? 0;
    lengths[at] = (isHere ? hereLengths[left] : thereLengths[right]) ?? 0;
    if (isHere) left++;
    else right++;
  }
  return [places, lengths];
}

/** Bytes of each chunk. */
function lengthsOf(track: TrackTables | undefined): Float64Array {
  const lengths = new Float64Array(track?.chunks.length ?? 0);
  if (track === undefined) return lengths;
  const { sizes, chunkFirsts } = track;
  for (let [chunk, from] = [0, 0]; chunk < lengths.length; chunk++) {
    const to = chunkFirsts[chunk + 1] ?? 0;
    let sum = 0;
    // In this loop, and not one call for each chunk: an index has some hundred.
    if (typeof sizes === "number") sum = sizes * (to - from);
    else for (let at = from; at < to; at++) sum += sizes[at] ?? 0;
    lengths[chunk] = sum;
    from = to;
  }
  return lengths;
}

/** Numbers of chunks by place; null when they are in order already. */
function orderOf(chunks: Float64Array): Uint32Array | null {
  for (let at = 1; at < chunks.length; at++)
    if ((chunks[at] ?? 0) < (chunks[at - 1] ?? 0))
      return Uint32Array.from(chunks.keys()).sort((one, other) => (chunks[one] ?? 0) - (chunks[other] ?? 0));
  return null;
}

/** Bytes of the samples from one to another, the latter not included. */
export function bytesBetween(sizes: Uint32Array | number, from: number, to: number): number {
  if (typeof sizes === "number") return sizes * (to - from);
  let sum = 0;
  for (let at = from; at < to; at++) sum += sizes[at] ?? 0;
  return sum;
}

function bytesOf({ sizes, chunks, chunkFirsts, keys, durations, delays }: TrackTables): number {
  const sizeBytes = typeof sizes === "number" ? 0 : sizes.byteLength;
  const runs = durations.bytes + (delays?.bytes ?? 0);
  return sizeBytes + chunks.byteLength + chunkFirsts.byteLength + (keys?.byteLength ?? 0) + runs + 1024;
}
