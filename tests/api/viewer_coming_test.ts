import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { tripTelemetry } from "../../server/api/telemetry.ts";
import { gps, recordings, trip } from "../../server/api/viewer.ts";
import { calendar, trips } from "../../server/api/viewer_lists.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { keyOf } from "../../server/domain/viewer/viewer_address.ts";
import type {
  Calendar,
  DayRecordings,
  DayTrips,
  Telemetry,
  Trip,
  ViewerRecording,
} from "../../server/domain/viewer/viewer_schema.ts";
import { type PendingDeletionParts, PendingDeletions } from "../../server/engine/retention/pending_deletions.ts";
import { PreparedAnswers } from "../../server/http/listen/prepared_answers.ts";
import type { RequestContext } from "../../server/http/request/request_context.ts";
import type { Route } from "../../server/http/request/route.ts";
import { TelemetryFiles } from "../../server/store/clips/telemetry_files.ts";
import type { Browser, HttpStage, StageApp } from "../support/app/http.ts";
import { bodyOf, noNames, openStage, Shelf } from "../support/app/viewer.ts";

const [FIRST, SECOND, THIRD] = ["20261121_071500_N", "20261121_071600_N", "20261121_071700_E"] as const;
/** A fix a second from this place northwards, at 36 km/h. */
const GPS = Array.from({ length: 5 }, (_, second) => {
  return `[${1000 + second * 1000}]$GNRMC,13000${second}.00,A,5128.${String(60_000 + second * 540)},N,00000.03000,W,19.438,,211126,,,A*00\r\n`;
}).join("");

let shelf: Shelf;
let stage: HttpStage;
let browser: Browser;
beforeEach(async () => {
  shelf = new Shelf();
  const { segments, viewed, coming, library, kept, stills } = shelf;
  const telemetry = new TelemetryFiles(shelf);
  const prepared = new PreparedAnswers();
  const zone = new ZoneTime("UTC");
  const partsOf = (app: StageApp) => {
    const retention = { ...app.retention, library, kept, stills };
    const deletions = new PendingDeletions({
      retention,
      settings: app.settings,
      isUnknown: () => false,
    } as unknown as PendingDeletionParts);
    return { ...app, segments, viewed, coming, retention, deletions, telemetry, prepared, zone, placeNames: noNames };
  };
  type Handle = (context: RequestContext, app: ReturnType<typeof partsOf>) => Response | Promise<Response>;
  const route = (path: string, handle: Handle): Route<StageApp> => {
    return { method: "GET", path, access: "signed-in", handle: (context, app) => handle(context, partsOf(app)) };
  };
  ({ stage, browser } = await openStage([
    route("/api/viewer/recordings", recordings.handle),
    route("/api/viewer/calendar", calendar.handle),
    route("/api/viewer/trips", trips.handle),
    route("/api/viewer/trips/:key", trip.handle),
    route("/api/viewer/trips/:key/telemetry", tripTelemetry.handle),
    route("/api/viewer/recordings/:key/gps", gps.handle),
  ]));
});
afterEach(async () => {
  await stage[Symbol.asyncDispose]();
  shelf[Symbol.dispose]();
});

const get = async <T>(path: string) => (await bodyOf(browser, path)) as T;
const rowsOf = async (query = "") =>
  new Map(
    (await get<DayRecordings>(`/api/viewer/recordings?date=2026-11-21${query}`)).days[0]?.recordings.map((one) => [
      keyOf(one),
      one,
    ]),
  );

