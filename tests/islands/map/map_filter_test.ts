import { describe, expect, test } from "bun:test";
import { flatDrivesOf } from "../../../islands/map/flat_drives.ts";
import { addressOf, minutesOf, pathOf, timeText } from "../../../islands/map/map_address.ts";
import {
  drivesOf,
  isOpen,
  isPassOf,
  type MapFilter,
  NO_MAP_FILTER,
  withCameraOf,
  withKindOf,
} from "../../../islands/map/map_filter.ts";

const FRIDAY = "20261120_080000_N";
const SATURDAY = "20261121_233000_N";
const VAN = "van~20261123_120000_N";

const DRIVES = flatDrivesOf(
  [FRIDAY, SATURDAY, VAN].map((trip, at) => ({
    trip,
    camera: trip === VAN ? "van" : "main",
    date: ["2026-11-20", "2026-11-21", "2026-11-23"][at] ?? "",
    ...[{}, { types: "IN" }, { types: "EM" }][at],
    points: [
      [50, 7, 10 + at * 20],
      [50, 7.1, 10 + at * 20],
    ] as [number, number, number][],
  })),
);

describe("a filter", () => {
  const rows: readonly (readonly [name: string, changes: Partial<MapFilter>, keys: string[]])[] = [
    ["is open at first", {}, [FRIDAY, SATURDAY, VAN]],
    ["Monday to Friday", { days: "workdays" }, [FRIDAY, VAN]],
    ["weekend", { days: "weekend" }, [SATURDAY]],
    ["a time of day", { from: 7 * 60, to: 9 * 60 }, [FRIDAY]],
    ["its end not counted", { from: 7 * 60, to: 8 * 60 }, []],
    ["over midnight", { from: 22 * 60, to: 4 * 60 }, [SATURDAY]],
    ["one camera", { whose: ["van"] }, [VAN]],
    ["the first camera", { whose: ["main"] }, [FRIDAY, SATURDAY]],
    ["drives with normal recordings", { kinds: ["normal"] }, [FRIDAY, SATURDAY]],
    ["drives with an event", { kinds: ["event"] }, [SATURDAY, VAN]],
    ["two kinds, of which one is enough", { kinds: ["parking", "manual"] }, [VAN]],
    ["a speed", { fast: 50 }, [SATURDAY, VAN]],
    ["two conditions", { fast: 50, days: "workdays" }, [VAN]],
    ["a kind and a camera", { kinds: ["event"], whose: ["main"] }, [SATURDAY]],
  ];
  for (const [name, changes, keys] of rows)
    test(`of ${name}`, () => {
      const found = drivesOf(DRIVES, { ...NO_MAP_FILTER, ...changes }, "kmh");
      expect(found.map(({ key }) => key)).toEqual(keys);
    });

  test("of passes looks at their own second", () => {
    const pass = { key: SATURDAY, seconds: 1800, speed: 40, camera: "main" };
    const isOf = (changes: Partial<MapFilter>) => isPassOf(pass, { ...NO_MAP_FILTER, ...changes }, "kmh");
    expect(isOf({})).toBe(true);
    // Half an hour into a drive that began at 23:30.
    expect(isOf({ from: 0, to: 60 })).toBe(true);
    expect(isOf({ from: 23 * 60, to: 1440 })).toBe(false);
    expect([isOf({ fast: 70 }), isOf({ fast: 80 })]).toEqual([true, false]);
    expect(isPassOf({ ...pass, speed: null }, { ...NO_MAP_FILTER, fast: 10 }, "kmh")).toBe(false);
    expect([isOf({ days: "weekend" }), isOf({ whose: ["van"] })]).toEqual([true, false]);
  });

  test("of kinds takes one more, or takes it away again", () => {
    const one = withKindOf(NO_MAP_FILTER, "manual");
    const two = withKindOf(one, "event");
    expect([one.kinds, two.kinds, isOpen(two)]).toEqual([["manual"], ["event", "manual"], false]);
    expect(isOpen(withKindOf(withKindOf(two, "manual"), "event"))).toBe(true);
  });

  test("of cameras is open again when all are chosen, or none", () => {
    const all = ["main", "van", "bus"];
    const without = withCameraOf(NO_MAP_FILTER, "van", all);
    expect(without.whose).toEqual(["main", "bus"]);
    expect(withCameraOf(without, "van", all).whose).toEqual([]);
    expect(withCameraOf({ ...NO_MAP_FILTER, whose: ["bus"] }, "bus", all).whose).toEqual([]);
  });
});

describe("the address", () => {
  const rows: readonly (readonly [query: string, again?: string])[] = [
    [""],
    ["?bbox=7,50,7.5,50.5"],
    ["?bbox=178,-18,-178,-17&box=179,-17.5,-179,-17.2"],
    [
      "?from=2026-08-24&to=2026-11-22&by=speed&days=weekend&after=22:00&before=04:30&whose=van,bus&kind=event,manual&fast=50",
    ],
    [
      "?bbox=7,50,7.5&box=nonsense&from=2026-02-30&to=2026-03-01&by=x&days=x&after=25:00&before=9&kind=lorry&fast=-4",
      "",
    ],
    ["?from=2026-11-22&to=2026-08-24", ""],
    ["?fast=9999", ""],
  ];
  for (const [query, again = query] of rows)
    test(`${query === "" ? "without a query" : query} is ${again === query ? "kept" : "read as nothing"}`, () =>
      expect(pathOf(addressOf(new URLSearchParams(query)))).toBe(`/map${again}`));

  test("has times of day", () => {
    expect([minutesOf("17:40"), minutesOf("24:00"), minutesOf("24:01"), minutesOf("07:60"), minutesOf(null)]).toEqual([
      1060,
      1440,
      null,
      null,
      null,
    ]);
    expect([timeText(0), timeText(1060)]).toEqual(["00:00", "17:40"]);
  });
});
