import { describe, expect, test } from "bun:test";
import { dayAt, type HeatMap, heatMapOf, type MappedDay } from "../../../server/domain/coverage/heat_map.ts";

const TODAY = "2026-11-21";

function day(date: string, driven_minutes: number, lost = 0, lost_minutes = 0): MappedDay {
  return { date, recorded: 60, driven_minutes, lost, lost_minutes };
}

function mapOf(days: readonly MappedDay[], changes: Partial<Parameters<typeof heatMapOf>[0]> = {}): HeatMap {
  return heatMapOf({ days, from: "2026-11-09", to: TODAY, since: "2025-01-01", today: TODAY, ...changes });
}

/** The days of a map as they lie, a row for each week. */
function datesOf({ weeks }: HeatMap): (string | null)[][] {
  return weeks.map(({ days }) =>
    days.map((place) => (typeof place === "object" ? (place?.date.slice(8) ?? null) : place)),
  );
}

function daysOf({ weeks }: HeatMap) {
  return weeks.flatMap(({ days }) => days.flatMap((_, at) => dayAt(days, at) ?? []));
}

function found(map: HeatMap, date: string) {
  return daysOf(map).find((one) => one.date === date);
}

describe("the map of days", () => {
  test("has weeks from Monday on, and none of the days to come", () => {
    const map = mapOf([]);
    expect(map.weeks.map(({ name }) => name)).toEqual(["9\u00a0Nov", "16\u00a0Nov"]);
    expect(datesOf(map)).toEqual([
      ["09", "10", "11", "12", "13", "14", "15"],
      ["16", "17", "18", "19", "20", "21", null],
    ]);
  });

  test("begins in the middle of a week, and claims nothing of days before it is known", () => {
    expect(datesOf(mapOf([], { from: "2026-11-12" }))[0]).toEqual([null, null, null, "12", "13", "14", "15"]);
    expect(datesOf(mapOf([], { since: "2026-11-18" }))).toEqual([
      Array(7).fill("untracked"),
      ["untracked", "untracked", "18", "19", "20", "21", null],
    ]);
  });

  test("has every day once over a year", () => {
    const map = mapOf([], { from: "2025-10-20" });
    const dates = daysOf(map).map(({ date }) => date);
    expect(dates).toHaveLength(398);
    expect(new Set(dates).size).toBe(398);
    expect([dates[0], dates.at(-1)]).toEqual(["2025-10-20", TODAY]);
    expect(found(map, "2025-12-31")?.label).toBe("Wed 31\u00a0Dec 2025: nothing recorded so far");
  });

  test("claims nothing of the days since the newest recording, which may be on the card still", () => {
    const labels = (days: readonly MappedDay[], to = TODAY) =>
      daysOf(mapOf(days, { from: "2026-11-18", to })).map(({ label }) => label.split(": ")[1]);
    expect(labels([day("2026-11-19", 30)])).toEqual([
      "not driven",
      "30\u00a0min driven",
      "nothing recorded so far",
      "nothing recorded so far",
    ]);
    expect(labels([day("2026-11-19", 30)], "2026-11-20")).toEqual(["not driven", "30\u00a0min driven", "not driven"]);
    expect(labels([])).toEqual(Array(4).fill("nothing recorded so far"));
  });

  test.each([
    [0, 0],
    [0.4, 1],
    [45, 1],
    [45.1, 2],
    [80, 2],
    [120, 3],
    [121, 4],
  ] as const)("draws %d minutes as step %d", (minutes, heat) => {
    const days = [day("2026-11-10", minutes), day("2026-11-11", 100)];
    expect(found(mapOf(days), "2026-11-10")?.heat).toBe(heat);
  });

  test("has shorter steps for short ways", () => {
    const map = mapOf([day("2026-11-10", 9), day("2026-11-11", 16), day("2026-11-12", 45)]);
    expect(map.steps).toEqual(["None", "to 10\u00a0min", "to 20\u00a0min", "to 30\u00a0min", "more"]);
    expect(["10", "11", "12"].map((date) => found(map, `2026-11-${date}`)?.heat)).toEqual([1, 2, 4]);
  });

  test("has longer steps for those who drive all day", () => {
    const usual = ["None", "to 45\u00a0min", "to 80\u00a0min", "to 2\u00a0h", "more"];
    expect(mapOf([day("2026-11-10", 300)]).steps).toEqual(usual);
    const map = mapOf([day("2026-11-10", 540), day("2026-11-11", 100)]);
    expect(map.steps).toEqual(["None", "to 2\u00a0h", "to 4\u00a0h", "to 8\u00a0h", "more"]);
    expect([found(map, "2026-11-10")?.heat, found(map, "2026-11-11")?.heat]).toEqual([4, 1]);
  });

  test.each([
    [day("2026-11-10", 98, 46, 23), "Tue 10\u00a0Nov: 1\u00a0h 38\u00a0min driven, 23\u00a0min lost", true],
    [day("2026-11-10", 0, 3, 0), "Tue 10\u00a0Nov: not driven, something lost", true],
    [day("2026-11-10", 0.3), "Tue 10\u00a0Nov: 1\u00a0min driven", false],
    [day("2026-11-10", 0), "Tue 10\u00a0Nov: not driven", false],
  ])("says of %o %s", (one, label, isLost) => {
    const map = mapOf([one]);
    expect(found(map, "2026-11-10")).toMatchObject({ label, isLost });
    expect(map.hasLost).toBe(isLost);
  });

  test("marks today, and writes dates as the reader does", () => {
    const map = mapOf([day(TODAY, 30)], { format: { hours: 12, order: "mdy" } });
    expect(found(map, TODAY)).toMatchObject({ isToday: true, label: "Sat Nov\u00a021: 30\u00a0min driven" });
    expect(found(map, "2026-11-20")?.isToday).toBe(false);
    expect(map.weeks[0]?.name).toBe("Nov\u00a09");
  });
});
