import * as v from "valibot";
import { type JsonBounds, parseBounded } from "./bounded_json.ts";

/** The companions that the newer interface has, and what they are called in a request for one. */
export const METADATA_TYPES = { thm: "thumbnail", gps: "gps" } as const;
export type MetadataKind = keyof typeof METADATA_TYPES;

/** The result code with which a companion comes; with any other the camera has none. */
const OK = "BC_ERR_OK";

/** An answer has a few fields; only its texts can be long. */
const BOUNDS: JsonBounds = { marks: 10_000, depth: 50 };

const PAYLOADS = v.looseObject({
  thumbnail: v.optional(v.nullable(v.string())),
  gps: v.optional(v.nullable(v.string())),
});
const ANSWER = v.looseObject({ ...PAYLOADS.entries, resultcode: v.string(), metadata: v.optional(v.unknown()) });

/** An NMEA-0183 sentence, as every line of a `.gps` file has one. */
const SENTENCE = /\$[A-Z]{4,6},/;
/** Latest position of the first one: a receiver writes one every second. */
const SENTENCE_WITHIN = 64 * 1024;
const JPEG_START: readonly number[] = [0xff, 0xd8, 0xff];

/** The answer is no answer about a companion, or says that there is none. The message names what it is instead. */
export class NotMetadata extends Error {
  override name = "NotMetadata";
}

/** The body of the request for a video's companion: one of them in each. */
export function metadataRequest(video: string, kind: MetadataKind): string {
  return JSON.stringify({ file: video, types: [METADATA_TYPES[kind]] });
}

/** True for the newer interface's own answer that it has no such companion, whatever status it came with. */
export function isMetadataRefusal(text: string): boolean {
  const answer = readAnswer(text);
  return answer !== null && answer.resultcode !== OK;
}

/**
 * The companion in an answer of the newer interface, `{"resultcode":"BC_ERR_OK","thumbnail":"<base64>"}`; its payload
 * may sit flat or under `metadata`, and GPS may be plain text. Null when the camera has none.
 * @throws NotMetadata
 */
export function readMetadata(kind: MetadataKind, text: string): Uint8Array | null {
  const answer = readAnswer(text);
  if (answer === null) throw new NotMetadata("the answer is not what such a camera answers");
  if (answer.resultcode !== OK) return null;
  const field = METADATA_TYPES[kind];
  const below = v.is(PAYLOADS, answer.metadata) ? answer.metadata[field] : undefined;
  const payload = answer[field] || below;
  if (payload === undefined && answer[field] === undefined) throw new NotMetadata(`the answer has no ${field}`);
  if (!payload) return null;
  return kind === "thm" ? thumbnailOf(payload) : gpsOf(payload);
}

function readAnswer(text: string): v.InferOutput<typeof ANSWER> | null {
  try {
    const value = parseBounded(text, BOUNDS);
    return v.is(ANSWER, value) ? value : null;
  } catch {
    return null;
  }
}

function thumbnailOf(payload: string): Uint8Array | null {
  const picture = decoded(payload);
  if (picture.length === 0) return null;
  if (!JPEG_START.every((byte, at) => picture[at] === byte)) throw new NotMetadata("the thumbnail is no JPEG picture");
  return picture;
}

function gpsOf(payload: string): Uint8Array | null {
  // Base64 has no dollar sign, and every sentence begins with one.
  const track = payload.includes("$") ? new TextEncoder().encode(payload) : decoded(payload);
  if (SENTENCE.test(new TextDecoder().decode(track.subarray(0, SENTENCE_WITHIN)))) return track;
  // A parked car may give only the end of a line.
  if (new TextDecoder().decode(track).trim() === "") return null;
  throw new NotMetadata("the GPS text has no NMEA sentence");
}

function decoded(payload: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(payload);
  } catch {
    throw new NotMetadata("the content is no base64");
  }
}
