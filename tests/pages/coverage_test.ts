import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { parkedCameras } from "../support/app/several_cameras.ts";
import { driveNames, type WrittenRecording, writeLedger } from "../support/app/written_ledger.ts";

setDefaultTimeout(60_000);

const NOW = Date.parse("2026-11-21T07:51:00+11:00");
const SETTINGS = { schedule: { timezone: "Australia/Sydney" }, retention: { keep: "" } };

/** A short drive to work on each of so many days before today, of which nothing is lost. */
function drives(days: number): WrittenRecording[] {
  return Array.from({ length: days }, (_, at) => {
    const date = new Date(Date.parse("2026-11-20") - at * 86_400_000).toISOString().slice(0, 10);
    return driveNames(`${date}T08:00:00`, 4).map((name) => ({ name, state: "home" as const }));
  }).flat();
}

/** The evening of 10 Nov: 16 minutes came home, 23 were lost. */
const EVENING: readonly WrittenRecording[] = [
  ...driveNames("2026-11-10T17:24:00", 16).map((name) => ({ name, state: "home" as const })),
  ...driveNames("2026-11-10T17:40:00", 23).map((name) => ({ name, state: "lost" as const, cause: "disk" as const })),
  ...driveNames("2026-11-10T21:00:00", 1, "P").map((name) => ({ name, state: "left_out" as const })),
];

const VAN_AND_BUS = [
  { id: "van", name: "Van" },
  { id: "bus", name: "Bus" },
];

/** A ledger that a newer program has written. */
function writeNewerLedger(path: string): void {
  const db = new Database(path, { create: true });
  db.run("pragma user_version = 99");
  db.close();
}

async function running(settings = SETTINGS): Promise<RunningApp> {
  return await startApp({ clock: new FakeClock(NOW), settings });
}

/** The texts of a page, each between bars. */
async function read({ client }: RunningApp, path: string): Promise<string> {
  const { response, text } = await client.open(path);
  expect(response.status).toBe(200);
  return text
    .replace(/<svg hidden.*?<\/svg>/s, "")
    .replaceAll(/ data-props="[^"]*"/g, "")
    .replaceAll(/<[^>]*>/g, "|")
    .replaceAll(/[\u00a0\u202f]/g, " ")
    .replaceAll(/\|[\s|]*/g, "|");
}

