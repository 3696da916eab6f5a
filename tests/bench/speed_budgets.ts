import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession } from "playwright-core";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import type { MapDrives } from "../../server/domain/places/places_schema.ts";
import { idleSnapshot } from "../../server/domain/sync/job_progress.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { keysOf, putInTrash } from "../support/app/trash.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { load } from "./load.ts";

/** The budgets of pages that a clock measures, or that take minutes: `bun run bench` runs them before its table. */
setDefaultTimeout(120_000);

const KB = 1000;
const RECORDINGS = 20_000;

/** A service with a year of recordings, a minute apart. */
async function filled(): Promise<RunningApp> {
  const app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
  for (let at = 0; at < RECORDINGS; at++) {
    const stamp = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString().replace(/[-:T]/g, "");
    const day = join(app.destination, stamp.slice(0, 8));
    mkdirSync(day, { recursive: true });
    writeFileSync(join(day, `${stamp.slice(0, 8)}_${stamp.slice(8, 14)}_NF.mp4`), "");
  }
  await app.app.library.refresh();
  return app;
}

describe("the budget of", () => {
  test("the dashboard with 20,000 recordings is 60 KB, ten milliseconds, and 500 of it a second", async () => {
    await using app = await filled();
    const html = await (await app.client.fetch("/")).text();
    expect(html).toContain("20\u202f000");
    expect(Buffer.byteLength(html)).toBeLessThan(60 * KB);
    // The service shares its process with the load here, and the processor with whatever else runs: what counts is the
    // best of a few, by the clock on the wall or by the time the processor gave us.
    let best = 0;
    let quickest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 8 && !(best >= 500 && quickest <= 10); round++) {
      const before = process.cpuUsage();
      const { perSecond, p50 } = await load(`${app.url}/`, { connections: 2, requests: 600 });
      const { user, system } = process.cpuUsage(before);
      best = Math.max(best, perSecond, 600 / ((user + system) / 1_000_000));
      quickest = Math.min(quickest, p50);
    }
    expect(best).toBeGreaterThanOrEqual(500);
    expect(quickest).toBeLessThanOrEqual(10);
  });

  test("the queue with 20,000 recordings waiting is three milliseconds, at rest and while a run goes on", async () => {
    const card = new SimulatedCard(syntheticFootage(1000));
    for (const key of keysOf(RECORDINGS)) card.record(`${key}F.mp4`);
    const settings = {
      retention: { keep: "" },
      schedule: { paused: true },
      sync: { priority: "smart" as const, skip_metadata: ["t", "3", "g"] as const },
    };
    await using app = await startApp({ card, settings });
    app.simulator.fault({ name: "never-answers", match: /\.mp4$/ });
    app.app.job.start("manual");
    await app.simulator.asked(/\.mp4$/);
    const quickest = async () => {
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 8 && !(best <= 3); round++) {
        const { p50 } = await load(`${app.url}/api/sync/queue`, { connections: 1, requests: 50 });
        best = Math.min(best, p50);
      }
      return best;
    };
    expect(app.app.listed.known?.waiting).toBeGreaterThan(RECORDINGS - 10);
    expect(await quickest()).toBeLessThanOrEqual(3);
    app.app.job.stop();
    await app.app.job.ended();
    expect(await quickest()).toBeLessThanOrEqual(3);
  });

  test("the trash with 20,000 recordings is 200 KB and twenty milliseconds", async () => {
    await using app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    for (let day = 1; day <= 5; day++) {
      const at = new Date(Date.now() - day * 86_400_000).toISOString();
      const names = keysOf(RECORDINGS / 5).map((key) => `${key.replace("2026", `200${day}`)}F.mp4`);
      putInTrash(app.destination, { at }, names, 0);
    }
    const html = await (await app.client.fetch("/trash")).text();
    expect(html).toContain("20\u202f000");
    expect(Buffer.byteLength(html)).toBeLessThan(200 * KB);
    let quickest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 8 && !(quickest <= 20); round++) {
      const { p50 } = await load(`${app.url}/trash`, { connections: 1, requests: 50 });
      quickest = Math.min(quickest, p50);
    }
    expect(quickest).toBeLessThanOrEqual(20);
  });
});

