import type { Page } from "playwright-core";
import { startApp } from "../support/app/app.ts";
import { openBrowser, WatchedPage } from "../support/browser/browser.ts";
import { putFootage } from "../support/camera/footage.ts";
import { median } from "./measure.ts";

/** Each of the footage's drives lasts so many seconds. */
const CLIP_SECONDS = 12;
const DAY = "20260607";
/** Cameras may be apart for this time after a clip begins or after a jump. */
const SETTLE_MS = 1000;

export interface PlayingFigures {
  /** From the click on a clip of another trip to its first picture. */
  clickMs: number;
  /** From the key to the first picture of another clip of the trip. */
  seekMs: number;
  /** The longest time that the same picture is seen, or none, where one clip follows the other. */
  handOverMs: number;
  /** The same within the clips, for comparison: what the machine does without any hand-over. */
  withinMs: number;
  clips: number;
  seconds: number;
  /** Largest offset of two cameras in steady play. */
  worstOffsetMs: number;
  /** Tasks of the page that took more than 50 ms. */
  longTasks: number;
}

/** Two cameras played in Chromium from a service on loopback, over the ends of clips. */
export async function benchPlaying(seconds: number, rounds = 7): Promise<PlayingFigures> {
  const keys = Array.from({ length: Math.ceil(seconds / CLIP_SECONDS) + 4 }, (_, at) =>
    keyAt(8 * 3600 + at * CLIP_SECONDS),
  );
  const other = keyAt(20 * 3600);
  await using app = await startApp({ settings: { retention: { keep: "" } } });
  await putFootage(
    app.destination,
    [...keys, other].flatMap((key) => ["F", "R"].map((direction) => `${key}${direction}.mp4`)),
  );
  const browser = await openBrowser();
  try {
    await using watched = await WatchedPage.open(browser, { url: app.url });
    const { page } = watched;
    await page.addInitScript(watch, SETTLE_MS);
    await watched.open(`/viewer?key=${keys[0]}`);
    await page.locator(".tl").waitFor();
    const [clicks, seeks]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++)
      for (const key of [other, keys[0] ?? ""])
        clicks.push(
          await firstPicture(
            page,
            (wanted) => document.querySelector<HTMLElement>(`.trip[data-key="${wanted}"]`)?.click(),
            key,
          ),
        );
    for (let round = 0; round < rounds; round++)
      for (const key of ["ArrowRight", "ArrowLeft"])
        seeks.push(
          await firstPicture(
            page,
            (pressed) => document.dispatchEvent(new KeyboardEvent("keydown", { key: pressed, shiftKey: true })),
            key,
          ),
        );
    // A click on a clip has let it play.
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await page.evaluate(() => (window as unknown as Watch).begin());
    await page.waitForTimeout(seconds * 1000);
    const seen = await page.evaluate(() => (window as unknown as Watch).figures());
    return { clickMs: median(clicks), seekMs: median(seeks), seconds, ...seen };
  } finally {
    await browser.close();
  }
}

function keyAt(second: number): string {
  return `${DAY}_${new Date(second * 1000).toISOString().slice(11, 19).replace(/:/g, "")}_N`;
}

/** @returns milliseconds from the deed to the first picture of another video than before */
async function firstPicture(page: Page, deed: (given: string) => void, given: string): Promise<number> {
  const before = await page.evaluate(() => document.querySelector<HTMLVideoElement>("video.is-shown")?.currentSrc);
  const start = page.evaluate((was) => (window as unknown as Watch).picture(was ?? ""), before);
  await page.evaluate(() => (window as unknown as Watch).mark());
  await page.evaluate(deed, given);
  return await start;
}

interface Watch {
  mark(): void;
  picture(was: string): Promise<number>;
  begin(): void;
  figures(): Pick<PlayingFigures, "handOverMs" | "withinMs" | "clips" | "worstOffsetMs" | "longTasks">;
}

/** Watches the page; runs in the page. */
function watch(settleMs: number): void {
  let markedAt = 0;
  let changedAt = 0;
  let seenVideo = null as HTMLVideoElement | null;
  let seenPicture = 0;
  let pictureAt = 0;
  const none = { handOverMs: 0, withinMs: 0, clips: 0, worstOffsetMs: 0, longTasks: 0 };
  let figures = { ...none };
  const shown = () => [...document.querySelectorAll<HTMLVideoElement>("video.is-shown")];
  // The time of the picture that each video shows, also while it stands ready, unseen.
  const pictures = new Map<HTMLVideoElement, number>();
  const follow = (video: HTMLVideoElement) => {
    pictures.set(video, -1);
    const picture = (_now: number, { mediaTime }: { mediaTime: number }) => {
      if (!video.isConnected) return void pictures.delete(video);
      pictures.set(video, mediaTime);
      video.requestVideoFrameCallback(picture);
    };
    video.requestVideoFrameCallback(picture);
  };
  const lookAtFirst = (now: number) => {
    const camera = document.querySelector(".cam");
    const video = camera?.querySelector<HTMLVideoElement>("video.is-past") ?? shown()[0] ?? null;
    const picture = (video && pictures.get(video)) ?? -1;
    if (picture < 0 || (video === seenVideo && picture === seenPicture)) return;
    const between = now - pictureAt;
    if (video !== seenVideo) {
      if (seenVideo !== null) {
        figures.clips++;
        figures.handOverMs = Math.max(figures.handOverMs, between);
      }
      changedAt = now;
    } else if (now - changedAt > settleMs) figures.withinMs = Math.max(figures.withinMs, between);
    // The first pictures of a clip count as its beginning: it may be seen at once and then stand still.
    else figures.handOverMs = Math.max(figures.handOverMs, between);
    [seenVideo, seenPicture, pictureAt] = [video, picture, now];
  };
  const look = (now: number) => {
    requestAnimationFrame(look);
    for (const video of document.querySelectorAll("video")) if (!pictures.has(video)) follow(video);
    lookAtFirst(now);
    const [front, rear] = shown();
    if (!front || !rear || front.paused || rear.paused || now - changedAt < settleMs) return;
    figures.worstOffsetMs = Math.max(figures.worstOffsetMs, Math.abs(front.currentTime - rear.currentTime) * 1000);
  };
  requestAnimationFrame(look);
  new PerformanceObserver((list) => {
    figures.longTasks += list.getEntries().length;
  }).observe({ type: "longtask" });
  Object.assign(window, {
    mark: () => {
      markedAt = performance.now();
    },
    picture: (was: string) =>
      new Promise<number>((resolve) => {
        const wait = () => {
          const [video] = shown();
          if (video && video.currentSrc !== "" && video.currentSrc !== was && video.readyState >= 2 && !video.seeking)
            resolve(performance.now() - markedAt);
          else requestAnimationFrame(wait);
        };
        requestAnimationFrame(wait);
      }),
    begin: () => {
      seenVideo = null;
      changedAt = pictureAt = performance.now();
      figures = { ...none };
    },
    figures: () => figures,
  });
}
