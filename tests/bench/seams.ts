import { cpus } from "node:os";
import type { Page } from "playwright-core";
import { startApp } from "../support/app/app.ts";
import { openBrowser, type TestBrowser, WatchedPage } from "../support/browser/browser.ts";
import { putFootage } from "../support/camera/footage.ts";
import { median } from "./measure.ts";
import type { Add, Part } from "./part.ts";

/** Each of the footage's drives lasts so many seconds, and has so many pictures a second. */
const CLIP_SECONDS = 12;
const PICTURES_A_SECOND = 20;
/** Screens show no more pictures than this. */
const DRAWN_A_SECOND = 60;
/** Real seconds before an end, and behind it, in which the seam lies. */
const AROUND_SECONDS = 0.3;
const RATES = [1, 2, 4] as const;
/** Ends of clips that are played over: at the first one films take over from a single clip. */
const ENDS = 5;
/** Seconds into the first clip at which it begins. */
const START_SECONDS = 6;

/** A picture that is seen: milliseconds of the page, and seconds since the first clip began. */
type Picture = readonly [at: number, time: number];

interface Place {
  /** Time that playing over it takes longer than it should. */
  readonly lostMs: number;
  /** Longest time that one picture is seen. */
  readonly stillMs: number;
}

/** The page that plays: the viewer with films or without, or a page that has the films' videos and nothing else. */
type How = "films" | "clips" | "bare";

const PLAYED: Readonly<Record<How, string>> = {
  films: "films",
  clips: "single clips",
  bare: "a page of nothing but the films",
};

interface Seen {
  readonly pictures: readonly Picture[];
  /** Share of the pictures of all cameras that were not there in time; null where the videos changed on the way. */
  readonly dropped: number | null;
  /** Share of the machine's processors that was busy meanwhile. */
  readonly busy: number;
}

interface Seam {
  readonly ends: readonly Place[];
  /** The same in the middle of clips, for comparison: what the machine does without any end. */
  readonly within: readonly Place[];
}

/**
 * Measures what is seen where one clip follows another: as films, as single clips where the service tells of no films,
 * and as films in a page without any script, by which it is told what the browser and the machine do by themselves.
 */
async function benchSeams(add: Add): Promise<void> {
  const keys = Array.from({ length: ENDS + 1 }, (_, at) => keyAt(8 * 3600 + at * CLIP_SECONDS));
  const browser = await openBrowser();
  try {
    for (const cameras of ["F", "FR"]) {
      await using app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
      const names = keys.flatMap((key) => [...cameras].map((direction) => `${key}${direction}.mp4`));
      await putFootage(app.destination, names, names);
      await app.app.library.refresh();
      for (const rate of RATES)
        for (const how of ["films", "clips", "bare"] as const) {
          const seen = await played({ browser, url: app.url, keys, cameras, rate, how });
          addRow({ add, seen, rate, how, cameras });
        }
    }
  } finally {
    await browser.close();
  }
}

interface Playing {
  readonly browser: TestBrowser;
  readonly url: string;
  readonly keys: readonly string[];
  readonly cameras: string;
  readonly rate: number;
  readonly how: How;
}

async function played(playing: Playing): Promise<Seen> {
  const { browser, url, keys, how } = playing;
  await using watched = await WatchedPage.open(browser, {
    url,
    context: await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } }),
  });
  const { page } = watched;
  await page.addInitScript(follow);
  const before = busyTimes();
  if (how === "bare") await playBare(page, playing);
  else await playViewer(watched, playing);
  const pictures = await seenUntilEnd(page, keys[0] ?? "");
  const after = busyTimes();
  const dropped = how === "clips" ? null : await page.evaluate(droppedShare);
  return { pictures, dropped, busy: (after.busy - before.busy) / (after.all - before.all) };
}

async function playViewer(watched: WatchedPage, { keys, rate, how }: Playing): Promise<void> {
  const { page } = watched;
  if (how === "clips") await page.route("**/api/viewer/film?*", (route) => route.abort());
  await watched.open(`/viewer?key=${keys[0]}&t=${START_SECONDS}`);
  await page.locator(".tl").waitFor();
  await page.getByLabel("Playback speed").selectOption(String(rate));
  await page.getByRole("button", { name: "Play", exact: true }).click();
}

async function playBare(page: Page, { url, keys, cameras, rate }: Playing): Promise<void> {
  const video = (direction: string) =>
    `<div class="cam"><video class="is-shown" muted width="600" src="/film/${direction}.mp4?from=${keys[0]}&to=${keys.at(-1)}"></video></div>`;
  await page.route("**/bare", (route) =>
    route.fulfill({ contentType: "text/html", body: [...cameras].map(video).join("") }),
  );
  await page.goto(`${url}/bare`);
  await page.waitForFunction(() => [...document.querySelectorAll("video")].every(({ readyState }) => readyState >= 3));
  await page.evaluate(
    ([start, wanted]) => {
      for (const one of document.querySelectorAll("video")) {
        one.currentTime = start;
        one.playbackRate = wanted;
        void one.play();
      }
    },
    [START_SECONDS, rate] as const,
  );
}

/** Runs in the page. */
function droppedShare(): number {
  const all = [...document.querySelectorAll<HTMLVideoElement>("video.is-shown")].map((video) =>
    video.getVideoPlaybackQuality(),
  );
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return sum(all.map((one) => one.droppedVideoFrames)) / sum(all.map((one) => one.totalVideoFrames));
}

