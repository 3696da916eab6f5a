export const USUAL_FRAME_SECONDS = 1 / 30;

/** Real seconds in which what follows is started, with some to spare. */
const LAST_SECONDS = 0.25;

/** True near the end. @param left seconds of the video from this picture on @param between two pictures */
export function areLastPictures(left: number, between: number, rate: number): boolean {
  return left < Math.max(between * 1.5, LAST_SECONDS * rate);
}

/** Number of screen drawings after a seek until a changed picture is there. */
const DRAWN_AFTER_SEEK = 3;

/**
 * Calls with every new picture of a video, where the browser can tell (`requestVideoFrameCallback`); elsewhere times are
 * compared with `timeupdate`, four times a second.
 * @param seen is told the picture's time in the video (null after a seek that has changed nothing), and the seconds since the
 * picture before, when none was left out
 */
export function followFrames(
  video: HTMLVideoElement,
  leaving: AbortSignal,
  seen: (at: number | null, between: number | null) => void,
): void {
  if (!("requestVideoFrameCallback" in video)) return;
  let lastTime = 0;
  let lastCount = 0;
  const onFrame: VideoFrameRequestCallback = (_now, { mediaTime, presentedFrames }) => {
    if (leaving.aborted) return;
    const between = mediaTime - lastTime;
    const isNext = presentedFrames === lastCount + 1 && between > 0.005 && between < 0.2;
    [lastTime, lastCount] = [mediaTime, presentedFrames];
    seen(mediaTime, isNext ? between : null);
    video.requestVideoFrameCallback(onFrame);
  };
  video.requestVideoFrameCallback(onFrame);
  const look = (count: number, left: number) => {
    if (leaving.aborted || video.seeking || lastCount !== count) return;
    if (left === 0) seen(null, null);
    else requestAnimationFrame(() => look(count, left - 1));
  };
  video.addEventListener("seeked", () => look(lastCount, DRAWN_AFTER_SEEK), { signal: leaving });
}
