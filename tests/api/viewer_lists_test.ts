import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { keyOf } from "../../server/domain/viewer/viewer_address.ts";
import type { Calendar, DayRecordings, Days, DayTrips, Trip } from "../../server/domain/viewer/viewer_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";

let service: RunningApp;
beforeAll(async () => {
  service = await startApp({ settings: { viewer: { trip_gap_minutes: 5 } } });
  const put = (...names: string[]) => {
    for (const name of names) {
      const path = join(service.destination, `${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}`, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "");
    }
  };
  // A drive over midnight, a stay, and a drive with an event and a second camera.
  put("20261119_235900_NF.mp4", "20261120_000000_NF.mp4", "20261120_000100_NF.mp4");
  put("20261120_031500_PF.mp4", "20261120_044500_IF.mp4");
  put("20261120_080000_NF.mp4", "20261120_080000_NR.mp4", "20261120_080100_NF.mp4", "20261120_080100_NF.thm");
  put("20261120_080200_EF.mp4", "20261120_080200_ER.mp4", "20261121_180000_MR.mp4");
  await service.client.open("/");
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

async function get<T>(path: string): Promise<T> {
  const answer = await service.client.fetch(path);
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}
const summary = async (query: string) => {
  const [day] = (await get<DayTrips>(`/api/viewer/trips${query}`)).days;
  const told = ({ kind, start, end, clips }: DayTrips["days"][0]["trips"][0]) =>
    `${kind} ${start.slice(11)} to ${end.slice(11)}: ${clips.length}`;
  return day && { date: day.date, before: day.before && told(day.before), trips: day.trips.map(told) };
};

describe("GET /api/viewer/trips", () => {
  test("tells the trips that begin on a day, newest first, and what goes on into it", async () => {
    expect(await summary("?date=2026-11-20")).toEqual({
      date: "2026-11-20",
      before: "drive 23:59:00 to 00:02:00: 3",
      trips: ["drive 08:00:00 to 08:03:00: 3", "parked 03:15:00 to 04:46:00: 2"],
    });
    expect(await summary("?date=2026-11-19")).toEqual({
      date: "2026-11-19",
      before: null,
      trips: ["drive 23:59:00 to 00:02:00: 3"],
    });
    expect((await summary(""))?.date).toBe("2026-11-21");
    expect(await summary("?date=2026-11-18")).toBeUndefined();
  });

  test("has everything a row of the list needs", async () => {
    const [day] = (await get<DayTrips>("/api/viewer/trips?date=2026-11-20")).days;
    expect(day?.trips[0]).toEqual({
      kind: "drive",
      name: null,
      start: "2026-11-20T08:00:00",
      end: "2026-11-20T08:03:00",
      length_seconds: 180,
      distance_meters: null,
      fixes: null,
      fastest_knots: null,
      strongest_g: null,
      clock_offset_seconds: null,
      is_complete: true,
      types: { N: 2, E: 1 },
      kept: 0,
      here: 3,
      coming: 0,
      thumb: "/media/2026-11-20/20261120_080100_NF.thm",
      clips: ["20261120_080000_N", "20261120_080100_N", "20261120_080200_E"],
    });
  });

  test("keeps to trips that have what is asked for", async () => {
    const trips = async (query: string) => (await summary(`?date=2026-11-20&${query}`))?.trips.length;
    expect(await trips("types=E")).toBe(1);
    expect(await trips("types=I,E")).toBe(2);
    expect(await trips("cameras=R")).toBe(1);
    expect(await trips("cameras=R&types=P")).toBe(0);
    expect(await trips("only=kept")).toBe(0);
    expect((await summary("?date=2026-11-20&types=N"))?.before).not.toBeNull();
    expect((await summary("?date=2026-11-20&types=E"))?.before).toBeNull();
  });

  test("refuses what is no day", async () => {
    for (const date of ["", "20261120", "2026-02-30", "today"]) {
      const answer = await service.client.fetch(`/api/viewer/trips?date=${date}`);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([422, "INVALID_DATE"]);
    }
  });

  test("a trip knows where those beside it begin", async () => {
    const beside = async (key: string) => {
      const { earlier, later } = await get<Trip>(`/api/viewer/trips/${key}`);
      return [earlier, later];
    };
    expect(await beside("20261120_000100_N")).toEqual([null, "20261120_031500_P"]);
    expect(await beside("20261120_044500_I")).toEqual(["20261119_235900_N", "20261120_080000_N"]);
    expect(await beside("20261121_180000_M")).toEqual(["20261120_080000_N", null]);
  });
});

test("of a camera that records round the clock each day is a trip", async () => {
  await using own = await startApp({ settings: { viewer: { trip_gap_minutes: 120 } } });
  mkdirSync(own.destination, { recursive: true });
  for (let hour = 0; hour < 40 * 24; hour++) {
    const moment = new Date(Date.UTC(2026, 8, 1, hour)).toISOString().replace(/[-:]/g, "").replace("T", "_");
    // Every second day has only recordings of movement around the parked car.
    writeFileSync(
      join(own.destination, `${moment.slice(0, 15)}_${Math.floor(hour / 24) % 2 === 0 ? "N" : "P"}F.mp4`),
      "",
    );
  }
  await own.app.library.refresh();
  const trip = (await (await own.client.fetch("/api/viewer/trips/20260911_120000_N")).json()) as Trip;
  expect([trip.kind, ...trip.segments.map(keyOf)].slice(0, 2)).toEqual(["drive", "20260911_000000_N"]);
  expect([trip.segments.length, trip.earlier, trip.later]).toEqual([24, "20260910_000000_P", "20260912_000000_P"]);
  const { days } = (await (await own.client.fetch("/api/viewer/trips?date=2026-09-11")).json()) as DayTrips;
  expect(days.map(({ before, trips }) => [before, trips.map(({ clips }) => clips.length)])).toEqual([[null, [24]]]);
});

test("a trip goes on over the hour that clocks leave out, and its clock with it", async () => {
  await using own = await startApp({
    settings: { viewer: { trip_gap_minutes: 5 }, schedule: { timezone: "Europe/Berlin" } },
  });
  const keys = ["20260329_015900_N", "20260329_030000_N", "20260329_030100_N"];
  mkdirSync(own.destination, { recursive: true });
  for (const key of keys) writeFileSync(join(own.destination, `${key}F.mp4`), "");
  await own.app.library.refresh();
  const read = async <T>(path: string) => (await (await own.client.fetch(path)).json()) as T;
  const trip = await read<Trip>(`/api/viewer/trips/${keys[1]}`);
  expect(trip.segments.map((one) => [keyOf(one), one.offset_seconds])).toEqual([
    ["20260329_015900_N", 0],
    ["20260329_030000_N", 60],
    ["20260329_030100_N", 120],
  ]);
  const journey = await read<Trip>(`/api/viewer/recordings/${keys[0]}/journey`);
  expect(journey.segments.map(keyOf)).toEqual(keys);
  const { days } = await read<DayTrips>("/api/viewer/trips?date=2026-03-29");
  expect(days[0]?.trips.map(({ clips, length_seconds, end }) => [clips, length_seconds, end])).toEqual([
    [keys, 180, "2026-03-29T03:02:00"],
  ]);
});

describe("lists under a filter", () => {
  test("have the days that hold such clips, with how many", async () => {
    const days = async (query: string) =>
      (await get<Days>(`/api/viewer/days?${query}`)).days.map(({ date, count }) => `${date.slice(8)}: ${count}`);
    expect(await days("")).toEqual(["21: 1", "20: 7", "19: 1"]);
    expect(await days("types=E,I")).toEqual(["20: 2"]);
    expect(await days("cameras=R")).toEqual(["21: 1", "20: 2"]);
    expect(await days("types=N&cameras=R")).toEqual(["20: 1"]);
    expect(await days("types=Z")).toEqual([]);
  });

  test("hold such clips only, on the newest day that has some", async () => {
    const clips = async (query: string) => {
      const [day] = (await get<DayRecordings>(`/api/viewer/recordings?${query}`)).days;
      return day?.recordings.map(keyOf);
    };
    expect(await clips("types=E,I")).toEqual(["20261120_080200_E", "20261120_044500_I"]);
    expect(await clips("types=N&date=2026-11-19")).toEqual(["20261119_235900_N"]);
    expect(await clips("types=E&date=2026-11-19")).toBeUndefined();
    expect(await clips("types=E&only=kept")).toBeUndefined();
  });

  test("count what is kept", async () => {
    const key = "20261120_080200_E";
    const calendar = async () => (await get<Calendar>("/api/viewer/calendar")).kept;
    expect(await calendar()).toBe(0);
    expect((await service.client.send("PUT", `/api/recordings/${key}/keep`, {})).status).toBe(200);
    expect(await calendar()).toBe(1);
    const days = async (query: string) => (await get<Days>(`/api/viewer/days?only=kept&${query}`)).days.length;
    expect([await days("types=E"), await days("types=N"), await days("cameras=R"), await days("cameras=I")]).toEqual([
      1, 0, 1, 0,
    ]);
    const [day] = (await get<DayTrips>("/api/viewer/trips?date=2026-11-20&only=kept")).days;
    expect(day?.trips.map(({ kept }) => kept)).toEqual([1]);
    await service.client.send("DELETE", `/api/recordings/${key}/keep`);
  });
});

describe("GET /api/viewer/calendar", () => {
  test("counts clips, events and driving of every day, and everything by type and camera", async () => {
    expect(await get<Calendar>("/api/viewer/calendar")).toEqual({
      days: [
        { date: "2026-11-21", count: 1, events: 0, driving_seconds: 60 },
        { date: "2026-11-20", count: 7, events: 2, driving_seconds: 300 },
        { date: "2026-11-19", count: 1, events: 0, driving_seconds: 60 },
      ],
      types: { E: 1, I: 1, M: 1, N: 5, P: 1 },
      cameras: { F: 8, R: 3 },
      kept: 0,
    });
  });

  test("counts what has come since", async () => {
    writeFileSync(join(service.destination, "20261122_070000_EF.mp4"), "");
    service.app.library.noteAdded("20261122_070000_EF.mp4", "");
    const { days, types } = await get<Calendar>("/api/viewer/calendar");
    expect(days[0]).toEqual({ date: "2026-11-22", count: 1, events: 1, driving_seconds: 60 });
    expect(types["E"]).toBe(2);
  });
});
