import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TrashProps } from "../../islands/trash/trash_props.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { type Deletion, keysOf, putInTrash } from "../support/app/trash.ts";

const NOW = "2026-11-20T20:51:00Z";
const SETTINGS = { schedule: { timezone: "Australia/Sydney" }, retention: { keep: "" } } as const;

interface Laid extends Deletion {
  readonly names: readonly string[];
}

async function start(trash: readonly Laid[] = [], settings: object = {}, bytes = 1_000_000): Promise<RunningApp> {
  const running = await startApp({ clock: new FakeClock(NOW), settings: { ...SETTINGS, ...settings } });
  for (const { names, ...deletion } of trash) putInTrash(running.destination, deletion, names, bytes);
  return running;
}

/** A page as it is read without a script: without the islands' data, tags and entities. */
async function read(running: RunningApp, path = "/trash"): Promise<string> {
  const { response, text } = await running.client.open(path);
  expect(response.status).toBe(200);
  return text
    .replaceAll(/<svg hidden.*?<\/svg>|data-props="[^"]*"/gs, "")
    .replaceAll(/<[^>]*>/g, "|")
    .replaceAll(/\|+/g, "|")
    .replaceAll(/[\u00a0\u202f]/g, " ");
}

async function fragment(running: RunningApp, path: string): Promise<TrashProps> {
  const text = await (await running.client.fetch(path)).text();
  const [, json = ""] = /^<div id="trash" data-props="([^"]*)"><\/div>$/.exec(text) ?? [];
  return JSON.parse(json.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
}

describe("the trash page", () => {
  test("of an empty trash says what comes here, and for how long", async () => {
    await using running = await start();
    const text = await read(running);
    expect(text).toContain("|The trash is empty.|");
    expect(text).toContain("Deleted recordings wait here for 7 days. Until then they can be restored.");
    expect(text).not.toContain("Empty the trash");
  });

  test("where nothing waits says so", async () => {
    await using running = await start([], { retention: { keep: "", trash_days: 0 } });
    expect(await read(running)).toContain("|Nothing waits in the trash.|Deleted recordings are gone at once.");
  });

  test("tells of each day when it leaves and how much it is, what leaves first on top, the days in the schedule's zone", async () => {
    await using running = await start([
      { at: "2026-11-14T21:00:00Z", names: keysOf(5, "P").flatMap((key) => [`${key}F.mp4`, `${key}R.mp4`]) },
      { at: "2026-11-20T08:12:00Z", cause: "hand", by: "anna", names: ["20261106_080417_NF.mp4"] },
      { at: "2026-11-15T21:00:00Z", cause: "room", names: ["20261102_081200_NF.mp4", "20261102_174400_EF.mp4"] },
    ]);
    const text = await read(running);
    for (const part of [
      "|Keep and delete|",
      "|13 recordings, 13 MB, wait in the trash.|Each is deleted for good after 7 days, the next 10 tomorrow.|",
      "|Deleted for good tomorrow|Sun 22 Nov, 08:00 · 10 recordings, 10 MB|",
      "|Sun 10 May, 00:04| |Parking|Older than 1 week |2 cameras|2 MB|",
      "|Show 2 more|",
      "|Deleted for good in 2 days|Mon 23 Nov, 08:00 · 2 recordings, 2 MB|",
      "|Mon 2 Nov, 17:44| |Event|Made room|1 MB|",
      "|Mon 2 Nov, 08:12| |Normal|Made room|1 MB|",
      "|Deleted for good in 6 days|Fri 27 Nov, 19:12 · 1 recording, 1 MB|",
      "|Fri 6 Nov, 08:04| |Normal|Deleted by anna in the viewer, yesterday 19:12|1 MB|",
      "|Times in Australia/Sydney (AEDT)|",
    ])
      expect(text).toContain(part);
    const places = ["tomorrow|", "in 2 days|", "in 6 days|"].map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    // Three of five are drawn.
    expect(text.match(/\|Sun 10 May, 00:0\d\| /g)).toHaveLength(3);
  });

  test("belongs to the settings, and the way back leads there", async () => {
    await using running = await start();
    const { text } = await running.client.open("/trash");
    expect(text).toMatch(/<a href="\/settings" aria-current="page">/);
    expect(text).toContain('<a class="back" href="/settings#retention">');
    expect(text).not.toContain("style=");
  });

  test("is for those who are signed in", async () => {
    await using running = await startApp({ mode: "login", password: "correct horse battery staple" });
    const page = await running.client.fetch("/trash");
    expect([page.status, page.headers.get("location")]).toEqual([302, "/login?next=/trash"]);
    const piece = await running.client.fetch("/hx/trash", { headers: { "hx-request": "true" } });
    expect(piece.status).toBe(401);
  });

  test("says that nothing leaves while the schedule is paused", async () => {
    await using running = await start([{ at: "2026-11-14T21:00:00Z", names: ["20261106_080417_NF.mp4"] }], {
      schedule: { ...SETTINGS.schedule, paused: true },
    });
    expect(await read(running)).toContain("The schedule is paused: nothing is deleted for good until it goes on.");
  });

  test("says why nothing is deleted when something is in the way", async () => {
    await using running = await start();
    running.app.retention.standing.problem = "the trash folder cannot be used (EACCES)";
    expect(await read(running)).toContain("|Nothing is deleted: the trash folder cannot be used (EACCES).|");
  });

  test("does not call a trash empty that cannot be read", async () => {
    await using running = await start();
    mkdirSync(join(running.destination, ".dashdock"), { recursive: true });
    writeFileSync(join(running.destination, ".dashdock", "trash"), "no folder");
    const why = "Nothing is deleted: the trash folder in the recordings folder cannot be read (ENOTDIR).";
    expect(await read(running)).toContain(`|${why}|`);
    const state = (await (await running.client.fetch("/api/retention")).json()) as { problem: string };
    expect(state.problem).toBe(why);
  });

  test("names what is over, also when the time to wait was made shorter", async () => {
    await using running = await start([{ at: "2026-11-18T21:00:00Z", names: ["20261106_080417_NF.mp4"] }], {
      retention: { keep: "", trash_days: 1 },
    });
    expect(await read(running)).toContain("|Deleted for good at the next run|Fri 20 Nov, 08:00 · 1 recording, 1 MB|");
  });
});

