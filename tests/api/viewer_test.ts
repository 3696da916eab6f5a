import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { media } from "../../server/api/media.ts";
import { days, gps, gsensor, journey, recordings, trip } from "../../server/api/viewer.ts";
import type { App } from "../../server/app.ts";
import { simulatedCard } from "../../server/dashcam/simulator/simulated_card.ts";
import { dateOf } from "../../server/domain/recordings/recording_name.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { type PendingDeletionParts, PendingDeletions } from "../../server/engine/retention/pending_deletions.ts";
import type { NamingParts } from "../../server/engine/viewer/trip_summaries.ts";
import type { EntryParts } from "../../server/engine/viewer/viewer_entries.ts";
import type { RequestContext } from "../../server/http/request/request_context.ts";
import type { Route } from "../../server/http/request/route.ts";
import { RepairedVideos } from "../../server/store/clips/repaired_videos.ts";
import { TelemetryFiles } from "../../server/store/clips/telemetry_files.ts";
import type { Browser, HttpStage, StageApp } from "../support/app/http.ts";
import { bodyOf, noNames, openStage, Shelf } from "../support/app/viewer.ts";

type ViewerApp = StageApp & Pick<App, "segments" | "telemetry" | "viewed" | "zone"> & EntryParts & NamingParts;

let shelf: Shelf;
let stage: HttpStage;
let browser: Browser;
beforeEach(async () => {
  shelf = new Shelf();
  const { segments, viewed, coming, library, kept, stills } = shelf;
  const zone = new ZoneTime("UTC");
  const route = (
    path: string,
    handle: (context: RequestContext, app: ViewerApp) => Response | Promise<Response>,
  ): Route<StageApp> => {
    return {
      method: "GET",
      path,
      access: "signed-in",
      handle: (context, app) => {
        const retention = { ...app.retention, library, kept, stills };
        const deletions = new PendingDeletions({
          retention,
          settings: app.settings,
          isUnknown: () => false,
        } as unknown as PendingDeletionParts);
        return handle(context, {
          ...app,
          segments,
          viewed,
          coming,
          retention,
          deletions,
          zone,
          telemetry: new TelemetryFiles({ root: shelf.root }),
          placeNames: noNames,
        });
      },
    };
  };
  ({ stage, browser } = await openStage([
    route("/api/viewer/days", days.handle),
    route("/api/viewer/recordings", recordings.handle),
    route("/api/viewer/recordings/:key/journey", journey.handle),
    route("/api/viewer/trips/:key", trip.handle),
    route("/api/viewer/recordings/:key/gps", gps.handle),
    route("/api/viewer/recordings/:key/gsensor", gsensor.handle),
    {
      method: "GET",
      path: "/media/*",
      access: "signed-in",
      handle: (context, app) =>
        media.handle(context, { ...app, mediaFiles: shelf.served, repairedVideos: async () => new RepairedVideos() }),
    },
  ]));
});
afterEach(async () => {
  await stage[Symbol.asyncDispose]();
  shelf[Symbol.dispose]();
});

const KEY = "20260607_101500_N";
const get = (path: string) => bodyOf(browser, path);
async function refusal(path: string) {
  const answer = await browser.ask(path);
  const { code, details, error } = (await answer.json()) as { code: string; details: object; error: string };
  expect(error).toBeString();
  return { status: answer.status, code, details };
}

describe("GET /api/viewer/days", () => {
  test("tells days and how many moments each has", async () => {
    expect(await get("/api/viewer/days")).toEqual({ days: [] });
    shelf.putAll("20260607_101500_NF.mp4", "20260607_101500_NR.mp4", "20260608_101500_EF.mp4");
    await shelf.later();
    expect(await get("/api/viewer/days")).toEqual({
      days: [
        { date: "2026-06-08", count: 1 },
        { date: "2026-06-07", count: 1 },
      ],
    });
  });
});

