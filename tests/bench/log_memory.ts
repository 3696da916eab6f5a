import { expect, setDefaultTimeout, test } from "bun:test";
import type { CDPSession } from "playwright-core";
import { startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { message, toEnd } from "../support/browser/log_page.ts";

setDefaultTimeout(60_000);

const CAPACITY = 500;

describeInBrowser("the budget of the logs page", (browser) => {
  test("ten minutes of steady lines with a full memory is a sixth of 5 MB", async () => {
    const clock = new FakeClock(Date.now());
    const logging = { ring_buffer_capacity: CAPACITY };
    await using app = await startApp({ settings: { retention: { keep: "" }, logging }, clock });
    const { log } = app.app;
    for (let number = 1; number <= CAPACITY; number++) log.info("test", `before ${number}`);
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await page.clock.install();
    await watched.open("/logs");
    const session = await watched.context.newCDPSession(page);
    let number = 0;
    /** So many seconds with a line in each, over the real stream; the page's own clock goes along. */
    const live = async (seconds: number) => {
      for (let second = 1; second <= seconds; second++) {
        log.info("sync", `Downloaded 20261120_${String(++number).padStart(6, "0")}_NF.mp4, 152 MB in 12.7 s`);
        if (second % 5 === 0) await clock.advance(5000);
        if (second % 10 === 0) await page.clock.runFor(10_000);
      }
      await message(page, log.lines.at(-1)?.message ?? "").waitFor();
    };
    await live(120);
    const before = await heap(session);
    await live(600);
    expect((await heap(session)) - before).toBeLessThan(833_000);
    expect(await page.locator(".ln").count()).toBeLessThanOrEqual(CAPACITY);
    expect(await toEnd(page)).toBe(0);
    // Ten seconds in one go let lines come and go in the same picture, as they never do: that counts as a jump.
    expect((await watched.problems()).filter((problem) => !problem.startsWith("the page jumped"))).toEqual([]);
  });
});

/** Bytes in use once all garbage is gone. */
async function heap(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize;
}
