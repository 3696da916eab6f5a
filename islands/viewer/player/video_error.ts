import { leaveForSignIn } from "../../browser/client.ts";

/** Why a video is not shown, in words for the person in front of it. */
export interface VideoError {
  readonly kind: "undecodable" | "gone" | "unanswered";
  readonly title: string;
  readonly words: string;
}

const GONE: VideoError = {
  kind: "gone",
  title: "This video is not here any more.",
  words: "It was deleted or moved since the list was read.",
};
const UNANSWERED: VideoError = {
  kind: "unanswered",
  title: "The video does not come.",
  words: "Dashdock does not answer, or cannot read the file.",
};

/** Why the browser gave up on a video; when the session has ended the page goes to sign-in. */
export async function videoErrorOf(address: string, codec: string | null): Promise<VideoError> {
  const answer = await fetch(address, { method: "HEAD" }).catch(() => null);
  if (answer?.status === 401) leaveForSignIn();
  if (answer?.status === 404) return GONE;
  return answer?.ok ? undecodable(codec) : UNANSWERED;
}

/** The file is there, but this browser cannot show it. @param codec of its pictures, as far as it is known */
export function undecodable(codec: string | null): VideoError {
  const knowsH265 = document.createElement("video").canPlayType('video/mp4; codecs="hvc1.1.6.L120.B0"') !== "";
  return {
    kind: "undecodable",
    title: "This browser cannot play this video.",
    words:
      knowsH265 || (codec !== null && codec !== "hevc")
        ? "The file is damaged or incomplete; another player may still show a part of it."
        : `It is ${codec === "hevc" ? "" : "damaged, or "}recorded in H.265, which this browser does not know. Another player may show it.`,
  };
}

/** A browser that can decode the sound but not the picture plays the sound without an error. */
export function hasNoPicture({ readyState, videoWidth }: HTMLVideoElement): boolean {
  return readyState >= 1 && videoWidth === 0;
}
