import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { recentClips } from "../../../server/engine/viewer/recent_clips.ts";
import { Shelf } from "../../support/app/viewer.ts";

const START = 1_780_000_000;
let shelf: Shelf;
beforeEach(() => {
  shelf = new Shelf();
});
afterEach(() => shelf[Symbol.dispose]());
const clips = () => {
  const { clock, segments, library } = shelf;
  const lastKnown = { isKnown: false, known: null, clips: [], noteClips() {} };
  const folder = { library, destination: { standing: "known" }, lastKnown } as const;
  return recentClips({ clock, zone: new ZoneTime("UTC"), segments, ...folder }, 5);
};

describe("the clips that were recorded last", () => {
  test("are one for each moment, with all its cameras, also those that came long before", async () => {
    shelf.put("20260607_101500_NR.mp4", "", START + 3);
    shelf.put("20260607_101500_NF.mp4", "", START);
    shelf.put("20260607_101500_NI.mp4", "", START + 1);
    shelf.put("20260607_101500_NF.thm");
    shelf.put("2026-06-08/20260608_101500_EF.mp4", "", START + 2);
    const { clips: found, total } = await clips();
    expect(found).toEqual([
      {
        key: "20260608_101500_E",
        mtime: START + 2,
        cameras: ["F"],
        paths: ["2026-06-08/20260608_101500_EF.mp4"],
        thumb: null,
        duration_seconds: null,
      },
      {
        key: "20260607_101500_N",
        mtime: START + 3,
        cameras: ["F", "R", "I"],
        paths: ["20260607_101500_NF.mp4", "20260607_101500_NI.mp4", "20260607_101500_NR.mp4"],
        thumb: "/media/20260607_101500_NF.thm",
        duration_seconds: null,
      },
    ]);
    expect(total).toBe(2);
  });

  test("stand in the order in which they were recorded, whatever came last", async () => {
    for (const [at, day] of ["08", "05", "07", "06"].entries())
      shelf.put(`202606${day}_101500_NF.mp4`, "", START + at * 60);
    const { clips: found } = await clips();
    expect(found.map(({ key }) => key.slice(6, 8))).toEqual(["08", "07", "06", "05"]);
  });

  test("are as many as are asked for, also when each has four cameras in two versions", async () => {
    for (let minute = 10; minute < 20; minute++)
      for (const [at, ending] of ["NF", "NFL", "NR", "NRL", "NI", "NIL", "NO", "NOL"].entries())
        shelf.put(`20260607_10${minute}00_${ending}.mp4`, "", START + minute * 60 + at);
    const { clips: found, total } = await clips();
    expect(found.map(({ key }) => key.slice(9, 13))).toEqual(["1019", "1018", "1017", "1016", "1015"]);
    expect(found[0]?.cameras).toEqual(["F", "R", "I", "O"]);
    expect(total).toBe(10);
  });

  test("have their length as soon as it is known", async () => {
    await shelf.putVideo("20260607_101500_NF.mp4", 4000, 45, START);
    expect((await clips()).clips.map(({ duration_seconds }) => duration_seconds)).toEqual([45]);
  });

  test("are those the viewer opens when a moment lies in several folders", async () => {
    shelf.put("a/20260607_101500_NF.mp4", "", START + 9);
    shelf.put("b/20260607_101500_NR.mp4", "", START);
    const { clips: found } = await clips();
    const opened = await shelf.segments.find("20260607_101500_N");
    expect(found).toHaveLength(1);
    expect(found[0]?.paths).toEqual([`${opened?.folder}/20260607_101500_N${opened?.parts.videos[0]?.ending}`]);
  });

  test("are none without a destination", async () => {
    shelf[Symbol.dispose]();
    expect(await clips()).toMatchObject({ clips: [], total: 0 });
  });
});
