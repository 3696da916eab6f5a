import { boxesIn } from "../recordings/mp4_boxes.ts";
import {
  box,
  concat,
  fullBox,
  halves,
  type Loose,
  letters,
  longWord,
  looseBox,
  looseFullBox,
  swapWords,
  viewOf,
  words,
} from "../recordings/mp4_writing.ts";
import type { PictureTables, TrackTables } from "./clip_tables.ts";
import type { FilmTrack, Runs } from "./film_track.ts";

/** Bytes before a film's media. */
export interface HeaderContent {
  /** The first clip's tables tell how all are coded. */
  readonly picture: { readonly tables: PictureTables; readonly track: FilmTrack };
  readonly sound: { readonly tables: TrackTables; readonly track: FilmTrack } | null;
  /** When the sound begins on the film's clock, in its ticks: before the pictures when less than 0. */
  readonly soundOrigin: number;
  /** In ticks of the pictures, which are the film's own. */
  readonly length: number;
  /** True when the last pictures are there for others, and not to be shown. */
  readonly hasMore: boolean;
  /** Bytes of the media. */
  readonly media: number;
}

const LONGEST_32 = 0xffff_ffff;
/** Turns nothing (ISO/IEC 14496-12 §8.3.2.3). */
const UPRIGHT = words(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);
/** `und`: no language is told. */
const UNKNOWN_LANGUAGE = 0x55c4;
const PICTURE_TRACK = 1;
const SOUND_TRACK = 2;
const ENABLED_IN_MOVIE = 3;
/** The data of a track lies in the same file. */
const SELF_CONTAINED = 1;
const NORMAL_RATE = 0x1_0000;

/** Everything before the media of a film (ISO/IEC 14496-12): its type, its index, and the head of its media. */
export function filmHeader(content: HeaderContent): Uint8Array {
  const type = fileType(content);
  const mediaHead = content.media + 8 > LONGEST_32 ? 16 : 8;
  let placeBytes: 4 | 8 = 4;
  let movie = index(content, placeBytes);
  const lengthOfMovie = () => movie.reduce((sum, part) => sum + part.length, 0);
  // Its own length says where the media begin.
  let start = type.length + lengthOfMovie() + mediaHead;
  if (start + content.media > LONGEST_32) {
    placeBytes = 8;
    movie = index(content, placeBytes);
    start = type.length + lengthOfMovie() + mediaHead;
  }
  const head =
    mediaHead === 8
      ? concat(words(content.media + 8), letters("mdat"))
      : concat(words(1), letters("mdat"), longWord(content.media + 16));
  const header = concat(type, ...movie, head);
  movePlaces(header, start, placeBytes);
  return header;
}

/** Moves the places of all chunks by where the media begin. */
function movePlaces(header: Uint8Array, start: number, placeBytes: 4 | 8): void {
  const inside = (from: number, to: number, ...path: readonly string[]): void => {
    const [type, ...deeper] = path;
    for (const box of boxesIn(header, from, to)) {
      if (box.type !== type) continue;
      if (deeper.length > 0) {
        inside(box.content, box.end, ...deeper);
        continue;
      }
      const view = viewOf(header.subarray(box.content + 8, box.end));
      for (let at = 0; at + placeBytes <= view.byteLength; at += placeBytes)
        if (placeBytes === 4) view.setUint32(at, view.getUint32(at) + start);
        else view.setBigUint64(at, view.getBigUint64(at) + BigInt(start));
    }
  };
  inside(0, header.length, "moov", "trak", "mdia", "minf", "stbl", placeBytes === 4 ? "stco" : "co64");
}

function fileType({ picture, sound }: HeaderContent): Uint8Array {
  const isQuickTime = picture.tables.entry.isQuickTime || (sound?.tables.entry.isQuickTime ?? false);
  const brands = isQuickTime ? ["qt  ", "isom", "iso4"] : ["isom", "iso4", "mp41", "mp42"];
  return box("ftyp", letters(brands[0] ?? ""), words(512), letters(brands.join("")));
}

