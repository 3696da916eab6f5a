import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { renderToString } from "preact-render-to-string";
import { CSV_HEAD, csvLine } from "../../server/domain/runs/runs_csv.ts";
import type { Statistics } from "../../server/domain/runs/stats_schema.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { RunsSection } from "../../server/pages/runs_table.tsx";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { awayAt, runAt, runsOfACar } from "../support/app/history.ts";

const NOW = Date.parse("2026-06-07T10:15:00Z") / 1000;
const DAY = 86_400;

async function start(runs: Iterable<Parameters<RunningApp["app"]["history"]["append"]>[0]> = []): Promise<RunningApp> {
  const running = await startApp({ clock: new FakeClock(NOW * 1000), settings: { retention: { keep: "" } } });
  for (const run of runs) running.app.history.append(run);
  return running;
}

/** A page as it is read without a script: without the islands' data, tags and entities. */
async function read(running: RunningApp, path: string): Promise<string> {
  const { response, text } = await running.client.open(path);
  expect([path, response.status]).toEqual([path, 200]);
  return text
    .replaceAll(/<svg hidden.*?<\/svg>|data-props="[^"]*"/gs, "")
    .replaceAll(/<[^>]*>/g, "|")
    .replaceAll(/\|+/g, "|")
    .replaceAll(/[\u00a0\u202f]/g, " ");
}