describe("GET /api/viewer/recordings", () => {
  test("has everything a list and a player need", async () => {
    await shelf.putVideo(`2026-06-07/${KEY}F.mp4`, 5000, 60.5);
    await shelf.putVideo(`2026-06-07/${KEY}R.mp4`, 4000, 60);
    shelf.putAll(`2026-06-07/${KEY}.gps`, `2026-06-07/${KEY}.3gf`, `2026-06-07/${KEY}F.thm`, `2026-06-07/${KEY}R.thm`);
    const answer = await browser.ask("/api/viewer/recordings");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const text = await answer.text();
    expect(JSON.parse(text)).toEqual({
      days: [
        {
          date: "2026-06-07",
          recordings: [
            {
              base_filename: "20260607_101500",
              type: "N",
              datetime: "2026-06-07T10:15:00",
              directions: ["F", "R"],
              has_gps: true,
              has_3gf: true,
              has_thm: true,
              videos: {
                F: "/media/2026-06-07/20260607_101500_NF.mp4",
                R: "/media/2026-06-07/20260607_101500_NR.mp4",
              },
              thumb: "/media/2026-06-07/20260607_101500_NF.thm",
              size_bytes: 9000,
              kept: null,
              kept_with: null,
              stills: [],
              strongest: null,
              coming: null,
              duration_seconds: 60.5,
              codecs: {},
            },
          ],
        },
      ],
    });
    expect(text).toMatch(/"base_filename".*"type".*"datetime".*"directions".*"has_gps".*"videos".*"thumb"/);
  });

  test("does not tell the size of what a link out of the destination points at", async () => {
    writeFileSync(join(shelf.place, "secret"), "0123456789");
    shelf.put("targets/file", "12345");
    symlinkSync(join(shelf.place, "secret"), join(shelf.root, `${KEY}F.mp4`));
    symlinkSync("targets/file", join(shelf.root, "20260607_101600_NF.mp4"));
    const { days } = (await get("/api/viewer/recordings")) as {
      days: { recordings: { size_bytes: number | null }[] }[];
    };
    expect(days[0]?.recordings.map(({ size_bytes }) => size_bytes).toSorted()).toEqual([5, null]);
  });

  test("tells what is not there", async () => {
    shelf.put(`${KEY}R.mp4`);
    expect(await get("/api/viewer/recordings?date=2026-06-07")).toMatchObject({
      days: [
        {
          recordings: [
            {
              directions: ["R"],
              has_gps: false,
              has_3gf: false,
              has_thm: false,
              thumb: null,
              videos: { R: `/media/${KEY}R.mp4` },
              size_bytes: 0,
              kept: null,
              kept_with: null,
              stills: [],
              duration_seconds: null,
            },
          ],
        },
      ],
    });
  });

  test("gives one day, newest first, and nothing for a day without recordings", async () => {
    shelf.putAll(
      "20260607_101500_NF.mp4",
      "20260607_101500_PF.mp4",
      "20260607_101600_NF.mp4",
      "20260606_101500_NF.mp4",
    );
    const listed = async (query: string) => {
      type Body = { days: { date: string; recordings: { base_filename: string; type: string }[] }[] };
      const { days } = (await get(`/api/viewer/recordings${query}`)) as Body;
      return days.flatMap(({ date, recordings }) => [
        date,
        ...recordings.map((one) => one.base_filename.slice(9) + one.type),
      ]);
    };
    expect(await listed("")).toEqual(["2026-06-07", "101600N", "101500P", "101500N"]);
    expect(await listed("?date=2026-06-06")).toEqual(["2026-06-06", "101500N"]);
    expect(await listed("?date=2026-06-05")).toEqual([]);
    expect(await listed("?date=1969-01-01")).toEqual([]);
  });

  test.each([
    "",
    "20260607",
    "2026-6-7",
    "2026-W23-7",
    "2026-02-30",
    "2026-13-01",
    "2026-06-07T00:00",
    "today",
    "٢٠٢٦-٠٦-٠٧",
  ])("refuses the date %p", async (date) => {
    expect(await refusal(`/api/viewer/recordings?date=${encodeURIComponent(date)}`)).toEqual({
      status: 422,
      code: "INVALID_DATE",
      details: { date },
    });
  });

  test("gives addresses that lead to the files, whatever the folder is called", async () => {
    const folder = "my trip #1/50% ?&+/ünï\\x";
    shelf.put(`${folder}/${KEY}F.mp4`, "video");
    shelf.put(`${folder}/${KEY}F.thm`, "picture");
    type Body = { days: { recordings: { videos: Record<string, string>; thumb: string }[] }[] };
    const { days } = (await get("/api/viewer/recordings")) as Body;
    const [entry] = days[0]?.recordings ?? [];
    expect(entry?.videos["F"]).toMatch(
      /^\/media\/my%20trip%20%231\/50%25%20%3F%26%2B\/[%\w]+\/20260607_101500_NF\.mp4$/,
    );
    expect(await (await browser.ask(entry?.videos["F"] ?? "")).text()).toBe("video");
    expect(await (await browser.ask(entry?.thumb ?? "")).text()).toBe("picture");
  });
});