function index(content: HeaderContent, placeBytes: 4 | 8): Loose {
  const { picture, sound, length } = content;
  const { scale, width, height, matrix } = picture.tables;
  const soundLength = sound === null ? 0 : soundEnd(content);
  const movie = fullBox(
    "mvhd",
    versionOf(length),
    0,
    times(length, 0, 0, scale),
    words(0x1_0000),
    halves(0x100, 0),
    words(0, 0),
    UPRIGHT,
    words(0, 0, 0, 0, 0, 0, SOUND_TRACK + 1),
  );
  const shown = trackHeader(PICTURE_TRACK, length, 0, concat(matrix, words(width, height)));
  // Pictures that others need, and that come after the last one that is shown.
  const pictureEdits = content.hasMore ? edits([length, 0]) : [];
  const pictures = looseBox("trak", shown, ...pictureEdits, media(picture, "vide", placeBytes));
  if (sound === null) return looseBox("moov", movie, pictures);
  const heard = trackHeader(SOUND_TRACK, soundLength, 0x100, concat(UPRIGHT, words(0, 0)));
  const track = looseBox("trak", heard, ...soundEdits(content), media(sound, "soun", placeBytes));
  return looseBox("moov", movie, pictures, track);
}

/** The sound begins where its pictures do: what comes before is passed over, and what comes later is waited for. */
function soundEdits(content: HeaderContent): Uint8Array[] {
  const { soundOrigin, sound, picture } = content;
  if (soundOrigin === 0 || sound === null) return [];
  const end = soundEnd(content);
  if (soundOrigin < 0) return edits([end, -soundOrigin]);
  const wait = Math.round((soundOrigin / sound.tables.scale) * picture.tables.scale);
  return wait === 0 ? [] : edits([wait, -1], [Math.max(0, end - wait), 0]);
}

/** When the sound ends, in the film's ticks. */
function soundEnd({ sound, soundOrigin, picture }: HeaderContent): number {
  if (sound === null) return 0;
  return Math.round(((soundOrigin + lengthOf(sound.track)) / sound.tables.scale) * picture.tables.scale);
}

function edits(...rows: readonly (readonly [lasts: number, from: number])[]): Uint8Array[] {
  const isLong = rows.some(([lasts, from]) => lasts > LONGEST_32 || from > 0x7fff_ffff);
  const entries = rows.map(([lasts, from]) => {
    const numbers = isLong ? concat(longWord(lasts), signedLong(from)) : words(lasts, from);
    return concat(numbers, words(NORMAL_RATE));
  });
  return [box("edts", fullBox("elst", isLong ? 1 : 0, 0, words(rows.length), ...entries))];
}

function signedLong(number: number): Uint8Array {
  return number < 0 ? words(LONGEST_32, number >>> 0) : longWord(number);
}

function trackHeader(id: number, length: number, volume: number, shape: Uint8Array): Uint8Array {
  const version = versionOf(length);
  const ids =
    version === 1 ? concat(longWord(0), longWord(0), words(id, 0), longWord(length)) : words(0, 0, id, 0, length);
  return fullBox("tkhd", version, ENABLED_IN_MOVIE, ids, words(0, 0), halves(0, 0, volume, 0), shape);
}

function media(
  { tables, track }: { readonly tables: TrackTables; readonly track: FilmTrack },
  kind: "vide" | "soun",
  placeBytes: 4 | 8,
): Loose {
  const length = lengthOf(track);
  const name = kind === "vide" ? "VideoHandler" : "SoundHandler";
  const clock = fullBox("mdhd", versionOf(length), 0, times(length, 0, 0, tables.scale), halves(UNKNOWN_LANGUAGE, 0));
  const handler = fullBox("hdlr", 0, 0, words(0), letters(kind), words(0, 0, 0), letters(`${name}\0`));
  const about = kind === "vide" ? fullBox("vmhd", 0, 1, halves(0, 0, 0, 0)) : fullBox("smhd", 0, 0, halves(0, 0));
  const data = box("dinf", fullBox("dref", 0, 0, words(1), fullBox("url ", 0, SELF_CONTAINED)));
  return looseBox("mdia", clock, handler, looseBox("minf", about, data, samples(tables, track, placeBytes)));
}