describe("a recording that is still on the camera", () => {
  beforeEach(async () => {
    await shelf.putVideo(`${FIRST}F.mp4`, 9000, 60);
    shelf.putAll(`${SECOND}F.thm`, `${SECOND}R.thm`);
    shelf.put(`${SECOND}.gps`, GPS);
    shelf.coming.put(
      { key: FIRST, directions: ["R"], state: "now", seconds: 12 },
      { key: SECOND, position: 1, seconds: 100 },
      { key: THIRD, state: "unwanted" },
    );
  });

  test("is told with its place, its pictures and what of it is here", async () => {
    const rows = await rowsOf();
    expect([...rows.keys()]).toEqual([THIRD, SECOND, FIRST]);
    const plain: Partial<ViewerRecording> = { size_bytes: null, duration_seconds: null, videos: {}, codecs: null };
    expect(rows.get(SECOND)).toMatchObject({
      ...plain,
      directions: ["F", "R"],
      has_gps: true,
      has_thm: true,
      thumb: `/media/${SECOND}F.thm`,
      coming: {
        state: "waiting",
        directions: ["F", "R"],
        position: 1,
        seconds: 100,
        stills: { F: `/media/${SECOND}F.thm`, R: `/media/${SECOND}R.thm` },
      },
    });
    expect(rows.get(THIRD)).toMatchObject({
      ...plain,
      directions: ["F", "R"],
      has_gps: false,
      has_thm: false,
      thumb: null,
      strongest: { g: null },
      coming: { state: "unwanted", directions: ["F", "R"], position: null, seconds: null, stills: {} },
    });
    expect(rows.get(FIRST)).toMatchObject({
      directions: ["F", "R"],
      size_bytes: 9000,
      videos: { F: `/media/${FIRST}F.mp4` },
      coming: { state: "now", directions: ["R"], position: null, seconds: 12 },
    });
    // It is known of the camera a moment later only that all of it came.
    shelf.coming.put({ key: FIRST, directions: ["F"] });
    expect((await rowsOf()).get(FIRST)).toMatchObject({ directions: ["F"], coming: null });
  });

  test("is of its trip, whose track goes over it, and of the calendar", async () => {
    const [day] = (await get<DayTrips>("/api/viewer/trips?date=2026-11-21")).days;
    expect(day?.trips).toEqual([
      {
        kind: "drive",
        name: null,
        start: "2026-11-21T07:15:00",
        end: "2026-11-21T07:18:00",
        length_seconds: 180,
        distance_meters: 40,
        fixes: 5,
        fastest_knots: 19.438,
        strongest_g: null,
        clock_offset_seconds: -20_640,
        is_complete: true,
        types: { N: 2, E: 1 },
        kept: 0,
        here: 0,
        coming: 2,
        thumb: `/media/${SECOND}F.thm`,
        clips: [FIRST, SECOND, THIRD],
      },
    ]);
    const whole = await get<Trip>(`/api/viewer/trips/${SECOND}`);
    expect(whole.segments.map((one) => [keyOf(one), one.offset_seconds])).toEqual([
      [FIRST, 0],
      [SECOND, 60],
      [THIRD, 120],
    ]);
    const told = await get<Telemetry>(`/api/viewer/trips/${SECOND}/telemetry`);
    expect(told.segments.map(({ key, track }) => [key, track?.t.length ?? null])).toEqual([
      [FIRST, null],
      [SECOND, 5],
      [THIRD, null],
    ]);
    expect(await get<object>(`/api/viewer/recordings/${SECOND}/gps`)).toMatchObject({ points: { length: 5 } });
    expect(await get<object>(`/api/viewer/recordings/${THIRD}/gps`)).toMatchObject({ code: "NO_GPS" });
    expect(await get<Calendar>("/api/viewer/calendar")).toEqual({
      days: [{ date: "2026-11-21", count: 3, events: 1, driving_seconds: 60 }],
      types: { N: 2, E: 1 },
      cameras: { F: 3, R: 2 },
      kept: 0,
    });
    expect([...(await rowsOf("&types=E")).keys()]).toEqual([THIRD]);
    expect([...(await rowsOf("&cameras=R")).keys()]).toEqual([THIRD, SECOND]);
    expect([...(await rowsOf("&only=kept")).keys()]).toEqual([]);
  });
});