describe("the statistics page", () => {
  test("before the first run says when it comes, and has no tiles, charts or table", async () => {
    await using running = await start();
    const text = await read(running, "/stats");
    expect(text).toContain("No runs yet");
    expect(text).toContain("The next run comes today at |10:30 UTC|, in 15 min.");
    expect(text).not.toContain("Brought home");
    expect(text).not.toContain("Download as CSV");
  });

  const reasons: [
    name: string,
    settings: Parameters<RunningApp["client"]["send"]>[2],
    section: string,
    words: string,
  ][] = [
    ["the schedule is paused", { paused: true }, "schedule", "The schedule is paused: no run comes by itself."],
    ["no camera is known", { address: "" }, "connection", "A first run needs the address of the camera."],
  ];
  for (const [name, change, section, words] of reasons)
    test(`before the first run says that ${name}`, async () => {
      await using running = await start();
      await running.client.open("/");
      expect((await running.client.send("PATCH", `/api/settings/${section}`, change)).status).toBe(200);
      expect(await read(running, "/stats")).toContain(words);
    });

  test("of a time without runs says when the last one was, and leads to it", async () => {
    await using running = await start([runAt(NOW - 3 * DAY)]);
    const text = await read(running, "/stats?range=24h");
    expect(text).toContain("No runs in this time");
    expect(text).toContain("Thu 4 Jun, 10:15");
    expect(await read(running, "/stats?range=7d")).toContain("Successful");
  });

  test("tells of runs in tiles, words and a table, without any script", async () => {
    await using running = await start([
      awayAt(NOW - 4000),
      runAt(NOW - 3000, { files: 31, bytes: 912_000_000, durationSeconds: 72 }),
      runAt(NOW - 2000, { files: 41, failures: { http: 1 } }),
      runAt(NOW - 1000, { success: false, files: 18, bytes: 2_600_000_000, failures: { disk: 1 } }),
      runAt(NOW - 100, { dryRun: true, files: 0, bytes: 0, durationSeconds: 3.1 }),
    ]);
    const text = await read(running, "/stats");
    for (const tile of [
      "|Runs|5|1 found the camera away|",
      "|Brought home|3.9 |GB|90 files|",
      "|Average run|38 |s|Longest 1 min 12 s|",
      "|Successful|75 |%|of the others|",
      "|Camera away|1 |run|20 %, not counted as failed|",
      "|31 May to 7 Jun 2026, UTC · updated 10:15|",
      "|Stops at 90 %|",
    ])
      expect(text).toContain(tile);
    const rows = [
      "|Sun 7 Jun, 10:13|Dry run|Listed only, nothing written|412 listed|3.1 s|",
      "|Sun 7 Jun, 09:57|Failed|Disk full|18|2.6 GB|38 s|",
      "|Sun 7 Jun, 09:41|Partly|1 file failed: error from the camera |Show the files|41 of 42|412 MB|38 s|",
      "|Sun 7 Jun, 09:23|Fine|31|912 MB|1 min 12 s|",
      "|Sun 7 Jun, 09:08|Camera away|Not reachable, timed out|",
    ];
    const places = rows.map((row) => text.indexOf(row));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  test("does not claim that the camera was reached by runs that another device answered", async () => {
    const cause = "not-a-listing";
    await using running = await start([runAt(NOW - 100, { success: false, cause, failures: { unknown: 1 } })]);
    const text = await read(running, "/stats");
    for (const tile of [
      "|Runs|1|The camera was there every time|",
      "|Successful|0 |%|of all runs|",
      "|No run found it away|",
    ])
      expect(text).toContain(tile);
    expect(text).not.toContain("reached");
  });

  test("does not count a run that was stopped by hand as one that went wrong", async () => {
    const stopped = { success: false, stopped: true } as const;
    await using running = await start([runAt(NOW - 3000, stopped)]);
    expect(await read(running, "/stats")).toContain("|Successful|–|Each was stopped|");
    running.app.history.append(runAt(NOW - 2000, {}));
    running.app.history.append(runAt(NOW - 1000, stopped));
    expect(await read(running, "/stats")).toContain("|Successful|100 |%|not counting 2 stopped|");
    running.app.history.append(runAt(NOW - 500, { success: false, failures: { disk: 1 } }));
    expect(await read(running, "/stats")).toContain("|Successful|50 |%|");
    const { summary } = (await (await running.client.fetch("/api/stats/series?range=7d")).json()) as Statistics;
    expect(summary).toMatchObject({ reachable_runs: 4, stopped: 2, success_rate: 0.25 });
  });

  test("of nothing but absences has no averages", async () => {
    await using running = await start([awayAt(NOW - 2000), awayAt(NOW - 1000)]);
    const text = await read(running, "/stats");
    expect(text).toContain("|Runs|2|None reached the camera|");
    expect(text).toContain("|Average run|–|No run reached the camera|");
    expect(text).toContain("|Successful|–|No run reached the camera|");
    expect(text).toContain("|Camera away|2 |runs|100 %, not counted as failed|");
    expect(text).toContain("Nothing was brought home in this time.");
  });

  test.each([
    ["a week", [runAt(NOW - 100)], "7d"],
    ["a month when the last run is older than a week", [runAt(NOW - 8 * DAY)], "30d"],
    ["everything when it is older than a month", [runAt(NOW - 31 * DAY)], "all"],
    [
      "what shows more than a car that is away",
      [runAt(NOW - 20 * DAY), awayAt(NOW - 2 * DAY), awayAt(NOW - DAY)],
      "30d",
    ],
    ["a week when the camera was never reached", [awayAt(NOW - 100)], "7d"],
    ["a week before the first run", [], "7d"],
  ] as const)("chooses %s", async (_, runs, range) => {
    await using running = await start(runs);
    const { text } = await running.client.open("/stats");
    expect(/href="\/stats\?range=(\w+)" aria-current="true"/.exec(text)?.[1]).toBe(range);
    expect(text).toContain(`data-poll="/hx/stats/runs?range=${range}"`);
  });

  test("marks the range in force, a week when it is not known", async () => {
    await using running = await start([runAt(NOW - 100)]);
    const current = async (path: string) =>
      /href="\/stats\?range=(\w+)" aria-current="true"/.exec((await running.client.open(path)).text)?.[1];
    expect(await current("/stats?range=30d")).toBe("30d");
    expect(await current("/stats?range=all")).toBe("all");
    for (const path of ["/stats", "/stats?range=1y", "/stats?range=toString"]) expect(await current(path)).toBe("7d");
  });

  test("names the zone of a time from before a clock change", async () => {
    await using running = await start([runAt(NOW - 100)]);
    const there = { ...running.app, zone: new ZoneTime("Australia/Sydney") };
    running.app.history.append(runAt(Date.parse("2026-04-01T00:00:00Z") / 1000));
    const asked = { range: "all", limit: 50 } as const;
    const text = renderToString(RunsSection({ app: { ...there, history: running.app.history }, asked }));
    expect(text).toContain("Started (AEST)");
    expect(text).toContain("Wed 1\u00a0Apr, 10:59 AEDT</time>");
    expect(text).toContain("Sun 7\u00a0Jun, 20:12</time>");
  });
});

describe("the table of runs", () => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await start();
    const db = new Database(join(running.folder, "config", "stats.db"));
    const add = db.prepare(
      "insert into runs (ts_seconds, success, duration_seconds, files, bytes) values (?, 1, 2, 1, 9)",
    );
    db.transaction(() => {
      for (let index = 0; index < 9000; index++) add.run(NOW - 10 - index);
    })();
    add.finalize();
    db.close();
  });
  afterAll(() => running[Symbol.asyncDispose]());
  const rowsOf = (text: string) => text.match(/<th scope="row">/g)?.length ?? 0;

  const cases: [asked: string, rows: number, next: string | null][] = [
    ["", 50, "200"],
    ["&runs=200", 200, "500"],
    ["&runs=201", 500, "1000"],
    ["&runs=1000", 1000, null],
    ["&runs=99999", 1000, null],
    ["&runs=0", 50, "200"],
    ["&runs=-3", 50, "200"],
    ["&runs=many", 50, "200"],
  ];
  for (const [asked, rows, next] of cases)
    test(`has ${rows} rows when asked for "${asked}"`, async () => {
      const { text } = await running.client.open(`/stats?range=7d${asked}`);
      expect(rowsOf(text)).toBe(rows);
      expect(/href="\/stats\?range=7d&amp;runs=(\d+)#runs"/.exec(text)?.[1] ?? null).toBe(next);
    });

  test("comes alone as a fragment that asks for itself again", async () => {
    const answer = await running.client.fetch("/hx/stats/runs?range=24h&runs=200", {
      headers: { "hx-request": "true" },
    });
    const text = await answer.text();
    expect(text).toStartWith('<section class="section" id="runs" data-poll="/hx/stats/runs?range=24h&amp;runs=200"');
    expect(rowsOf(text)).toBe(200);
  });

  test("is a file with every run, oldest first, whatever the table shows", async () => {
    const answer = await running.client.fetch("/stats/runs.csv?range=all");
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="dashdock-runs-all-2026-06-07.csv"');
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const lines = (await answer.text()).split("\r\n");
    expect(lines).toHaveLength(9002);
    expect(`${lines[0]}\r\n`).toBe(CSV_HEAD);
    expect(lines.at(-1)).toBe("");
    const ended = lines.slice(1, -1).map((line) => Date.parse(line.split(",")[1] ?? "") / 1000);
    expect(ended).toEqual(Array.from({ length: 9000 }, (_, index) => NOW - 9009 + index));
  });

  test("is a file without a body for HEAD", async () => {
    const answer = await running.client.fetch("/stats/runs.csv?range=7d", { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  });

  test("is no file of an unknown range", async () => {
    expect((await running.client.fetch("/stats/runs.csv?range=1y")).status).toBe(400);
  });
});

describe("the file of runs", () => {
  test("has those of its range only, each as its line", async () => {
    const runs = [...runsOfACar(NOW, 200)];
    await using running = await start(runs);
    const text = await (await running.client.fetch("/stats/runs.csv?range=24h")).text();
    const recent = runs.filter(({ ts }) => ts >= NOW - DAY);
    expect(recent.length).toBeLessThan(runs.length);
    expect(text).toBe(CSV_HEAD + recent.map(csvLine).join(""));
  });

  test("of no runs has its head", async () => {
    await using running = await start();
    expect(await (await running.client.fetch("/stats/runs.csv")).text()).toBe(CSV_HEAD);
  });

  test("is for those who are signed in", async () => {
    await using running = await startApp({ mode: "login", password: "correct horse battery" });
    const answer = await running.client.fetch("/stats/runs.csv?range=7d");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/login?next=/stats/runs.csv%3Frange%3D7d"]);
  });
});
