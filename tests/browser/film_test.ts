import { expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

describeInBrowser("a film", (browser) => {
  test("of several clips plays across their ends, and goes to any time", async () => {
    await using app = await startApp();
    const names = ["20260607_101500_NF.mp4", "20260607_101600_NF.mp4", "20260607_101700_EF.mp4"];
    await putFootage(app.destination, names, names);
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    await watched.open("/viewer");
    const seen = await watched.page.evaluate(async (source) => {
      const video = document.createElement("video");
      video.muted = true;
      const happens = (name: string) =>
        new Promise((resolve, reject) => {
          video.addEventListener(name, resolve, { once: true });
          video.addEventListener("error", () => reject(new Error(video.error?.message)), { once: true });
        });
      const loaded = happens("loadeddata");
      video.src = source;
      document.body.append(video);
      await loaded;
      const begins = video.currentTime;
      const { duration } = video;
      const goTo = async (time: number) => {
        const sought = happens("seeked");
        video.currentTime = time;
        await sought;
        return video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ? video.currentTime : Number.NaN;
      };
      // Over the end of the first clip.
      await goTo(duration / 3 - 0.5);
      video.playbackRate = 2;
      await video.play();
      await new Promise<void>((resolve) => {
        const look = () => {
          if (video.currentTime > duration / 3 + 0.5) resolve();
          else video.requestVideoFrameCallback(look);
        };
        look();
      });
      video.pause();
      const places = [];
      for (const share of [0.95, 0.1, 0.67, 0.33]) places.push((await goTo(share * duration)) / duration);
      const last = happens("ended");
      await goTo(duration - 0.3);
      await video.play();
      await last;
      return { begins, duration, width: video.videoWidth, places, ended: video.ended };
    }, "/film/F.mp4?trip=20260607_101500_N");
    const { cameras } = await (await app.client.fetch("/api/viewer/film?trip=20260607_101500_N")).json();
    expect(seen).toMatchObject({ begins: 0, ended: true });
    expect(seen.width).toBeGreaterThan(0);
    expect(seen.duration).toBeCloseTo(cameras[0].seconds, 1);
    for (const [at, share] of [0.95, 0.1, 0.67, 0.33].entries()) expect(seen.places[at]).toBeCloseTo(share, 3);
  });
});
