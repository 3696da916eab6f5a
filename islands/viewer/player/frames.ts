export const USUAL_FRAME_SECONDS = 1 / 30;

/**
 * Calls with every new picture of a video, where the browser can tell (`requestVideoFrameCallback`); elsewhere times are
 * compared with `timeupdate`, four times a second.
 * @param seen is told the seconds since the picture before, when none was left out
 */
export function followFrames(
  video: HTMLVideoElement,
  leaving: AbortSignal,
  seen: (between: number | null) => void,
): void {
  if (!("requestVideoFrameCallback" in video)) return;
  let [lastTime, lastCount] = [0, 0];
  const onFrame: VideoFrameRequestCallback = (_now, { mediaTime, presentedFrames }) => {
    if (leaving.aborted) return;
    const between = mediaTime - lastTime;
    const isNext = presentedFrames === lastCount + 1 && between > 0.005 && between < 0.2;
    [lastTime, lastCount] = [mediaTime, presentedFrames];
    seen(isNext ? between : null);
    video.requestVideoFrameCallback(onFrame);
  };
  video.requestVideoFrameCallback(onFrame);
}