/** Time of all processors, and what they were busy of it. */
function busyTimes(): { readonly busy: number; readonly all: number } {
  let [busy, all] = [0, 0];
  for (const { times } of cpus()) {
    const sum = times.user + times.nice + times.sys + times.irq + times.idle;
    busy += sum - times.idle;
    all += sum;
  }
  return { busy, all };
}

/** Pictures that were seen until the last clip was nearly over. */
async function seenUntilEnd(page: Page, first: string): Promise<readonly Picture[]> {
  const end = (ENDS + 1) * CLIP_SECONDS - 1;
  const seen = await page.waitForFunction(
    ([key, until]) => {
      const found = (window as unknown as Follow).pictures;
      const clock = (text: string) => {
        const [hours = 0, minutes = 0, seconds = 0] = (text.match(/\d\d/g) ?? []).map(Number);
        return hours * 3600 + minutes * 60 + seconds;
      };
      const times = found.map(({ at, source, time }) => {
        const start = /(?:\/media\/|[?&]from=)\d{8}_(\d{6})/.exec(source)?.[1];
        return [at, clock(start ?? "") - clock(key.slice(9, 15)) + time] as const;
      });
      return (times.at(-1)?.[1] ?? 0) > until ? times : null;
    },
    [first, end] as const,
    { timeout: 180_000, polling: 500 },
  );
  return (await seen.jsonValue()) ?? [];
}

function seamOf(seen: readonly Picture[], rate: number): Seam {
  const ends = Array.from({ length: ENDS }, (_, at) => (at + 1) * CLIP_SECONDS);
  return {
    ends: ends.map((time) => placeOf(seen, time, rate)),
    within: ends.slice(1).map((time) => placeOf(seen, time - CLIP_SECONDS / 2, rate)),
  };
}

function placeOf(seen: readonly Picture[], time: number, rate: number): Place {
  const reach = AROUND_SECONDS * rate;
  const from = seen.findLastIndex(([, picture]) => picture <= time - reach);
  const to = seen.findIndex(([, picture]) => picture >= time + reach);
  const pictures = seen.slice(Math.max(0, from), to + 1);
  const gaps = pictures.slice(1).map(([at], index) => at - (pictures[index]?.[0] ?? at));
  const [begin, end] = [pictures[0] ?? [0, 0], pictures.at(-1) ?? [0, 0]];
  return {
    lostMs: end[0] - begin[0] - ((end[1] - begin[1]) / rate) * 1000,
    stillMs: Math.max(0, ...gaps),
  };
}

interface Row {
  readonly add: Add;
  readonly seen: Seen;
  readonly rate: number;
  readonly how: How;
  readonly cameras: string;
}

function addRow({ add, seen, rate, how, cameras }: Row): void {
  const seam = seamOf(seen.pictures, rate);
  const text = (places: readonly Place[]) => {
    const ms = (values: readonly number[]) => `${median(values).toFixed(0)} (${Math.max(...values).toFixed(0)})`;
    return `${ms(places.map(({ lostMs }) => lostMs))} / ${ms(places.map(({ stillMs }) => stillMs))}`;
  };
  const [first, ...more] = seam.ends;
  const frame = 1000 / Math.min(DRAWN_A_SECOND, PICTURES_A_SECOND * rate);
  add(
    `${PLAYED[how]} of ${cameras === "F" ? "one camera" : "two cameras"}, ${rate} ×: time lost at an end / longest at one picture there, median (worst)`,
    `${text(more)} ms; the first end ${text(first ? [first] : [])}; within clips ${text(seam.within)}; processors ${percent(seen.busy)} busy${seen.dropped === null ? "" : `, ${percent(seen.dropped)} of the pictures too late`}`,
    how === "bare" ? "–" : `lost ≤ ${frame.toFixed(0)} ms`,
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

function keyAt(second: number): string {
  return `20260607_${new Date(second * 1000).toISOString().slice(11, 19).replace(/:/g, "")}_N`;
}

interface Follow {
  readonly pictures: readonly { readonly at: number; readonly source: string; readonly time: number }[];
}

/** Takes down each picture of the first camera that is seen; runs in the page. */
function follow(): void {
  const pictures: { at: number; source: string; time: number }[] = [];
  Object.assign(window, { pictures });
  // The time of the picture that each video shows, also while it stands ready, unseen.
  const times = new Map<HTMLVideoElement, number>();
  const keep = (video: HTMLVideoElement) => {
    times.set(video, -1);
    const picture = (_now: number, { mediaTime }: { mediaTime: number }) => {
      if (!video.isConnected) return void times.delete(video);
      times.set(video, mediaTime);
      video.requestVideoFrameCallback(picture);
    };
    video.requestVideoFrameCallback(picture);
  };
  const look = (now: number) => {
    requestAnimationFrame(look);
    for (const video of document.querySelectorAll("video")) if (!times.has(video)) keep(video);
    const camera = document.querySelector(".cam");
    const video =
      camera?.querySelector<HTMLVideoElement>("video.is-past") ??
      camera?.querySelector<HTMLVideoElement>("video.is-shown");
    const time = (video && times.get(video)) ?? -1;
    const last = pictures.at(-1);
    if (!video || time < 0 || (last?.source === video.currentSrc && last.time === time)) return;
    pictures.push({ at: now, source: video.currentSrc, time });
  };
  requestAnimationFrame(look);
}

export const SEAM_PARTS: readonly Part[] = [{ name: "seams", measure: async (add) => await benchSeams(add) }];