describe("GET /api/viewer/recordings/:key/journey", () => {
  type Body = { segments: { base_filename: string; type: string; offset_seconds: number; duration_seconds: number }[] };
  const chain = async (key: string) => {
    const { segments } = (await get(`/api/viewer/recordings/${key}/journey`)) as Body;
    return segments.map(({ base_filename, type, offset_seconds }) => [base_filename.slice(9) + type, offset_seconds]);
  };
  beforeEach(async () => {
    await shelf.putVideo("20260607_101500_NF.mp4", 5000, 30.5);
    await shelf.putVideo("20260607_101600_EF.mp4", 5000, 60);
    await shelf.putVideo("20260607_101700_NF.mp4", 5000, 60);
  });

  test("follows one type, or all with continuous play, as the setting is at this moment", async () => {
    expect(await chain("20260607_101500_N")).toEqual([
      ["101500N", 0],
      ["101700N", 30.5],
    ]);
    await stage.app.settings.update((latest) => ({ ...latest, viewer: { ...latest.viewer, continuous_play: true } }));
    expect(await chain("20260607_101500_N")).toEqual([
      ["101500N", 0],
      ["101600E", 30.5],
      ["101700N", 90.5],
    ]);
  });

  test("has the entries of the list", async () => {
    const { segments } = (await get("/api/viewer/recordings/20260607_101700_N/journey")) as Body;
    const { days } = (await get("/api/viewer/recordings")) as { days: { recordings: object[] }[] };
    expect(segments).toEqual([{ ...(days[0]?.recordings[0] as Body["segments"][0]), offset_seconds: 0 }]);
  });

  const unknown = [
    "20260607_101500_E",
    "20260607_101500",
    "20260607_101500_NF",
    "20260607_101500_",
    "x",
    "20260607_101500_n",
  ];
  test.each(unknown)("knows no recording %p", async (key) => {
    for (const part of ["journey", "gps", "gsensor"]) {
      expect(await refusal(`/api/viewer/recordings/${key}/${part}`)).toEqual({
        status: 404,
        code: "RECORDING_NOT_FOUND",
        details: { recording: key },
      });
    }
  });
});

