import { formatBytes } from "../../../server/domain/text/format.ts";
import type { CameraView } from "../../../server/domain/viewer/viewer_address.ts";
import { reached } from "../../browser/address.ts";
import { leaveForSignIn } from "../../browser/client.ts";

/** Why a video is not shown, in words for the person in front of it. */
export interface VideoError {
  readonly kind: "hevc" | "undecodable" | "empty" | "broken_off" | "gone" | "unanswered";
  readonly title: string;
  readonly words: string;
  /** Size of the file, as `152 MB`; null when it is not known. */
  readonly size: string | null;
}

const GONE: VideoError = {
  kind: "gone",
  title: "This video is not here any more.",
  words: "It was deleted or moved since the list was read.",
  size: null,
};
const EMPTY: VideoError = {
  kind: "empty",
  title: "This file is empty.",
  words: "The camera wrote nothing into it.",
  size: null,
};
const UNANSWERED: VideoError = {
  kind: "unanswered",
  title: "The video does not come.",
  words: "Dashdock does not answer, or cannot read the file.",
  size: null,
};
/** The `moov` box names the codec. It stands before or behind the pictures. */
const MOST_HEAD_BYTES = 256 * 1024;
const MOST_TAIL_BYTES = 1024 * 1024;

/** Why the browser gave up on a camera's video; when the session has ended the page goes to sign-in. */
export async function videoErrorOf({
  name,
  codec,
  address,
}: CameraView & { readonly address: string }): Promise<VideoError> {
  const answer = await fetch(reached(address), { method: "HEAD" }).catch(() => null);
  if (answer?.status === 401) leaveForSignIn();
  if (answer?.status === 404) return GONE;
  if (!answer?.ok) return UNANSWERED;
  const told = answer.headers.get("content-length");
  const bytes = Number(told);
  if (told !== null && bytes === 0) return EMPTY;
  const size = bytes > 0 ? formatBytes(bytes) : null;
  const isHevc = codec === null ? await namesHevc(address, bytes).catch(() => false) : codec === "hevc";
  if (isHevc && !knowsHevc())
    return {
      kind: "hevc",
      title: "This browser cannot play HEVC.",
      words: `${name} records in HEVC (H.265). The file itself is whole: open it in VLC or another player.`,
      size,
    };
  return {
    kind: "undecodable",
    title: "This browser cannot play this video.",
    words: "The file is damaged or incomplete; another player may still show a part of it.",
    size,
  };
}

/** Its pictures end in the middle. @param seconds into it */
export function brokenOff(name: string, seconds: number): VideoError {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const title = `${name} breaks off at ${two(seconds / 60)}:${two(seconds % 60)}`;
  return { kind: "broken_off", title, words: "", size: null };
}

/** True when a browser shows no picture of it: one that can decode only the sound plays that without an error. */
export function hasNoPicture({ readyState, videoWidth }: HTMLVideoElement): boolean {
  return readyState >= 1 && videoWidth === 0;
}

export function knowsHevc(): boolean {
  return document.createElement("video").canPlayType('video/mp4; codecs="hvc1.1.6.L120.B0"') !== "";
}

/** For a video that the service has not looked into yet: whether its head or tail names HEVC as its codec. */
async function namesHevc(address: string, size: number): Promise<boolean> {
  const head = `bytes=0-${MOST_HEAD_BYTES - 1}`;
  const tail = `bytes=${Math.max(0, size - MOST_TAIL_BYTES)}-`;
  for (const range of size > MOST_HEAD_BYTES ? [head, tail] : [head]) {
    const answer = await fetch(reached(address), { headers: { range } });
    const text = new TextDecoder("latin1").decode(await answer.arrayBuffer());
    if (/stsd.{12}(hvc1|hev1)/s.test(text)) return true;
  }
  return false;
}