describe("a trash that reaches back for months", () => {
  let running: RunningApp;
  beforeAll(async () => {
    const at = (day: number) => new Date(Date.parse(NOW) - (day + 0.5) * 86_400_000).toISOString();
    const days = Array.from({ length: 70 }, (_, day) => ({
      at: at(day),
      names: [`2026010${1 + Math.floor(day / 50)}_00${10 + (day % 50)}00_NF.mp4`],
    }));
    running = await start(days, { retention: { keep: "", trash_days: 365 } });
  });
  afterAll(() => running[Symbol.asyncDispose]());

  test("is drawn a month at a time", async () => {
    const text = await read(running);
    expect(text.match(/\|Deleted for good in \d+ days\|/g)).toHaveLength(30);
    expect(text).toContain("|Show 40 more days|");
  });

  const cases: [asked: string, days: number, more: number][] = [
    ["", 30, 40],
    ["?days=60", 60, 10],
    ["?days=90", 70, 0],
    ["?days=3", 30, 40],
    ["?days=many", 30, 40],
  ];
  for (const [asked, days, more] of cases)
    test(`is told in a fragment as far as ${asked || "nothing"} asks`, async () => {
      const props = await fragment(running, `/hx/trash${asked}`);
      expect([props.days.length, props.moreDays]).toEqual([days, more]);
      expect(props.totals.entries).toBe(70);
    });
});

test("the trash page is never larger than 200 KB", async () => {
  // More days than are drawn, more entries than are drawn of each, and the longest words.
  await using running = await start(
    Array.from({ length: 31 }, (_, day) => ({
      at: new Date(Date.parse(NOW) - day * 86_400_000 - 3_600_000).toISOString(),
      cause: "hand" as const,
      by: "somebody-with-a-long-name",
      names: keysOf(4).flatMap((key) =>
        ["F.mp4", "R.mp4", "F.thm"].map(
          (end) => `${key.slice(0, 6)}${String(1 + day).padStart(2, "0")}${key.slice(8, 15)}_I${end}`,
        ),
      ),
    })),
    { retention: { keep: "", trash_days: 365 } },
    0,
  );
  const { text } = await running.client.open("/trash");
  expect(text.match(/<li /g)).toHaveLength(4 * 30);
  expect(Buffer.byteLength(text)).toBeLessThan(200_000);
});
