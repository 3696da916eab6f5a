import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Shelf } from "../../support/app/viewer.ts";

let shelf: Shelf;
beforeEach(() => {
  shelf = new Shelf();
});
afterEach(() => {
  shelf[Symbol.dispose]();
});

const [FIRST, SECOND, THIRD] = ["20261121_071500_N", "20261121_071600_N", "20261121_071700_E"] as const;
const listed = async (date: string | null = null) => (await shelf.viewed.day(date))?.segments.map(({ key }) => key);

describe("what is still on the camera", () => {
  test("stands among what is at home, by day, in journeys and in trips", async () => {
    shelf.putAll(`${FIRST}F.mp4`, `${FIRST}R.mp4`, `${SECOND}F.thm`, `${SECOND}R.thm`, `${SECOND}.gps`);
    shelf.coming.put({ key: SECOND }, { key: THIRD, directions: ["F"] }, { key: "20261123_080000_N" });
    expect(await shelf.viewed.days()).toEqual([
      { date: "2026-11-23", count: 1 },
      { date: "2026-11-21", count: 3 },
    ]);
    expect(await listed()).toEqual(["20261123_080000_N"]);
    expect(await listed("2026-11-21")).toEqual([THIRD, SECOND, FIRST]);
    expect(await shelf.viewed.find(SECOND)).toEqual({
      key: SECOND,
      folder: "",
      parts: {
        all: [],
        videos: [],
        cameras: "FR",
        files: [".gps", "F.thm", "R.thm"],
        thumbnail: "F.thm",
        gps: ".gps",
        gsensor: null,
      },
    });
    expect((await shelf.viewed.find(THIRD))?.parts).toMatchObject({ cameras: "F", thumbnail: null, gps: null });
    expect(await shelf.viewed.find("20261121_071800_N")).toBeNull();
    const journey = await shelf.viewed.journey(FIRST, true);
    expect(journey.map(({ key }) => key)).toEqual([FIRST, SECOND, THIRD]);
    const trip = await shelf.viewed.trip(THIRD, 10);
    expect(trip?.trip.clips.map(({ key }) => key)).toEqual([FIRST, SECOND, THIRD]);
    expect(trip?.later?.key).toBe("20261123_080000_N");
    expect((await shelf.viewed.trips("2026-11-21", 10))?.trips).toHaveLength(1);
    expect(await shelf.viewed.daysWith(({ parts }) => parts.cameras.includes("R"))).toEqual([
      { date: "2026-11-23", count: 1 },
      { date: "2026-11-21", count: 2 },
    ]);
    expect(await shelf.viewed.figures()).toEqual({
      days: [
        { date: "2026-11-23", clips: 1, events: 0, drivingSeconds: 0 },
        { date: "2026-11-21", clips: 3, events: 1, drivingSeconds: 60 },
      ],
      types: { N: 3, E: 1 },
      cameras: { F: 4, R: 3 },
    });
  });

  test("is one recording when a part of it is here, and changes by itself when it comes or goes", async () => {
    shelf.putAll(`${FIRST}F.mp4`, `${SECOND}F.thm`);
    shelf.coming.put({ key: FIRST, directions: ["R"] }, { key: SECOND }, { key: THIRD });
    expect(await listed()).toEqual([THIRD, SECOND, FIRST]);
    expect((await shelf.viewed.find(FIRST))?.parts.videos).toHaveLength(1);
    shelf.put(`${SECOND}F.mp4`);
    shelf.library.noteAdded(`${SECOND}F.mp4`, "");
    expect((await shelf.viewed.find(SECOND))?.parts.videos).toHaveLength(1);
    // Overwritten on the camera before it came.
    shelf.coming.remove(THIRD);
    expect(await listed()).toEqual([SECOND, FIRST]);
    // Its video is deleted by another program while the camera has it.
    rmSync(join(shelf.root, `${SECOND}F.mp4`));
    await shelf.later();
    expect((await shelf.viewed.find(SECOND))?.parts).toMatchObject({ videos: [], thumbnail: "F.thm" });
    shelf.coming.remove(SECOND, FIRST);
    expect(await listed()).toEqual([FIRST]);
  });

  test("is nothing to everything that reads what is at home", async () => {
    shelf.putAll(`${FIRST}F.mp4`, `${SECOND}F.thm`, `${SECOND}.gps`);
    shelf.coming.put({ key: SECOND }, { key: THIRD });
    expect(await listed()).toHaveLength(3);
    const { segments } = shelf;
    expect(await segments.days()).toEqual([{ date: "2026-11-21", count: 1 }]);
    expect([...(await segments.all())].map(({ key }) => key)).toEqual([FIRST]);
    expect((await segments.day(null))?.segments).toHaveLength(1);
    expect(await segments.find(SECOND)).toBeNull();
    expect(await segments.between(FIRST, THIRD, 10)).toHaveLength(1);
    expect(await segments.figures()).toMatchObject({ types: { N: 1 }, cameras: { F: 1 } });
    expect(await segments.newest()).toEqual({ base: FIRST.slice(0, 15), key: FIRST, total: 1 });
    expect((await segments.recent(5)).recordings.map(({ filename }) => filename)).toEqual([`${FIRST}F.mp4`]);
    const [none] = await segments.facts([(await shelf.viewed.find(SECOND)) ?? expect.unreachable()]);
    expect(none).toMatchObject({ sizeBytes: null, durationSeconds: null });
  });
});
