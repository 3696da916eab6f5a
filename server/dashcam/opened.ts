import type { CameraAnswer } from "./request.ts";

/** Parts of a camera's answer that tell if a file is the one it was before; null for those that the answer lacks. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
  /** The file's length. */
  total: number | null;
}

/** A file's bytes on their way. Read it to its end in one of the three ways, or close it. */
export interface OpenedBody {
  kind: "body";
  /** Position in the file at which it begins. */
  start: number;
  /** The file's length; null when the camera does not name it. */
  total: number | null;
  /** Bytes of which the connection itself shows the end, `Content-Length`; null when it does not. */
  promised: number | null;
  /** The end of a body without a length is marked by its last chunk, and not by that of the connection. */
  isChunked: boolean;
  validators: Validators;
  /** Lower case, without parameters; null when the camera does not name it. */
  type: string | null;
  read: CameraAnswer["read"];
  bytes: CameraAnswer["bytes"];
  pour: CameraAnswer["pour"];
  close(): void;
}

/** Answers of the camera when a file is asked for. */
export type Opened =
  | OpenedBody
  /** The file is on the list but empty on the card (204, or 200 with length 0). */
  | { kind: "empty" }
  /** Not there, or not to be had: 404, 403. */
  | { kind: "absent"; status: number }
  /** Our offset is at or past the file's end (416); `total` when the camera named it. */
  | { kind: "beyond"; total: number | null }
  /** A 206 that starts elsewhere, does not name its start, or that was not asked for: nothing of it can be used. */
  | { kind: "misplaced" };
