import { describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { runAt } from "../support/app/history.ts";

setDefaultTimeout(20_000);

const NOW = Date.parse("2026-11-20T20:51:00Z");
const DAY = 86_400;
const GB = 1e9;

/** A page as it is read: without tags, its islands' data and their entities, and with plain spaces. */
async function read(running: RunningApp, path: string): Promise<string> {
  const { text } = await running.client.open(path);
  return text
    .replaceAll(/data-props="[^"]*"/g, "")
    .replaceAll(/<[^>]*>/g, "|")
    .replaceAll(/\|+/g, "|")
    .replaceAll(/[\u00a0\u202f]/g, " ");
}

/** A service whose recordings lie on a disk of 350 GB that is used to 30 %. */
async function start(options: { availableGB: number; days?: number; address?: "" }): Promise<RunningApp> {
  const settings = options.address === "" ? { connection: { address: "" } } : {};
  const running = await startApp({ clock: new FakeClock(NOW), settings });
  mkdirSync(running.destination, { recursive: true });
  spyOn(running.app.storage, "read").mockImplementation(async () => ({
    totalBytes: 350 * GB,
    usedBytes: 105 * GB,
    usedRatio: 0.3,
    freeBytes: 245 * GB,
    availableBytes: options.availableGB * GB,
  }));
  const { days = 1 } = options;
  for (let day = days - 1; day >= 0; day--)
    running.app.history.append(runAt(NOW / 1000 - day * DAY, { diskUsedRatio: 0.3 - day / 100 }));
  return running;
}

const WITHHELD = "161 GB is reserved by the system and cannot be used.";

describe("one disk", () => {
  test("has one free figure and one used figure on all pages, with the reason where less can be written", async () => {
    await using running = await start({ availableGB: 84 });
    const dashboard = await read(running, "/");
    const stats = await read(running, "/stats");
    const settings = await read(running, "/settings");
    expect(dashboard).toContain("|84 GB |free of 350 GB|");
    expect(dashboard).toContain("|Free|84 |GB| |on the disk|");
    expect(dashboard).toContain("|30 % used. ");
    expect(dashboard).toContain(WITHHELD);
    expect(stats).toContain(`84 GB free of 350 GB. ${WITHHELD}`);
    expect(stats).toContain("· 30 %|");
    expect(settings).toContain("% of the disk, now 30 %, 84 GB free|");
    for (const page of [dashboard, stats, settings]) expect(page).not.toMatch(/245 GB|Room left/);
  });

  test("has it on the first page too, before a camera is known", async () => {
    await using running = await start({ availableGB: 84, address: "" });
    expect(await read(running, "/")).toContain(`|84 GB free of 350 GB; stops at 90 %. ${WITHHELD}|`);
  });

  test("says no reason where all that is not used can be written", async () => {
    await using running = await start({ availableGB: 245 });
    const pages = [await read(running, "/"), await read(running, "/stats")];
    for (const page of pages) expect(page).not.toContain("cannot be written");
    expect(pages[0]).toContain("|245 GB |free of 350 GB|");
  });

  test("is full when nothing more can be written, however little of it is used", async () => {
    await using running = await start({ availableGB: 0, days: 3 });
    const dashboard = await read(running, "/");
    expect(dashboard).toContain("|Full|");
    expect(dashboard).toContain("30 % used. Nothing more can be written.");
    expect(await read(running, "/stats")).toContain("Nothing more can be written. 0 B free of 350 GB.");
  });

  test("keeps the figures of the API as the threshold sees them, and tells beside them what can be written", async () => {
    await using running = await start({ availableGB: 84 });
    await running.client.open("/");
    const get = async (path: string) => (await running.client.fetch(path)).json();
    const space = { total_bytes: 350 * GB, free_bytes: 245 * GB, available_bytes: 84 * GB };
    expect(await get("/api/health/storage")).toMatchObject({ ...space, used_bytes: 105 * GB, used_percent: 30 });
    expect(await get("/api/overview")).toMatchObject({ available_bytes: 84 * GB });
    expect(await get("/api/stats/series")).toMatchObject({ storage: space });
  });
});

describe("the forecast", () => {
  test("waits for three days with runs, on all pages; the API has it from the third run on", async () => {
    await using running = await start({ availableGB: 245, days: 2 });
    running.app.history.append(runAt(NOW / 1000 + 60, { diskUsedRatio: 0.31 }));
    const waits = "Forecast available in one day.";
    const dashboard = await read(running, "/");
    const stats = await read(running, "/stats");
    expect(dashboard).toContain(`Syncing stops at 90 %.|${waits}`);
    expect(stats).toContain(waits);
    for (const page of [dashboard, stats]) expect(page).not.toMatch(/about \|?[0-9]+ |Forecast\|/);
    const { forecast } = (await (await running.client.fetch("/api/stats/series")).json()) as {
      forecast: { projected: unknown[]; heading: { state: string; days: number } };
    };
    expect(forecast.projected).toHaveLength(12);
    expect(forecast.heading).toMatchObject({ state: "filling", days: 2 });
  });

  test("names a day from the third day on, the same on all pages", async () => {
    await using running = await start({ availableGB: 245, days: 3 });
    expect(await read(running, "/")).toMatch(/Syncing stops at 90 %, about \|19 Jan 2027\|\./);
    expect(await read(running, "/stats")).toContain("At this pace syncing stops about 19 Jan 2027.");
  });

  test("is of the day on which nothing is free any more, where that comes first", async () => {
    await using running = await start({ availableGB: 35, days: 3 });
    expect(await read(running, "/")).toMatch(/At this pace nothing is free from about \|30 Nov 2026\| on\./);
    expect(await read(running, "/stats")).toContain("At this pace syncing stops about 30 Nov 2026.");
  });
});
