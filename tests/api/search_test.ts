import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { SEARCH } from "../../server/domain/viewer/search_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";

const CLIPS = ["20260607_101500_N", "20260608_070000_E", "20260609_120000_N"] as const;

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
  mkdirSync(app.destination, { recursive: true });
  for (const key of CLIPS) writeFileSync(join(app.destination, `${key}F.mp4`), "");
  await app.app.library.refresh();
  await app.client.open("/");
  for (const [at, note] of ["Deer at the café", "A deer again", "Nothing"].entries())
    await app.client.send("PUT", `/api/recordings/${CLIPS[at]}/keep`, { note });
});
afterAll(() => app[Symbol.asyncDispose]());

async function found(query: string): Promise<readonly string[]> {
  const answer = await fetch(`${app.url}/api/search?${query}`);
  expect(answer.status).toBe(200);
  return v.parse(SEARCH, await answer.json()).results.map(({ title, href }) => `${title} ${href}`);
}

const year = new Date().getUTCFullYear() === 2026 ? "" : "\u00a02026";
const DEER = [
  `Mon 8\u00a0Jun${year}, 07:00: A deer again /viewer?key=${CLIPS[1]}`,
  `Sun 7\u00a0Jun${year}, 10:15: Deer at the café /viewer?key=${CLIPS[0]}`,
];

test("notes are found by their words, newest first, at most as many as are asked for", async () => {
  expect(await found("q=deer")).toEqual(DEER);
  expect(await found("q=deer&limit=1")).toEqual(DEER.slice(0, 1));
  expect(await found("q=CAFE+deer")).toEqual(DEER.slice(1));
});

test("nothing typed, nonsense and a very long text find nothing, and are no error", async () => {
  for (const query of [
    "",
    "q=",
    "q=+++",
    "q=moose&limit=x",
    "q=%00%ff",
    "q=morning+morning",
    `q=deer${"+".repeat(150)}${"a".repeat(9000)}`,
  ])
    expect(await found(query)).toEqual([]);
});

test("what was looked for is in no log", () => {
  expect(JSON.stringify(app.app.log.lines)).not.toContain("moose");
});

test("a note whose recording is here no more is not found", async () => {
  await app.client.send("DELETE", `/api/recordings/${CLIPS[1]}/keep`);
  expect(await found("q=deer")).toEqual(DEER.slice(1));
});

test("times, kinds and notes stand in this order, each with how much there is", async () => {
  await app.client.send("PUT", `/api/recordings/${CLIPS[1]}/keep`, { note: "Monday’s event" });
  const answer = await fetch(`${app.url}/api/search?q=mon`);
  const { results } = v.parse(SEARCH, await answer.json());
  expect(results).toEqual([
    { group: "time", title: `Mon 8\u00a0Jun${year}`, detail: "1\u00a0clip", href: `/viewer?key=${CLIPS[1]}` },
    {
      group: "note",
      title: `Mon 8\u00a0Jun${year}, 07:00: Monday’s event`,
      detail: "",
      href: `/viewer?key=${CLIPS[1]}`,
    },
  ]);
  const groups = async (text: string) =>
    v
      .parse(SEARCH, await (await fetch(`${app.url}/api/search?q=${encodeURIComponent(text)}`)).json())
      .results.map(({ group, title, detail, href }) => `${group}: ${title} (${detail}) ${href}`);
  expect(await groups("event")).toEqual([
    "kind: Events (1\u00a0clip) /viewer?types=E",
    `note: Mon 8\u00a0Jun${year}, 07:00: Monday’s event () /viewer?key=${CLIPS[1]}`,
  ]);
  expect(await groups("2026-06-08")).toEqual([`time: Mon 8\u00a0Jun${year} (1\u00a0clip) /viewer?key=${CLIPS[1]}`]);
  expect(await groups("2026-06-08 07:00")).toEqual([`time: Mon 8\u00a0Jun${year}, 07:00 () /viewer?key=${CLIPS[1]}`]);
  expect(await groups("2026-06-08 06:00")).toEqual([
    `time: Mon 8\u00a0Jun${year}, 06:00 (Nothing then. The next clip is of 07:00) /viewer?key=${CLIPS[1]}`,
  ]);
  expect(await groups("mornings")).toEqual([
    `time: Mon 8\u00a0Jun${year}, morning (1\u00a0clip from 07:00) /viewer?key=${CLIPS[1]}`,
  ]);
  expect(await groups("2026-06-07 afternoon")).toEqual([]);
  expect(await groups("07:00")).toEqual([`time: Mon 8\u00a0Jun${year}, 07:00 () /viewer?key=${CLIPS[1]}`]);
  expect(await groups("kept")).toEqual(["kind: Kept (3\u00a0clips) /viewer?only=kept"]);
});

test("a time of any day, and a part of it, are found however many newer days there are", async () => {
  // Clips at noon of three months, with the start of a night on the last day.
  for (let day = 0; day < 90; day++) {
    const date = new Date(Date.UTC(2025, 0, 1) + day * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
    for (const time of ["115900", "120000", "120100"])
      writeFileSync(join(app.destination, `${date}_${time}_NF.mp4`), "");
  }
  for (const key of ["20250101_033000_N", "20250102_223000_N", "20250102_233000_N", "20250103_003000_N"])
    writeFileSync(join(app.destination, `${key}F.mp4`), "");
  await app.app.library.refresh();
  const hrefs = async (text: string) =>
    v
      .parse(SEARCH, await (await fetch(`${app.url}/api/search?q=${encodeURIComponent(text)}`)).json())
      .results.map(({ detail, href }) => `${href} ${detail}`);
  expect(await hrefs("03:30:20")).toEqual(["/viewer?key=20250101_033000_N&t=20 "]);
  expect(await hrefs("03:31")).toEqual([]);
  expect(await hrefs("12:00:59")).toEqual([
    "/viewer?key=20260609_120000_N&t=59 ",
    "/viewer?key=20250331_120000_N&t=59 ",
    "/viewer?key=20250330_120000_N&t=59 ",
  ]);
  expect(await hrefs("nights")).toEqual(["/viewer?key=20250102_223000_N 3\u00a0clips from 22:30"]);
});
