import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BufferSource, EncodedPacketSink, Input, MP4 } from "mediabunny";
import type { Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, type PageOptions, type TestBrowser, WatchedPage } from "../support/browser/browser.ts";
import { putFootage } from "../support/camera/footage.ts";
import { numberOfSound, withSound } from "../support/camera/with_sound.ts";

setDefaultTimeout(60_000);

const KEY = "20260607_101500_N";
/** Seconds of the clip, and where the part begins: a picture that stands by itself is there. */
const CLIP_SECONDS = 12;
const BEGINS = 11;
const SECONDS = CLIP_SECONDS - BEGINS;
/** The picture of the front camera, that of the rear one, and the map: left, top, width, height. */
const PLACES = [
  [0, 0, 1280, 720],
  [1280, 0, 640, 360],
  [1280, 360, 640, 360],
] as const;

describeInBrowser("one video of all cameras", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp();
    // Few pictures: each is encoded.
    await putFootage(app.destination, [`${KEY}F.mp4`, `${KEY}R.mp4`]);
    const front = join(app.destination, `${KEY}F.mp4`);
    writeFileSync(front, await withSound(readFileSync(front)));
    const fixes = Array.from({ length: CLIP_SECONDS }, (_, at) => {
      const [second, north, east] = [at.toString().padStart(2, "0"), 48.1 + at * 0.01, 1.1 + at * 0.02];
      return `[${1000 * at}]$GNRMC,0815${second}.00,A,33${north.toFixed(5)},S,151${east.toFixed(5).padStart(8, "0")},E,22.14,,070626,,,A*00\r\n`;
    });
    writeFileSync(join(app.destination, `${KEY}.gps`), fixes.join(""));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("has their pictures at the same times, the map and the sound", async () => {
    await using watched = await openPanel(browser(), app, () => {
      // As in browsers that let nobody choose a file.
      Object.assign(globalThis, { showSaveFilePicker: undefined });
    });
    const { page } = watched;
    const make = page.getByRole("button", { name: "Make the video" });
    await make.click();
    const saves = page.getByRole("link", { name: /^Save the video, / });
    await saves.waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), saves.click()]);
    expect(file.suggestedFilename()).toBe("2026-06-07_101511_side-by-side.mp4");
    const made = readFileSync(await file.path());
    const { sound, ...told } = await toldOf(made);
    expect(told).toEqual({
      boxes: ["ftyp", "moov"],
      size: [1920, 816],
      codec: expect.stringMatching(/^(avc|vp9)$/),
      seconds: SECONDS,
    });
    // Packets of 64 ms, one after the other as they were recorded, to within one of where the part begins and ends.
    const [first = 0] = sound;
    expect(Math.abs(first * 0.064 - BEGINS)).toBeLessThan(0.064);
    expect(sound).toEqual(sound.map((_, at) => first + at));
    expect(Math.abs(sound.length * 0.064 - SECONDS)).toBeLessThan(0.13);
    const seen = await compared(page, made);
    // Made smaller and encoded again, a picture is much nearer to its own film than to the other one.
    for (const { itself, other } of [seen.front, seen.rear]) {
      expect(itself).toBeLessThan(8);
      expect(other).toBeGreaterThan(16);
    }
    expect(seen.map).toBeGreaterThan(100);
    expect(await watched.problems()).toEqual([]);
  });

  test("goes to the file that was chosen, or leaves none when it is cancelled or cannot be made", async () => {
    await using watched = await openPanel(browser(), app, () => {
      // Files of the browser's own place are written like those that people choose.
      Object.assign(globalThis, {
        showSaveFilePicker: async ({ suggestedName }: { readonly suggestedName: string }) =>
          (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
      });
    });
    const { page } = watched;
    const filesOf = () =>
      page.evaluate(async () => {
        const found: [string, number][] = [];
        for await (const [name, entry] of await navigator.storage.getDirectory())
          if (entry instanceof FileSystemFileHandle) found.push([name, (await entry.getFile()).size]);
        return found;
      });
    const make = page.getByRole("button", { name: "Make the video" });
    // The rear film does not come: without cancelling it would go on for ever.
    await page.context().route("**/film/R.mp4**", () => {});
    await make.click();
    await page.getByRole("progressbar", { name: "Making the video" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await make.waitFor();
    expect(await filesOf()).toEqual([]);
    await page.context().unroute("**/film/R.mp4**");
    const refusal = { error: "There is no recording that can be part of a film.", code: "NOT_ONE_FILM" };
    await page.context().route("**/film/R.mp4**", (route) => route.fulfill({ status: 409, json: refusal }));
    await make.click();
    await page.getByText(refusal.error).waitFor();
    expect(await filesOf()).toEqual([]);
    await page.context().unroute("**/film/R.mp4**");
    await make.click();
    await page.getByText(/^Saved as 2026-06-07_101511_side-by-side\.mp4, /).waitFor();
    expect(await filesOf()).toEqual([["2026-06-07_101511_side-by-side.mp4", expect.any(Number)]]);
    expect((await filesOf())[0]?.[1]).toBeGreaterThan(100_000);
    expect((await watched.problems()).filter((problem) => !problem.includes("409"))).toEqual([]);
  });

  test("is not offered by a browser that cannot make it, which is said beside the button", async () => {
    await using watched = await openPanel(browser(), app, () => {
      Object.assign(globalThis, { VideoEncoder: undefined });
    });
    const make = watched.page.getByRole("button", { name: "Make the video" });
    expect(await make.isDisabled()).toBe(true);
    await watched.page.getByText("This browser cannot make videos.").waitFor();
    expect(await watched.problems()).toEqual([]);
  });
});

/** Opens the panel to save, with the clip as its part. @param before runs first in the page */
async function openPanel(browser: TestBrowser, app: RunningApp, before: () => void): Promise<WatchedPage> {
  const options: PageOptions = { url: app.url, context: await browser.newContext({ baseURL: app.url }) };
  const watched = await WatchedPage.open(browser, options);
  const { page } = watched;
  await page.addInitScript(before);
  await watched.open(`/viewer?key=${KEY}&t=${BEGINS}`);
  await page.getByRole("button", { name: "Save this" }).click();
  await page.getByRole("button", { name: "Make the video" }).waitFor();
  await page.keyboard.press("i");
  await page.getByRole("button", { name: "Make the video" }).waitFor();
  return watched;
}

/** A video as other programs read it. */
async function toldOf(video: Uint8Array) {
  using input = new Input({ source: new BufferSource(video), formats: [MP4] });
  const picture = await input.getPrimaryVideoTrack();
  const sound = await input.getPrimaryAudioTrack();
  const packets: number[] = [];
  if (sound !== null)
    for await (const { data } of new EncodedPacketSink(sound).packets())
      packets.push(numberOfSound(data) ?? Number.NaN);
  const view = new DataView(video.buffer, video.byteOffset);
  const boxes: string[] = [];
  for (let at = 0; boxes.length < 2; at += view.getUint32(at))
    boxes.push(String.fromCharCode(...video.subarray(at + 4, at + 8)));
  return {
    boxes,
    size: [picture?.displayWidth, picture?.displayHeight],
    codec: picture?.codec,
    seconds: await picture?.computeDuration(),
    sound: packets,
  };
}

/**
 * Distance of the pictures of a video from those of the films at the same time, on average of all values from 0 to 255.
 */
async function compared(page: Page, video: Uint8Array) {
  return await page.evaluate(
    async ({ made, key, places, from, time }) => {
      const pictureOf = async (source: string, time: number, place: readonly number[] | null) => {
        const video = document.createElement("video");
        video.muted = true;
        video.preload = "auto";
        video.style.cssText = "position: fixed; inset: 0; z-index: 99";
        document.body.append(video);
        video.src = source;
        await new Promise((resolve, reject) => {
          video.onloadeddata = resolve;
          video.onerror = () => reject(new Error(video.error?.message));
        });
        // The end of seeking is told before the picture is there to be copied.
        const shown = new Promise<void>((resolve) => {
          const seen: VideoFrameRequestCallback = (_, { mediaTime }) => {
            if (Math.abs(mediaTime - time) < 0.1) resolve();
            else video.requestVideoFrameCallback(seen);
          };
          video.requestVideoFrameCallback(seen);
        });
        video.currentTime = time;
        await shown;
        const picture = await createImageBitmap(video);
        video.remove();
        const canvas = new OffscreenCanvas(64, 36);
        const brush = canvas.getContext("2d");
        const [x, y, wide, high] = place ?? [0, 0, video.videoWidth, video.videoHeight];
        brush?.drawImage(picture, x ?? 0, y ?? 0, wide ?? 0, high ?? 0, 0, 0, 64, 36);
        return brush?.getImageData(0, 0, 64, 36).data ?? new Uint8ClampedArray(0);
      };
      const apart = (one: Uint8ClampedArray, other: Uint8ClampedArray) =>
        one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
      const bytes = Uint8Array.from(atob(made), (letter) => letter.charCodeAt(0));
      const address = URL.createObjectURL(new Blob([bytes], { type: "video/mp4" }));
      const [front, rear, map] = [
        await pictureOf(address, time, places[0]),
        await pictureOf(address, time, places[1]),
        await pictureOf(address, time, places[2]),
      ];
      const frontFilm = await pictureOf(`/film/F.mp4?key=${key}`, from + time, null);
      const rearFilm = await pictureOf(`/film/R.mp4?key=${key}`, from + time, null);
      return {
        front: { itself: apart(front, frontFilm), other: apart(front, rearFilm) },
        rear: { itself: apart(rear, rearFilm), other: apart(rear, frontFilm) },
        map: map.reduce((most, value, at) => (at % 4 < 3 ? Math.max(most, value) : most), 0),
      };
    },
    { made: Buffer.from(video).toString("base64"), key: KEY, places: PLACES, from: BEGINS, time: 0.5 },
  );
}
