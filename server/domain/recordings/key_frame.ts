import { applyPatches, type HeaderPatch } from "./hevc_header.ts";
import { type Box, boxesOf, type ReadAt, windowed } from "./mp4_boxes.ts";
import { box, concat, letters, words } from "./mp4_writing.ts";

/** The index of an hour has some megabytes; a longer one is no camera's. */
const LARGEST_INDEX = 8 * 1024 * 1024;
/** A picture of 4K in full quality has one or two. */
const LARGEST_PICTURE = 16 * 1024 * 1024;
/** Pictures of two hours, 120 a second. */
const MOST_PICTURES = 1_000_000;
const LONGEST_32 = 0xffff_ffff;

/** A video of one picture, as it lies in a longer one. */
export interface KeyFrame {
  /** Its number among all pictures, from 0. */
  readonly sample: number;
  /** Position of its bytes in the file. */
  readonly at: number;
  readonly length: number;
  /** Bytes before them in a video of that picture alone. */
  readonly head: Uint8Array;
}

/**
 * Returns the picture that stands by itself (ISO/IEC 14496-12 §8.6.2) at a time of a video or next before it. Its
 * header is of a video that has it alone: browsers show that at the cost of one picture, whatever the video's length.
 * It reads the index, and none of the pictures.
 * @param seconds since the beginning
 * @param patches mends of the header for browsers
 * @returns null for a video without such an index, such as one in fragments
 */