describe("GET /api/viewer/recordings/:key/gps and /gsensor", () => {
  test("answer points and samples", async () => {
    shelf.put(`${KEY}F.mp4`);
    shelf.put(
      `${KEY}.gps`,
      "[5]$GPRMC,1,A,1000.0,S,02000.0,W,nan,,070626*00\r\n[1005]$GPGGA,1,1000.0,N,02000.0,E,1*00",
    );
    shelf.put(`${KEY}.3gf`, Uint8Array.of(0, 0, 2, 223, 0, 130, 0, 5, 255, 236, 1, 2, 3));
    expect(await get(`/api/viewer/recordings/${KEY}/gps`)).toEqual({
      points: [
        { t: 0, lat: -10, lon: -20, speed: null },
        { t: 1, lat: 10, lon: 20, speed: null },
      ],
    });
    expect(await get(`/api/viewer/recordings/${KEY}/gsensor`)).toEqual({
      samples: [{ t: 0.735, x: 1.015625, y: 0.0390625, z: -0.15625 }],
    });
  });

  test("answer empty lists for files without a fix or without a record", async () => {
    shelf.putAll(`${KEY}F.mp4`, `${KEY}.gps`, `${KEY}.3gf`);
    expect(await get(`/api/viewer/recordings/${KEY}/gps`)).toEqual({ points: [] });
    expect(await get(`/api/viewer/recordings/${KEY}/gsensor`)).toEqual({ samples: [] });
  });

  test("say when there is no such file, also when it has just gone", async () => {
    shelf.put(`${KEY}F.mp4`);
    const both = async () => {
      expect(await refusal(`/api/viewer/recordings/${KEY}/gps`)).toEqual({
        status: 404,
        code: "NO_GPS",
        details: { recording: KEY },
      });
      expect((await refusal(`/api/viewer/recordings/${KEY}/gsensor`)).code).toBe("NO_GSENSOR");
    };
    await both();
    shelf.put("targets/file");
    for (const ending of [".gps", ".3gf"]) symlinkSync("targets/file", join(shelf.root, KEY + ending));
    // The targets of the links go, and the folder itself looks as before: the index still has the files.
    await shelf.clock.advance(60_000);
    expect(await get("/api/viewer/recordings")).toMatchObject({ days: [{ recordings: [{ has_gps: true }] }] });
    rmSync(join(shelf.root, "targets/file"));
    expect(await get("/api/viewer/recordings")).toMatchObject({ days: [{ recordings: [{ has_gps: true }] }] });
    await both();
  });

  test("do not follow a link out of the destination", async () => {
    shelf.put(`${KEY}F.mp4`);
    writeFileSync(join(shelf.place, "secret"), "0123456789");
    symlinkSync(join(shelf.place, "secret"), join(shelf.root, `${KEY}.3gf`));
    expect((await refusal(`/api/viewer/recordings/${KEY}/gsensor`)).code).toBe("NO_GSENSOR");
  });

  test("understand whatever the simulated camera writes", async () => {
    const card = simulatedCard({ recordings: 60, now: Date.UTC(2026, 5, 7, 20), size: 500 });
    await shelf.putFiles(card.files, dateOf);
    type Days = { days: { date: string; recordings: { base_filename: string; type: string; has_gps: boolean }[] }[] };
    let points = 0;
    let samples = 0;
    let moments = 0;
    for (const { date } of ((await get("/api/viewer/days")) as Days).days) {
      const { days } = (await get(`/api/viewer/recordings?date=${date}`)) as Days;
      for (const { base_filename, type, has_gps } of days[0]?.recordings ?? []) {
        moments++;
        const path = `/api/viewer/recordings/${base_filename}_${type}`;
        if (has_gps) points += ((await get(`${path}/gps`)) as { points: object[] }).points.length;
        samples += ((await get(`${path}/gsensor`)) as { samples: object[] }).samples.length;
      }
    }
    expect(moments).toBe(card.names().filter((name) => /\.3gf$/.test(name)).length);
    expect(points).toBeGreaterThan(100);
    expect(samples).toBe(moments * 600);
  });
});

describe("GET /api/viewer/trips/<key>", () => {
  const trip = async (key: string) => {
    const { kind, length_seconds, segments } = (await get(`/api/viewer/trips/${key}`)) as {
      kind: string;
      length_seconds: number;
      segments: { base_filename: string; type: string; offset_seconds: number }[];
    };
    return [
      kind,
      length_seconds,
      ...segments.map((one) => [`${one.base_filename}_${one.type}`.slice(9), one.offset_seconds]),
    ];
  };

  test("tells all clips around one, of all types and over midnight, on one clock", async () => {
    shelf.putAll(
      "20260607_225000_NF.mp4",
      "20260607_235900_NF.mp4",
      "20260607_235900_NR.mp4",
      "20260607_235930_EF.mp4",
    );
    shelf.putAll("20260608_000300_PF.mp4", "20260608_040000_PF.mp4", "20260608_050000_PF.mp4");
    const drive = ["drive", 300, ["235900_N", 0], ["235930_E", 30], ["000300_P", 240]];
    for (const key of ["20260607_235900_N", "20260607_235930_E", "20260608_000300_P"])
      expect(await trip(key)).toEqual(drive);
    expect(await trip("20260608_050000_P")).toEqual(["parked", 3660, ["040000_P", 0], ["050000_P", 3600]]);
  });

  test("is cut where the setting says so", async () => {
    shelf.putAll("20260607_100000_NF.mp4", "20260607_100300_NF.mp4");
    expect(await trip("20260607_100000_N")).toHaveLength(4);
    await stage.app.settings.update((latest) => ({ ...latest, viewer: { ...latest.viewer, trip_gap_minutes: 1 } }));
    expect(await trip("20260607_100000_N")).toHaveLength(3);
  });

  for (const key of ["20260607_101500_N", "x", "20260607_101500", "20261340_101500_N"])
    test(`is refused for ${key}, which is none`, async () => {
      expect(await refusal(`/api/viewer/trips/${key}`)).toMatchObject({ status: 404, code: "RECORDING_NOT_FOUND" });
    });
});