describeInBrowser("the budget in the browser of", (browser) => {
  test("the first paint of the dashboard is 250 ms on a processor a quarter as fast", async () => {
    await using app = await startApp({ settings: { retention: { keep: "" } } });
    /** Milliseconds to the first words of a page. A new context each time: nothing is in the cache. */
    const paint = async (path: string) => {
      await using watched = await WatchedPage.open(browser(), { url: app.url });
      const session = await watched.context.newCDPSession(watched.page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
      await watched.open(path);
      const entry = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
      await watched.page.waitForFunction(entry);
      return (await watched.page.evaluate(entry)) ?? Number.POSITIVE_INFINITY;
    };
    // The browser's own time for a line of text on this machine is not the page's doing.
    let own = Number.POSITIVE_INFINITY;
    let bare = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 4 && !(own - bare < 250); round++) {
      bare = Math.min(bare, await paint("/healthz"));
      own = Math.min(own, await paint("/"));
    }
    expect(own - bare).toBeLessThan(250);
  });

  test("a push over a map of 2,000 drives is tasks of 50 ms, and a frame for each of the screen's", async () => {
    await using app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await page.route("**/api/map/drives*", (route) => route.fulfill({ json: crossingDrives(2000) }));
    await watched.open("/map");
    await page.locator(".filters-says").getByText("2\u202f000 drives").waitFor();
    const session = await watched.context.newCDPSession(page);
    let longest = Number.POSITIVE_INFINITY;
    let usual = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 4 && !(longest < 50 && usual < 17); round++) {
      const [tasks, frames] = [tasksOf(session), page.evaluate(framesIn, 2000)];
      await page.mouse.move(900, 400);
      await page.mouse.down();
      for (let step = 0; step < 90; step++)
        await page.mouse.move(900 + 300 * Math.sin(step / 15), 400 + 150 * Math.sin(step / 9));
      await page.mouse.up();
      usual = Math.min(usual, await frames);
      longest = Math.min(longest, await (await tasks)());
    }
    expect(longest).toBeLessThan(50);
    expect(usual).toBeLessThan(17);
  });

  test("an hour of the dashboard during syncs is 5 MB of memory", async () => {
    const clock = new FakeClock(Date.now());
    await using app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } }, clock });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await page.clock.install();
    await watched.open("/");
    const session = await watched.context.newCDPSession(page);

    let seq = 1;
    /** So many seconds of a sync, five frames in each, over the real stream; the page's own clock goes along. */
    const live = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        for (let frame = 0; frame < 5; frame++) {
          app.app.job.topic.set(frameOf(seq++));
          await clock.advance(200);
        }
        if (second % 5 === 4) await page.clock.runFor(5000);
      }
      await page.waitForFunction(
        (last) => document.querySelector(".hero .mono")?.textContent === last,
        `20261120_${String((seq - 1) % 1_000_000).padStart(6, "0")}_NF.mp4`,
      );
    };
    await live(120);
    const before = await heap(session);
    // A third of an hour, and a third of what an hour may take.
    await live(1200);
    expect((await heap(session)) - before).toBeLessThan(1_667_000);
    expect(await watched.problems()).toEqual([]);
  });
});

/** An answer with drives on 40 roads that cross each other, as many points as an answer has at most. */
function crossingDrives(count: number): MapDrives {
  const drives = Array.from({ length: count }, (_, at): MapDrives["drives"][number] => {
    const road = at % 40;
    const part = (road % 20) / 100 + (at % 7) / 100_000;
    const place = (along: number): [number, number, number] =>
      road < 20 ? [50 + part, 7 + along, 20 + road] : [50 + along, 7 + part, 20 + road];
    return {
      trip: `${new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10).replaceAll("-", "")}_080000_N`,
      camera: "main",
      types: "N",
      date: new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10),
      points: [place(0), place(0.11), place(0.2)],
    };
  });
  return { drives, cut: false, indexing: null };
}

/** The usual time between two frames, over so many milliseconds. Runs in the page. */
function framesIn(ms: number): Promise<number> {
  return new Promise((done) => {
    const times: number[] = [];
    const begin = performance.now();
    const next = (time: number) => {
      times.push(time);
      if (time - begin < ms) return requestAnimationFrame(next);
      const apart = times.slice(1).map((one, at) => one - (times[at] ?? 0));
      return done(apart.sort((one, other) => one - other)[apart.length >> 1] ?? Number.POSITIVE_INFINITY);
    };
    requestAnimationFrame(next);
  });
}

/** Begins to look at the page's tasks. @returns what ends it, with the milliseconds of the processor of the longest */
async function tasksOf(session: CDPSession): Promise<() => Promise<number>> {
  interface Traced {
    readonly name: string;
    readonly tid: number;
    readonly tdur?: number;
    readonly args?: { readonly name?: string };
  }
  const events: Traced[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as Traced[])));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "devtools.timeline"] },
  });
  return async () => {
    const told = new Promise((complete) => session.once("Tracing.tracingComplete", complete));
    await session.send("Tracing.end");
    await told;
    const pages = new Set(events.filter(({ args }) => args?.name === "CrRendererMain").map(({ tid }) => tid));
    const tasks = events.filter(({ name, tid }) => name.endsWith("RunTask") && pages.has(tid));
    if (tasks.length === 0) throw new Error("No task of the page was seen.");
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
  };
}

function frameOf(seq: number) {
  const name = `20261120_${String(seq % 1_000_000).padStart(6, "0")}_NF`;
  return {
    ...idleSnapshot("b".repeat(32), seq),
    job_id: "1".repeat(32),
    state: "running" as const,
    phase: "downloading" as const,
    started_at_wall: Date.now() / 1000,
    files_total: 20_000,
    files_completed: seq,
    bytes_downloaded_total: seq * 1_000_000,
    bytes_per_second: 12_000_000,
    eta_seconds: 540,
    percent: seq / 200,
    current_file: {
      filename: `${name}.mp4`,
      recording_base: name,
      artifact: "mp4" as const,
      direction: "F",
      total_bytes: 152_000_000,
      expected_bytes: null,
      downloaded_bytes: (seq * 77_777) % 152_000_000,
      bytes_per_second: 12_000_000,
      eta_seconds: 7,
      state: "downloading" as const,
      failure_reason: null,
      percent: seq % 100,
    },
  };
}

/** Bytes in use once all garbage is gone. */
async function heap(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize;
}
