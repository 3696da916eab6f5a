import { parseRecording } from "../../domain/recordings/recording_name.ts";
import { fileOf } from "./simulated_video.ts";
import { type ArmedFault, wholeNumber } from "./simulator_faults.ts";
import { textAnswer } from "./simulator_generation.ts";
import type { ServedCard } from "./simulator_served_card.ts";
import type { Answer } from "./simulator_transmission.ts";

/** Types that can be asked for of a video, and the file of the card that holds each. */
const KINDS = { thumbnail: "thm", gps: "gps" } as const;
type MetadataType = keyof typeof KINDS;

/** Form of the GPS data; see the options of the generation. */
interface GpsForm {
  nestsGps?: boolean;
  gpsAsText?: boolean;
}

/** Answers `{"file": <video>, "types": [<one type>]}` with the file beside that video, or with another result code. */
export async function metadataAnswer(body: Uint8Array, served: ServedCard, form: GpsForm): Promise<Answer> {
  const asked = readQuestion(body);
  if (asked === null) return told({ resultcode: "BC_ERR_INVALID_PARAM" });
  const file = served.file(asked.file) === null ? null : companionOf(asked.file, KINDS[asked.type], served);
  if (file === null) return told({ resultcode: "BC_ERR_NO_FILE" });
  const bytes = Buffer.from(await file.read(0, file.size));
  const isText = asked.type === "gps" && form.gpsAsText === true;
  const payload = { [asked.type]: bytes.toString(isText ? "latin1" : "base64") };
  const isNested = asked.type === "gps" && form.nestsGps === true;
  return told({ resultcode: "BC_ERR_OK", ...(isNested ? { metadata: payload } : payload) });
}

function readQuestion(body: Uint8Array): { file: string; type: MetadataType } | null {
  let asked: unknown;
  try {
    asked = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
  if (typeof asked !== "object" || asked === null || !("file" in asked) || !("types" in asked)) return null;
  const { file, types } = asked;
  // One type per request, and no more.
  if (typeof file !== "string" || !Array.isArray(types) || types.length !== 1) return null;
  const [type] = types;
  return type === "thumbnail" || type === "gps" ? { file, type } : null;
}

function companionOf(video: string, kind: "thm" | "gps", served: ServedCard) {
  for (const name of parseRecording(video)?.namesOf(kind) ?? []) {
    const file = served.file(name);
    if (file !== null) return file;
  }
  return null;
}

function told(content: object): Answer {
  return { ...textAnswer(JSON.stringify(content), "application/json"), takesRange: false };
}

const OTHER_SHAPE = '{"resultcode":"BC_ERR_OK","metadata":[{"type":"thumbnail","data":{"size":7}}]}';
const OTHER_BYTES = "<!DOCTYPE html>\n<html><body>Please sign in</body></html>\n";
/** More than any card holds; the client hangs up before. */
const ENDLESS_BYTES = 100_000_000_000_000;

/** The answer as this fault leaves it. One that has no payload keeps what is said of the payload to itself. */
export async function misshapenMetadata(fault: ArmedFault, answer: Answer): Promise<Answer> {
  const text = new TextDecoder().decode(await answer.content.read(0, answer.content.size));
  const as = (content: string): Answer => ({ ...answer, content: fileOf(new TextEncoder().encode(content)) });
  switch (fault.name) {
    case "metadata-no-json":
      return as(String(fault.value ?? "metadata is not available now\n"));
    case "metadata-shape":
      return as(String(fault.value ?? OTHER_SHAPE));
    case "metadata-code":
      return as(JSON.stringify({ ...JSON.parse(text), resultcode: String(fault.value ?? "BC_ERR_BUSY") }));
    case "metadata-cut":
      return as(text.slice(0, fault.after ?? Math.floor(text.length / 2)));
    case "metadata-no-base64":
      return as(withPayload(text, () => "*** this is no base64 ***"));
    case "metadata-empty":
      return as(withPayload(text, () => ""));
    case "metadata-other-bytes":
      return as(withPayload(text, () => Buffer.from(String(fault.value ?? OTHER_BYTES)).toString("base64")));
    case "metadata-too-long":
      return tooLong(text, answer, fault.value === undefined ? null : wholeNumber(fault.value, 0));
    default:
      return answer;
  }
}

function withPayload(text: string, change: (payload: string) => string): string {
  const isPayload = (key: string, value: unknown): value is string =>
    Object.hasOwn(KINDS, key) && typeof value === "string";
  return JSON.stringify(JSON.parse(text, (key, value) => (isPayload(key, value) ? change(value) : value)));
}

const MARK = "@payload@";

/** Base64 of zeros in place of the payload: so many bytes of it with the answer's true length, or without any end. */
function tooLong(text: string, answer: Answer, bytes: number | null): Answer {
  const [head = "", tail] = withPayload(text, () => MARK).split(MARK);
  if (tail === undefined) return answer;
  const before = Buffer.from(head);
  const after = Buffer.from(tail);
  const size = before.length + (bytes ?? ENDLESS_BYTES) + after.length;
  const content = {
    size,
    read(start: number, end: number) {
      const piece = new Uint8Array(end - start).fill(0x41);
      if (start < before.length) piece.set(before.subarray(start, end), 0);
      const from = size - after.length;
      if (end > from) piece.set(after.subarray(Math.max(0, start - from), end - from), Math.max(0, from - start));
      return piece;
    },
  };
  return { ...answer, content, framing: bytes === null ? "close" : "length" };
}
