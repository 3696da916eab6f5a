import { type CardFile, fileOf, SMALLEST_VIDEO, syntheticVideo } from "./simulated_video.ts";
import type { FaultName } from "./simulator_faults.ts";
import type { Answer } from "./simulator_transmission.ts";

/** The first bytes of a file, as much as is written of it. */
export function shortened(file: CardFile, size: number): CardFile {
  return { size: Math.min(file.size, Math.max(0, size)), read: (start, end) => file.read(start, end) };
}

/** A file whose room is taken on the card before it is written: from there on it reads as zeros. */
export function zeroedFrom(file: CardFile, from: number): CardFile {
  return {
    size: file.size,
    async read(start, end) {
      const bytes = Uint8Array.from(await file.read(start, end));
      return bytes.fill(0, Math.min(bytes.length, Math.max(0, from - start)));
    },
  };
}

/**
 * Returns other contents for the same name, as after the card was formatted. A video is a whole video again. Other
 * files have every digit one further, so that text stays text and a picture stays a picture.
 */
export function otherContent(name: string, file: CardFile, size: number): CardFile {
  if (name.endsWith(".mp4")) return syntheticVideo(`another ${name}`, Math.max(SMALLEST_VIDEO, size), 60);
  return {
    size: file.size === 0 ? 0 : size,
    async read(start, end) {
      const bytes = await file.read(0, file.size);
      return Uint8Array.from({ length: end - start }, (_, index) => nextDigit(bytes[(start + index) % file.size] ?? 0));
    },
  };
}

function nextDigit(byte: number): number {
  if (byte < 0x30 || byte > 0x39) return byte;
  return byte === 0x39 ? 0x30 : byte + 1;
}

const PAGE = "<!DOCTYPE html>\n<html><head><title>Router</title></head><body>Please sign in</body></html>\n";
const JSON_TEXT = '{"resultcode":"BC_ERR_BUSY","message":"The camera is busy."}';
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n<error><code>403</code></error>\n';

const WRONG_BODIES: Readonly<Partial<Record<FaultName, readonly [type: string, text: string]>>> = {
  "text-200": ["text/plain", "Access denied\n"],
  "json-200": ["application/json", JSON_TEXT],
  "json-untyped": ["video/mp4", JSON_TEXT],
  "html-200": ["text/html; charset=utf-8", PAGE],
  "html-untyped": ["video/mp4", PAGE],
  "xml-200": ["application/xml", XML],
};

/** The 200 of another device or of a camera in trouble, when that is what goes wrong. */
export function wrongBody(name: FaultName): Answer | null {
  const body = WRONG_BODIES[name];
  return body ? { status: 200, type: body[0], content: fileOf(new TextEncoder().encode(body[1])) } : null;
}