describe("was anything missed", () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await running();
    await writeLedger(app, [...drives(120), ...EVENING], { since: "2026-07-24" });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("says so in a sentence, figures, the day and the table", async () => {
    const text = await read(app, "/stats/coverage");
    for (const part of [
      "|24 Aug to 21 Nov 2026, AEDT · updated 07:51|",
      "|23 minutes were lost in 13 weeks. All else came home.|",
      "|On 1 of 89 driving days the camera recorded over something before it could be fetched.|",
      "|Driven|6 |h 35 min|Came home|94.1 |%|Lost|23 |min, 1 day|",
      "|Left out by your rules|2 |recordings|Nothing lost for|11 |days|",
      "|Tue 10 Nov 2026|23 min lost|88 recorded, 40 came home, 46 lost, 2 left out|",
      "|The disk of the recordings was full, and syncing had stopped.|",
      "|Days with something lost|Download as CSV|Day|State|Why|On the card|Came home|Lost|Tue 10 Nov|Lost|The disk was full|88|40|23 min|",
    ])
      expect(text).toContain(part);
  });

  test("is a part of the statistics, whose pages lead to each other", async () => {
    for (const [path, name] of [
      ["/stats", "Runs"],
      ["/stats/coverage", "Was anything missed?"],
    ] as const) {
      const { text } = await app.client.open(path);
      const [nav = ""] = /<nav class="seg" aria-label="Statistics">.*?<\/nav>/s.exec(text) ?? [];
      expect(nav).toContain('href="/stats"');
      expect(nav).toContain('href="/stats/coverage"');
      expect(/aria-current="page">([^<]*)/.exec(nav)?.[1]).toBe(name);
    }
  });

  test("opens the day in the address, and has a link to each", async () => {
    const { text } = await app.client.open("/stats/coverage?date=2026-11-11");
    expect(text).toContain("Wed 11\u00a0Nov 2026");
    expect(text).toContain("8 recorded, all came home");
    expect(text).toContain('aria-label="Recorded 08:00 to 08:04"');
    expect(text).toContain('href="/viewer?date=2026-11-11"');
    const days = [...text.matchAll(/<a class="hm-d [^>]*>/g)].map(([tag]) => tag);
    expect(days).toHaveLength(90);
    expect(days.filter((tag) => tag.includes('aria-current="true"'))).toEqual([
      expect.stringContaining('href="/stats/coverage?date=2026-11-11"'),
    ]);
  });

  test.each([
    ["", "2026-08-24", "2026-11-21"],
    ["?date=2026-08-24", "2026-08-24", "2026-11-21"],
    ["?date=2026-08-23", "2026-05-25", "2026-08-23"],
    ["?from=2026-11-02&to=2026-11-12", "2026-11-02", "2026-11-12"],
    ["?from=2020-01-01", "2025-10-18", "2026-11-21"],
    ["?from=2026-11-22&to=2030-01-01", "2026-08-24", "2026-11-21"],
    ["?from=2026-11-12&to=2026-11-02", "2026-08-10", "2026-11-02"],
    ["?from=yesterday&date=2026-02-30", "2026-08-24", "2026-11-21"],
  ])("of %s shows %s to %s", async (query, from, to) => {
    const { text } = await app.client.open(`/stats/coverage${query}`);
    expect(text).toContain(`href="/stats/coverage.csv?from=${from}&amp;to=${to}"`);
  });

  test("leads to earlier and later times, as far as they are known, and to a year", async () => {
    const steps = async (path: string) => {
      const [, nav = ""] = /<nav class="hm-steps"[^>]*>(.*?)<\/nav>/s.exec((await app.client.open(path)).text) ?? [];
      return [...nav.matchAll(/<a href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
    };
    const before = "/stats/coverage?from=2026-05-25&to=2026-08-23";
    const year = "/stats/coverage?from=2025-11-17&to=2026-11-21";
    expect(await steps("/stats/coverage")).toEqual([before, year]);
    expect(await steps(before)).toEqual(["/stats/coverage", year]);
    expect(await steps(year)).toEqual(["/stats/coverage"]);
  });

  test("comes without the page as a fragment with the same figures", async () => {
    const answer = await app.client.fetch("/hx/stats/coverage?date=2026-11-10", { headers: { "hx-request": "true" } });
    const [, props = ""] = /data-props="([^"]*)"/.exec(await answer.text()) ?? [];
    const { view, day } = JSON.parse(props.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
    expect([view.level, day.state]).toEqual(["attention", "23\u00a0min lost"]);
  });

  test("is for those who are signed in", async () => {
    await using locked = await startApp({ mode: "login", password: "correct horse battery" });
    const answer = await locked.client.fetch("/stats/coverage?date=2026-11-10");
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      "/login?next=/stats/coverage%3Fdate%3D2026-11-10",
    ]);
  });
});