export async function keyFrameAt(
  size: number,
  readAt: ReadAt,
  seconds: number,
  patches: readonly HeaderPatch[] = [],
): Promise<KeyFrame | null> {
  const movie = await firstOf(boxesOf(windowed(readAt), 0, size), "moov");
  if (movie === null || movie.end > size || movie.end - movie.content > LARGEST_INDEX) return null;
  const index = await readAt(movie.content, movie.end - movie.content);
  if (index.length < movie.end - movie.content) return null;
  const tables = new Tables(applyPatches(index, movie.content, patches));
  try {
    return await keyFrameIn(tables, size, seconds);
  } catch (error) {
    // A table that says more than it has.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

async function keyFrameIn(tables: Tables, size: number, seconds: number): Promise<KeyFrame | null> {
  const header = await tables.box("mvhd");
  const track = await tables.pictures();
  if (header === null || track === null) return null;
  const media = await tables.inside(track, "mdia");
  const information = media && (await tables.inside(media, "minf"));
  const samples = information && (await tables.inside(information, "stbl"));
  const parts = samples && (await tables.all(samples, ["stsd", "stts", "stsz", "stsc"]));
  const places = samples && ((await tables.inside(samples, "stco")) ?? (await tables.inside(samples, "co64")));
  const trackHeader = await tables.inside(track, "tkhd");
  const mediaHeader = media && (await tables.inside(media, "mdhd"));
  const beside = information && (await tables.all(information, ["vmhd", "dinf"]));
  const handler = media && (await tables.inside(media, "hdlr"));
  if (!parts || !places || !trackHeader || !mediaHeader || !beside || !handler) return null;
  const [descriptions, times, sizes, runs] = parts as [Box, Box, Box, Box];
  const { scale, length: lasts } = tables.clockOf(mediaHeader);
  const sync = await tables.inside(samples, "stss");
  const sample = tables.keyBefore(sync, tables.sampleAt(times, seconds * scale));
  if (sample > MOST_PICTURES) return null;
  const at = tables.placeOf(sample, runs, places, sizes);
  const length = tables.sizeOf(sizes, sample);
  if (at === null || length === 0 || length > LARGEST_PICTURE || at + length > size) return null;

  const table = box(
    "stbl",
    tables.whole(descriptions),
    box("stts", words(0, 1, 1, Math.max(1, Math.min(LONGEST_32, lasts)))),
    box("stsc", words(0, 1, 1, 1, 1)),
    box("stsz", words(0, 0, 1, length)),
  );
  const head = (place: number) => {
    const stbl = joined("stbl", table, box("stco", words(0, 1, place)));
    const minf = box("minf", ...beside.map((one) => tables.whole(one)), stbl);
    const mdia = box("mdia", tables.whole(mediaHeader), tables.whole(handler), minf);
    const moov = box("moov", tables.whole(header), box("trak", tables.whole(trackHeader), mdia));
    return concat(FILE_TYPE, moov, words(length + 8), letters("mdat"));
  };
  // Its own length says where the picture begins.
  return { sample, at, length, head: head(head(0).length) };
}

/** The index of a video in memory. Reading beyond its end throws a RangeError. */
class Tables {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  async box(type: string): Promise<Box | null> {
    return await firstOf(boxesOf(this.#read, 0, this.#bytes.length), type);
  }

  async inside({ content, end }: Box, type: string): Promise<Box | null> {
    return await firstOf(boxesOf(this.#read, content, end), type);
  }

  /** These boxes in this order; null where one is missing. */
  async all(box: Box, types: readonly string[]): Promise<readonly Box[] | null> {
    const found: Box[] = [];
    for (const type of types) {
      const one = await this.inside(box, type);
      if (one === null) return null;
      found.push(one);
    }
    return found;
  }

  /** The first track of pictures (§8.4.3). */
  async pictures(): Promise<Box | null> {
    for await (const track of boxesOf(this.#read, 0, this.#bytes.length)) {
      if (track.type !== "trak") continue;
      const media = await this.inside(track, "mdia");
      const handler = media && (await this.inside(media, "hdlr"));
      if (handler && this.#number(handler.content + 8) === 0x76696465) return track;
    }
    return null;
  }

  /** The ticks of a second, and how many ticks the track lasts (§8.4.2). */
  clockOf({ content }: Box): { readonly scale: number; readonly length: number } {
    const isLong = this.#view.getUint8(content) === 1;
    const length = isLong ? Number(this.#view.getBigUint64(content + 24)) : this.#number(content + 16);
    return { scale: this.#number(content + (isLong ? 20 : 12)), length };
  }

  /** The picture at so many ticks, as the times of pictures tell it (§8.6.1.2); the last one behind the end. */
  sampleAt({ content }: Box, ticks: number): number {
    let sample = 0;
    let from = 0;
    for (let row = 0; row < this.#number(content + 4); row++) {
      const count = this.#number(content + 8 + 8 * row);
      const each = this.#number(content + 12 + 8 * row);
      if (ticks < from + count * each) return sample + Math.max(0, Math.floor((ticks - from) / each));
      sample += count;
      from += count * each;
    }
    return Math.max(0, sample - 1);
  }

  /** The last picture up to this one that stands by itself; all of them do where nothing is said (§8.6.2). */
  keyBefore(sync: Box | null, sample: number): number {
    if (sync === null) return sample;
    let key = 0;
    for (let row = 0; row < this.#number(sync.content + 4); row++) {
      const number = this.#number(sync.content + 8 + 4 * row) - 1;
      if (number > sample) break;
      key = Math.max(0, number);
    }
    return key;
  }

  /** Bytes of a picture (§8.7.3.2). */
  sizeOf({ content }: Box, sample: number): number {
    const each = this.#number(content + 4);
    if (each > 0) return each;
    return sample < this.#number(content + 8) ? this.#number(content + 12 + 4 * sample) : 0;
  }

  /** Returns the position of a picture's bytes in the file (§8.7.4, §8.7.5); null when no chunk has it. */
  placeOf(sample: number, runs: Box, places: Box, sizes: Box): number | null {
    const chunks = this.#number(places.content + 4);
    const rows = this.#number(runs.content + 4);
    let first = 0;
    for (let row = 0; row < rows; row++) {
      const at = runs.content + 8 + 12 * row;
      const from = this.#number(at) - 1;
      const each = this.#number(at + 4);
      const to = row + 1 < rows ? this.#number(at + 12) - 1 : chunks;
      const count = Math.max(0, Math.min(to, chunks) - from) * each;
      if (sample >= first + count) {
        first += count;
        continue;
      }
      const chunk = from + Math.floor((sample - first) / each);
      let place =
        places.type === "co64"
          ? Number(this.#view.getBigUint64(places.content + 8 + 8 * chunk))
          : this.#number(places.content + 8 + 4 * chunk);
      for (let before = first + (chunk - from) * each; before < sample; before++) place += this.sizeOf(sizes, before);
      return place;
    }
    return null;
  }

  /** Returns a box with its head in the form of 32-bit length. */
  whole({ type, content, end }: Box): Uint8Array {
    return box(type, this.#bytes.subarray(content, end));
  }

  readonly #read: ReadAt = async (offset, length) => this.#bytes.subarray(offset, offset + length);

  #number(at: number): number {
    return this.#view.getUint32(at);
  }
}

async function firstOf(boxes: AsyncGenerator<Box>, type: string): Promise<Box | null> {
  for await (const one of boxes) if (one.type === type) return one;
  return null;
}

/** A box that goes on with more boxes. */
function joined(type: string, begun: Uint8Array, ...more: readonly Uint8Array[]): Uint8Array {
  return box(type, begun.subarray(8), ...more);
}

const FILE_TYPE = box("ftyp", letters("isom"), words(0), letters("isomiso2mp41"));