function samples(tables: TrackTables, track: FilmTrack, placeBytes: 4 | 8): Loose {
  const { sizes } = track;
  return looseBox(
    "stbl",
    looseFullBox("stsd", 0, words(1), tables.entry.bytes),
    looseFullBox("stts", 0, runs(track.durations)),
    // Version 1: a picture may be shown earlier than the first one's delay would have it (§8.6.1.3).
    ...(track.hasDelays ? [looseFullBox("ctts", 1, runs(track.delays))] : []),
    ...(track.areAllKeys ? [] : [looseFullBox("stss", 0, words(track.keys.length), table(track.keys, 4))]),
    looseFullBox("stsc", 0, chunkRuns(track.chunkSamples)),
    typeof sizes === "number"
      ? looseFullBox("stsz", 0, words(sizes, track.count))
      : looseFullBox("stsz", 0, words(0, track.count), sizeTable(sizes)),
    looseFullBox(placeBytes === 4 ? "stco" : "co64", 0, words(track.chunks.length), table(track.chunks, placeBytes)),
  );
}

function runs(all: Runs): Uint8Array {
  const [counts, values] = all.all;
  const bytes = new Uint8Array(4 + 8 * counts.length);
  const view = viewOf(bytes);
  view.setUint32(0, counts.length);
  for (let row = 0; row < counts.length; row++) {
    view.setUint32(4 + 8 * row, counts[row] ?? 0);
    // The same bits for a number below 0.
    view.setUint32(8 + 8 * row, (values[row] ?? 0) >>> 0);
  }
  return bytes;
}

/** Rows of a table that says from which chunk on each has so many samples. */
function chunkRuns(all: Runs): Uint8Array {
  const [counts, values] = all.all;
  const bytes = new Uint8Array(4 + 12 * counts.length);
  const view = viewOf(bytes);
  view.setUint32(0, counts.length);
  for (let [row, chunk] = [0, 1]; row < counts.length; row++) {
    view.setUint32(4 + 12 * row, chunk);
    view.setUint32(8 + 12 * row, values[row] ?? 0);
    view.setUint32(12 + 12 * row, 1);
    chunk += counts[row] ?? 0;
  }
  return bytes;
}

/** As `table`, of so many numbers that each step counts. */
function sizeTable(sizes: Uint32Array): Uint8Array {
  const turned = sizes.slice();
  swapWords(turned);
  return new Uint8Array(turned.buffer);
}

function table(numbers: Float64Array, width: 4 | 8): Uint8Array {
  const bytes = new Uint8Array(width * numbers.length);
  const view = viewOf(bytes);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    if (width === 8) view.setUint32(8 * at, Math.floor(number / 0x1_0000_0000));
    view.setUint32(width * at + width - 4, number >>> 0);
  }
  return bytes;
}

/** Numbers of a header of time: made, changed, ticks of a second, and length. */
function times(length: number, made: number, changed: number, scale: number): Uint8Array {
  return versionOf(length) === 1
    ? concat(longWord(made), longWord(changed), words(scale), longWord(length))
    : words(made, changed, scale, length);
}

function versionOf(length: number): 0 | 1 {
  return length > LONGEST_32 ? 1 : 0;
}

function lengthOf(track: FilmTrack): number {
  const [counts, values] = track.durations.all;
  let sum = 0;
  for (let row = 0; row < counts.length; row++) sum += (counts[row] ?? 0) * (values[row] ?? 0);
  return sum;
}
