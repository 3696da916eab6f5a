/** A video cannot be made: the message is a sentence for people. */
export class CannotMake extends Error {
  override readonly name = "CannotMake";
}

/** Most bytes of a video that is kept in memory until it is saved. */
export const MOST_IN_MEMORY = 1024 ** 3;

export const REFUSALS = {
  needsHttps:
    "Browsers make videos only on pages with HTTPS, and on localhost. Open Dashdock at an address with https:// to use this.",
  noEncoder: "This browser cannot make videos. Use a current Chrome, Edge, Firefox or Safari on a computer.",
  noCodec: "This browser cannot make a video of this size. Use a current Chrome, Edge or Safari on a computer.",
  noScript: "The part of this page that makes videos could not be loaded. Load the page again.",
  noPictures: "None of these recordings can be part of a video.",
  changed: "The recordings changed while the video was being made. Start again.",
  gone: "A recording was deleted while the video was being made. Start again.",
  signedOut: "Your session has ended. Load the page to sign in, then start again.",
  noAnswer:
    "Dashdock does not answer. Check that it runs and that this device is in the same network, then start again.",
  diskFull: "There is not enough room on the disk of this device. Make room, or mark a shorter part.",
  tooLarge:
    "The video is larger than 1 GB, which is the most that this browser can keep until it is saved. Mark a shorter part, or use Chrome or Edge on a computer.",
  noFile: "The file could not be written. Choose another place.",
  unexpected: "The video could not be made. Try a shorter part, or save the video of each camera instead.",
} as const;

const CODECS: Readonly<Record<string, string>> = { avc: "H.264", hevc: "H.265 (HEVC)", av1: "AV1", vp9: "VP9" };

/** Tells that a browser does not play what a camera recorded. */
export function notPlayable(camera: string, codec: string | null): string {
  const coded = codec === null ? "a coding that is not known" : (CODECS[codec] ?? codec);
  const whose = camera.startsWith("Camera ") ? camera : `the ${camera.toLowerCase()} camera`;
  return `This browser cannot play the videos of ${whose}: they are in ${coded}. Try another browser, or save the video of each camera instead.`;
}

/** Why this browser cannot make videos at all, as a sentence; null when it can. */
export function browserRefusal(browser: {
  readonly isSecureContext: boolean;
  readonly VideoEncoder?: unknown;
  readonly VideoDecoder?: unknown;
  readonly OffscreenCanvas?: unknown;
  readonly Worker?: unknown;
}): string | null {
  if (!browser.isSecureContext) return REFUSALS.needsHttps;
  const needed = [browser.VideoEncoder, browser.VideoDecoder, browser.OffscreenCanvas, browser.Worker];
  return needed.every((part) => typeof part === "function") ? null : REFUSALS.noEncoder;
}

/** A caught error as a sentence for users. */
export function sentenceOf(error: unknown): string {
  if (error instanceof CannotMake) return error.message;
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError") return REFUSALS.diskFull;
  if (/^(NotAllowed|NotFound|NoModificationAllowed|InvalidModification|Security)Error$/.test(name))
    return REFUSALS.noFile;
  return REFUSALS.unexpected;
}
