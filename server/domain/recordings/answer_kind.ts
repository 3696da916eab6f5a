import { beginsAsMp4 } from "./mp4_boxes.ts";
import type { ArtifactKind } from "./recording_name.ts";

/** Bytes of a file's beginning that decide. */
export const HEAD_BYTES = 64;

/** Content types with which routers, portals and newer cameras send something else than a file of the card. */
const MARKUP =
  /^(text\/html|application\/(xhtml\+xml|xml|json|problem\+json)|text\/xml|[a-z0-9.-]+\/[a-z0-9.-]+\+(xml|json))$/;

/** True for a content type that may be no recording's: the first bytes have to decide before any is stored. */
export function isDoubtfulType(type: string | null): boolean {
  return type !== null && (type.startsWith("text/") || MARKUP.test(type));
}

/** Any bytes are text to it. */
const ONE_BYTE_EACH = new TextDecoder("latin1");

/**
 * True when an answer with status 200 is something else than the file that was asked for.
 * @param type the content type, lower case and without parameters; null when there was none
 * @param head the file's first bytes, at least 16 unless it is shorter
 */
export function isOtherAnswer(kind: ArtifactKind, type: string | null, head: Uint8Array): boolean {
  if (kind === "mp4") {
    if (beginsAsMp4(head)) return false;
    return isDoubtfulType(type) || /^\s*[<{[]/.test(beginningOf(head));
  }
  // A .gps file is text and begins with a bracket; a page or an object it never is.
  if (type !== null && MARKUP.test(type)) return true;
  return /^\s*(<(!doctype|html|\?xml)|\{)/i.test(beginningOf(head));
}

/** Reads it as text, without a byte order mark. */
function beginningOf(head: Uint8Array): string {
  return ONE_BYTE_EACH.decode(head.subarray(0, HEAD_BYTES)).replace(/^\u00ef\u00bb\u00bf/, "");
}
