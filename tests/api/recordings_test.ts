import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { recent } from "../../server/api/recordings.ts";
import type { Route } from "../../server/http/request/route.ts";
import type { Browser, HttpStage, StageApp } from "../support/app/http.ts";
import { bodyOf, openStage, Shelf } from "../support/app/viewer.ts";

let shelf: Shelf;
let stage: HttpStage;
let browser: Browser;
beforeEach(async () => {
  shelf = new Shelf();
  const { segments: index } = shelf;
  const handle: Route<StageApp>["handle"] = (context, app) => recent.handle(context, { ...app, segments: index });
  ({ stage, browser } = await openStage([
    { method: "GET", path: "/api/recordings/recent", access: "signed-in", handle },
  ]));
});
afterEach(async () => {
  await stage[Symbol.asyncDispose]();
  shelf[Symbol.dispose]();
});

describe("GET /api/recordings/recent", () => {
  const lengths: [query: string, count: number][] = [
    ["", 5],
    ["?limit=3", 3],
    ["?limit=0", 1],
    ["?limit=-7", 1],
    ["?limit=%2B4", 4],
    ["?limit=1000", 50],
    ["?limit=99999999999999999999999", 50],
    ["?limit=", 5],
    ["?limit=many", 5],
    ["?limit=2.5", 5],
    ["?limit=3e1", 5],
    ["?limit=NaN", 5],
  ];
  test("gives as many as asked for, five without a number, one to fifty", async () => {
    for (let index = 10; index < 70; index++) {
      shelf.put(`20260607_${index < 60 ? "10" : "11"}${index % 60 < 10 ? "0" : ""}${index % 60}00_NF.mp4`);
    }
    for (const [query, count] of lengths) {
      const { recordings, total } = (await bodyOf(browser, `/api/recordings/recent${query}`)) as {
        recordings: [];
        total: number;
      };
      expect([query, recordings.length, total]).toEqual([query, count, 60]);
    }
  });

  test("tells name, time and place", async () => {
    shelf.put(`2026-06-07/20260607_101500_NF.mp4`, "", 1_780_000_000.5);
    expect(await bodyOf(browser, "/api/recordings/recent")).toEqual({
      recordings: [
        {
          filename: "20260607_101500_NF.mp4",
          mtime: 1_780_000_000.5,
          path: `${shelf.root}/2026-06-07/20260607_101500_NF.mp4`,
        },
      ],
      total: 1,
    });
  });
});
