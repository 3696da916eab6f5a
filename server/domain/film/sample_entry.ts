import { type Box, boxesIn } from "../recordings/mp4_boxes.ts";
import { VISUAL_ENTRY_BYTES } from "../recordings/mp4_tracks.ts";
import { box, concat, viewOf } from "../recordings/mp4_writing.ts";
import { ClipRefused } from "./clip_refusal.ts";

/** Description of how a track's samples are coded (ISO/IEC 14496-12 §8.5.2). */
export interface SampleEntry {
  /** A whole box for a film's own tables: with what a decoder needs, and nothing else. */
  readonly bytes: Uint8Array;
  /** Text that is the same for all clips whose samples one decoder can take one after the other. */
  readonly codec: string;
  /** True for QuickTime's forms, which files of the ISO's brands do not have. */
  readonly isQuickTime: boolean;
}

/** Records of a decoder, and how its pictures are to be shown. */
const PICTURE_BOXES: ReadonlySet<string> = new Set(["avcC", "hvcC", "av1C", "vpcC", "esds", "pasp", "colr"]);
const SOUND_BOXES: ReadonlySet<string> = new Set(["esds", "wave", "dac3", "dec3", "dOps", "alac", "chan", "pcmC"]);
const WAVE_BOXES: ReadonlySet<string> = new Set(["frma", "mp4a", "esds", "enda", "\0\0\0\0"]);
/** Not of a decoder: the shape and colour of what is shown. */
const LOOKS: ReadonlySet<string> = new Set(["pasp", "colr"]);
/** An entry has some hundred bytes. */
const LONGEST_ENTRY = 65_536;
/** Bytes of a sound's sample entry before its boxes (§12.2.3), by its version; those of 1 and 2 are QuickTime's. */
const SOUND_ENTRY_BYTES: readonly number[] = [28, 44, 64];
/** The compressor's name in a picture's sample entry. */
const NAME_AT = 42;
const NAME_BYTES = 32;
/** Tags of descriptors (ISO/IEC 14496-1 §7.2.2.1). */
const DECODER_CONFIG = 4;
const DECODER_SPECIFIC = 5;
const ES_DESCRIPTOR = 3;

export function pictureEntry(movie: Uint8Array, entry: Box): SampleEntry {
  const content = contentOf(movie, entry, VISUAL_ENTRY_BYTES);
  const fixed = content.slice(0, VISUAL_ENTRY_BYTES);
  fixed.fill(0, NAME_AT, NAME_AT + NAME_BYTES);
  firstReference(fixed);
  const boxes = kept(content.subarray(VISUAL_ENTRY_BYTES), PICTURE_BOXES);
  const size = String(viewOf(fixed).getUint32(24));
  const records = boxes.filter(({ type }) => !LOOKS.has(type)).map(codecText);
  return {
    bytes: box(entry.type, fixed, ...boxes.map(({ bytes }) => bytes)),
    codec: [entry.type, size, ...records].join("|"),
    isQuickTime: false,
  };
}

export function soundEntry(movie: Uint8Array, entry: Box): SampleEntry {
  const content = contentOf(movie, entry, SOUND_ENTRY_BYTES[0] ?? 0);
  const version = viewOf(content).getUint16(8);
  const length = SOUND_ENTRY_BYTES[version];
  if (length === undefined || content.length < length) throw new ClipRefused("damaged");
  const fixed = content.slice(0, length);
  firstReference(fixed);
  const boxes = kept(content.subarray(length), SOUND_BOXES);
  // Version, channels, bits and rate; averages of QuickTime's forms come behind.
  const form = [version, ...[16, 18, 24].map((at) => viewOf(fixed).getUint16(at))].join(" ");
  return {
    bytes: box(entry.type, fixed, ...boxes.map(({ bytes }) => bytes)),
    codec: [entry.type, form, ...boxes.map(codecText)].join("|"),
    isQuickTime: version > 0,
  };
}

function contentOf(movie: Uint8Array, { content, end }: Box, least: number): Uint8Array {
  if (end - content < least || end - content > LONGEST_ENTRY) throw new ClipRefused("damaged");
  return movie.subarray(content, end);
}

/** The data lies in the film's own file, which is its first reference. */
function firstReference(fixed: Uint8Array): void {
  viewOf(fixed).setUint16(6, 1);
}

interface KeptBox {
  readonly type: string;
  readonly content: Uint8Array;
  readonly bytes: Uint8Array;
}

function kept(bytes: Uint8Array, types: ReadonlySet<string>): KeptBox[] {
  const found: KeptBox[] = [];
  for (const { type, content, end } of boxesIn(bytes)) {
    if (end > bytes.length) break;
    if (!types.has(type)) continue;
    const inner = bytes.subarray(content, end);
    const cleaned = type === "wave" ? concat(...kept(inner, WAVE_BOXES).map((one) => one.bytes)) : inner;
    found.push({ type, content: cleaned, bytes: box(type, cleaned) });
  }
  return found;
}

/**
 * The part of a record that counts: of an elementary stream's descriptor not its rates and sizes, which differ from
 * file to file.
 */
function codecText({ type, content }: KeptBox): string {
  const counts = type === "esds" ? decoderOf(content) : content;
  return `${type} ${counts.toHex()}`;
}

/**
 * The kind of object and the decoder's own record in an `esds` box (ISO/IEC 14496-14 §5.6); all of it when that is not
 * found.
 */
function decoderOf(content: Uint8Array): Uint8Array {
  const stream = descriptor(content, 4, ES_DESCRIPTOR);
  if (stream === null) return content;
  const flags = stream[2] ?? 0;
  // An id of a stream it depends on, an address and a clock's stream may come between (ISO/IEC 14496-1 §7.2.6.5).
  let at = 3 + (flags & 0x80 ? 2 : 0);
  if (flags & 0x40) at += 1 + (stream[at] ?? 0);
  if (flags & 0x20) at += 2;
  const config = descriptor(stream, at, DECODER_CONFIG);
  const specific = config && descriptor(config, 13, DECODER_SPECIFIC);
  return config && specific ? concat(config.subarray(0, 1), specific) : content;
}

function descriptor(bytes: Uint8Array, from: number, tag: number): Uint8Array | null {
  if (bytes[from] !== tag) return null;
  let [at, length] = [from + 1, 0];
  for (let count = 0; count < 4; count++) {
    const byte = bytes[at++] ?? 0;
    length = (length << 7) | (byte & 0x7f);
    if ((byte & 0x80) === 0) break;
  }
  return at + length <= bytes.length ? bytes.subarray(at, at + length) : null;
}
