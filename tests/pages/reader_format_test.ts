import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { runPath } from "../../server/domain/runs/run_id.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { strangeTimes } from "../support/app/time_forms.ts";

setDefaultTimeout(60_000);

/** Saturday afternoon in Chicago. */
const NOW = "2026-11-21T20:41:00Z";
const AMERICAN = /\b\d{1,2}:\d\d(?::\d\d)? [ap]m\b/;

let running: RunningApp;
let paths: readonly string[] = [];
beforeAll(async () => {
  // Drives of the afternoon, by the camera's own clock.
  const card = simulatedCard({
    recordings: 12,
    now: Date.UTC(2026, 10, 21, 14, 30),
    footage: syntheticFootage(50_000),
  });
  running = await startApp({
    clock: new FakeClock(NOW),
    card,
    settings: {
      schedule: { timezone: "America/Chicago", cron_expression: "0 3,15 * * *" },
      retention: { keep: "" },
      sync: { grouping: "none" },
    },
  });
  running.app.job.start("manual");
  await running.synced();
  await running.client.open("/");
  const names = [...new Bun.Glob("*F.mp4").scanSync(running.destination)].sort();
  const [deleted = "", kept = ""] = names.map((name) => name.slice(0, 17));
  expect((await running.client.send("DELETE", `/api/recordings/${deleted}`)).status).toBe(200);
  expect((await running.client.send("PUT", `/api/recordings/${kept}/keep`, { note: "The bridge" })).status).toBe(200);
  const run = running.app.history.latest();
  paths = [
    ...["/", "/viewer", "/stats", "/trash", "/settings"],
    run === null ? "/" : runPath(run),
    ...["/hx/sync/status-card", "/hx/sync/last-run-card", "/hx/next-scheduled-card", "/hx/recent-activity-card"],
    ...["/hx/day-of-runs-card", "/hx/dashcam-card", "/hx/storage-card", "/hx/state"],
  ];
});
afterAll(() => running[Symbol.asyncDispose]());

/** Text of a page or a part of it, also the text for screen readers. */
async function read(path: string, language?: string): Promise<string> {
  const headers: Record<string, string> = language === undefined ? {} : { "accept-language": language };
  const response = await running.client.fetch(path, { headers });
  expect(response.status).toBe(200);
  const html = (await response.text()).replaceAll(/<svg hidden.*?<\/svg>|data-props="[^"]*"|datetime="[^"]*"/gs, "");
  const told = [...html.matchAll(/(?:aria-label|title|placeholder|aria-valuetext)="([^"]*)"/g)].map(([, text]) => text);
  return [html.replaceAll(/<!--.*?-->|<[^>]*>/gs, "|"), ...told].join("|").replaceAll(/[\u00a0\u202f]/g, " ");
}

/** Times that pages of every language have alike: lengths of videos, and how far a zone is from UTC. */
const withoutLengths = (text: string) => text.replaceAll(/UTC[+-]\d\d:\d\d/g, "");

describe("pages and their parts", () => {
  test("for an American browser have times with am and pm, and the month first", async () => {
    for (const path of paths) {
      const text = withoutLengths(await read(path, "en-US,en;q=0.9"));
      expect([path, strangeTimes(text, "american")]).toEqual([path, []]);
    }
    for (const path of ["/", "/viewer", "/stats", "/trash", "/settings"])
      expect(await read(path, "en-US,en;q=0.9")).toMatch(AMERICAN);
    const dashboard = await read("/", "en-US");
    expect(dashboard).toContain("Sat Nov 21, 2:41 pm CST");
    expect(dashboard).toContain("3:00 pm");
  });

  test.each(["en-GB,en;q=0.9", "de,en-US;q=0.7,en;q=0.3", undefined] as const)(
    "for a browser that asks for %p have 24 hours, and the day first",
    async (language) => {
      for (const path of paths) expect([path, strangeTimes(await read(path, language), "usual")]).toEqual([path, []]);
      expect(await read("/", language)).toContain("Sat 21 Nov, 14:41 CST");
    },
  );

  test("are the same for a British browser and for one that tells no language", async () => {
    for (const path of ["/hx/next-scheduled-card", "/hx/recent-activity-card", "/hx/sync/last-run-card"])
      expect(await read(path, "en-GB")).toBe(await read(path));
  });

  test("carry the format to their scripts", async () => {
    const page = async (path: string, language: string) =>
      await (await running.client.fetch(path, { headers: { "accept-language": language } })).text();
    for (const path of ["/", "/stats", "/trash"]) {
      expect(await page(path, "en-US")).toContain("America/Chicago 12 mdy");
      expect(await page(path, "de")).not.toMatch(/America\/Chicago (12|24)/);
    }
    for (const path of ["/viewer", "/settings"])
      expect(await page(path, "zh-TW")).toContain(
        "&quot;format&quot;:{&quot;hours&quot;:12,&quot;order&quot;:&quot;ymd&quot;}",
      );
  });
});

describe("what programs read stays as it is in every language", () => {
  const asked = { headers: { "accept-language": "en-US" } };
  test("moments, days and zones of the API, the table of runs, the metrics and the log", async () => {
    const api = async (path: string) => await (await running.client.fetch(path, asked)).json();
    expect(await api("/api/status")).toMatchObject({ last_run_at: "2026-11-21T20:41:00.000Z" });
    const lists = await (await running.client.fetch("/api/viewer/calendar", asked)).text();
    expect(strangeTimes(lists, "usual")).toEqual([]);
    for (const path of ["/stats/runs.csv", "/metrics"]) {
      const text = await (await running.client.fetch(path, asked)).text();
      expect(text).not.toMatch(AMERICAN);
      expect(text).not.toContain("Nov");
    }
    expect(await read("/logs", "en-US")).toMatch(/\|14:41:00\.000/);
  });

  test("the sentences of the API are those of the pages, in the format of who asks", async () => {
    const preview = async (language?: string) => {
      const headers: Record<string, string> = language === undefined ? {} : { "accept-language": language };
      const answer = await running.client.fetch("/api/schedule/preview", { headers });
      return (await answer.json()).words.replaceAll("\u00a0", " ");
    };
    expect(await preview("en-US")).toBe("Every day at 3:00 am and 3:00 pm.");
    expect(await preview("de")).toBe("Every day at 03:00 and 15:00.");
    expect(await preview()).toBe("Every day at 03:00 and 15:00.");
    const found = async (headers: Record<string, string>) =>
      (await (await running.client.fetch("/api/search?q=bridge", { headers })).json()).results[0].title;
    expect(await found({ "accept-language": "en-US" })).toMatch(/^Sat Nov\s21, 2:\d\d\spm: The bridge$/);
    expect(await found({})).toMatch(/^Sat 21\sNov, 14:\d\d: The bridge$/);
  });
});