describe("the page of what was missed", () => {
  test("claims nothing before the first list, and says what to do", async () => {
    await using app = await running();
    const text = await read(app, "/stats/coverage");
    expect(text).toContain("|Nothing is known yet.|");
    expect(text).toContain("|Sync now from the dashboard|");
    expect(text).not.toContain("|Lost|");
    expect(text).not.toContain("Download as CSV");
  });

  test("without a camera leads to where its address is set", async () => {
    await using app = await startApp({ clock: new FakeClock(NOW), settings: { connection: { address: "" } } });
    expect(await read(app, "/stats/coverage")).toContain("|No camera is set up yet.|");
  });

  test("of a young ledger names its first day, and draws no day before it", async () => {
    await using app = await running();
    await writeLedger(app, drives(3), { since: "2026-11-18" });
    const text = await read(app, "/stats/coverage");
    expect(text).toContain("|Nothing was lost since 18 Nov.|");
    expect(text).toContain("Dashdock has kept track since 18 Nov 2026. It claims nothing about the time before.");
    const { text: html } = await app.client.open("/stats/coverage?date=2026-11-17");
    expect(html.match(/<a class="hm-d /g)).toHaveLength(4);
    expect(html).toContain("Dashdock did not keep track yet.");
  });

  test("of a camera whose clock is ahead has the day that it is there", async () => {
    await using app = await running();
    const ahead = driveNames("2026-11-22T00:10:00", 3).map((name) => ({ name, state: "home" as const }));
    await writeLedger(app, [...drives(3), ...ahead], { since: "2026-11-01" });
    const { text } = await app.client.open("/stats/coverage");
    expect(text).toContain("Sun 22\u00a0Nov 2026");
    expect(text).toContain("6 recorded, all came home");
    expect(text).toContain("Nothing was lost since 1\u00a0Nov.");
    expect((await app.client.open("/stats/coverage?date=2026-11-23")).text).toContain("This day is still to come.");
  });

  test("shows when the car was at home, also after midnight and while it goes on", async () => {
    const clock = new FakeClock("2026-11-19T21:00:00+11:00");
    await using app = await startApp({ clock, settings: SETTINGS });
    await writeLedger(app, drives(3), { since: "2026-11-01" });
    const { visits } = app.app;
    const stay = (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        visits.contact();
        clock.pass(60_000);
      }
      visits.contact();
    };
    stay(11 * 60);
    visits.gone();
    clock.pass(10 * 3_600_000);
    stay(30);
    const lane = async (date: string) => {
      const { text } = await app.client.open(`/stats/coverage?date=${date}`);
      return /Car at home<\/dt><dd><svg[^>]* aria-label="([^"]*)"/.exec(text)?.[1];
    };
    expect(await lane("2026-11-19")).toBe("From 21:00 on");
    expect(await lane("2026-11-20")).toBe("Until 08:00 and from 18:00 on");
    visits.gone();
    expect(await lane("2026-11-20")).toBe("Until 08:00 and 18:00 to 18:30");
  });

  test("asks about a card, and claims nothing of what depends on the answer", async () => {
    await using app = await running();
    const waiting = driveNames("2026-11-21T07:00:00", 5).map((name) => ({ name, state: "coming" as const }));
    await writeLedger(app, [...drives(3), ...waiting], { since: "2026-11-01", asks: "formatted" });
    const text = await read(app, "/stats/coverage");
    for (const part of [
      "|Is something lost? That depends on your answer.|",
      "|Did you format the card?|Since Sat 21 Nov, 07:41 the camera lists nothing of what it had before. 10 recordings had not come home.",
      "|Lost|not known|",
      "|Nothing lost for|not known|",
    ])
      expect(text).toContain(part);
  });

  test("of a ledger that a newer program has written says what to do, and the rest of the page is there", async () => {
    await using app = await running();
    writeNewerLedger(`${app.folder}/config/ledger.db`);
    const text = await read(app, "/stats/coverage");
    expect(text).toContain("|What became of the recordings is not known now.|");
    expect(text).toContain("was written by a newer Dashdock");
    expect(text).toContain("|Was anything missed?|");
    expect((await app.client.fetch("/hx/stats/coverage")).status).toBe(200);
  });

  test("of several cameras has a row for each, and one sentence over all", async () => {
    await using app = await parkedCameras(VAN_AND_BUS, {
      clock: new FakeClock(NOW),
      settings: SETTINGS,
    });
    await writeLedger(app, drives(30), { since: "2026-08-01" });
    await writeLedger(app, EVENING, { since: "2026-11-01" }, "van");
    const text = await read(app, "/stats/coverage?camera=all");
    expect(text).toContain("|23 minutes were lost in 13 weeks. All else came home.|");
    expect(text).toMatch(/\|Fine\|240\|240\|0\|None\|/);
    expect(text).toContain("|Van|since 1 Nov 2026|Lost|80|32|0|23 min|");
    writeNewerLedger(`${app.folder}/config/cameras/bus/ledger.db`);
    expect(await read(app, "/stats/coverage?camera=all")).toContain("The ledger of Bus cannot be used.|");
    const { text: van } = await app.client.open("/stats/coverage?camera=van");
    expect(van).toContain("23\u00a0min lost");
    expect(van).toContain('href="/stats/coverage?date=2026-11-10&amp;camera=van"');
    const { text: all } = await app.client.open("/stats/coverage?camera=all");
    expect(all).toContain('href="/stats?camera=all"');
    expect((await app.client.fetch("/hx/stats/coverage?camera=all")).status).toBe(404);
  });
});
