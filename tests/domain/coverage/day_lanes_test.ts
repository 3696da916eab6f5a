import { describe, expect, test } from "bun:test";
import type { CoveredRecording } from "../../../server/domain/coverage/coverage_schema.ts";
import { recordingLanes, visitLane } from "../../../server/domain/coverage/day_lanes.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const DATE = "2026-11-10";
type One = Pick<CoveredRecording, "key" | "state" | "seconds">;

/** Recordings of a minute each, from a time of the day on. */
function drive(time: string, minutes: number, state: One["state"] = "home", type = "N"): One[] {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return Array.from({ length: minutes }, (_, at) => {
    const all = hour * 60 + minute + at;
    return { key: `20261110_${two(Math.floor(all / 60))}${two(all % 60)}00_${type}`, state, seconds: 60 };
  });
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

describe("the lanes of recordings", () => {
  test("join what follows each other, and tell what is missing", () => {
    const { card, home, states } = recordingLanes(DATE, [
      ...drive("08:02", 49),
      ...drive("17:24", 16),
      ...drive("17:40", 23, "lost"),
      ...drive("01:12", 1, "home", "P"),
      ...drive("21:00", 1, "left_out", "P"),
    ]);
    expect(card.words).toBe("Recorded 08:02 to 08:51, 17:24 to 18:03 and 2 times parked");
    expect(card.spans).toHaveLength(4);
    expect(home.words).toBe("All but 17:40 to 18:03 (lost) and 21:00 to 21:01 (left out by your rules)");
    // Missing ones are drawn last, over those that are here.
    expect(home.spans.map(({ is, x, width }) => [is, x, width])).toEqual([
      ["home", 5, 0.5],
      ["home", 33.47, 3.4],
      ["home", 72.5, 1.11],
      ["left_out", 87.5, 0.5],
      ["lost", 73.61, 1.6],
    ]);
    expect(states).toEqual(new Set(["home", "lost", "left_out"] as const));
  });

  test("draw a clip of front and rear once, by the worse of the two", () => {
    const [front] = drive("08:00", 1);
    const rows: One[] = front === undefined ? [] : [{ ...front, state: "lost" }, front];
    for (const recordings of [rows, rows.toReversed()]) {
      const { card, home } = recordingLanes(DATE, recordings);
      expect([card.spans.length, home.spans.map(({ is }) => is)]).toEqual([1, ["lost"]]);
    }
  });

  test("stay within the day", () => {
    const { home } = recordingLanes(DATE, [{ key: "20261110_235930_N", state: "home", seconds: 180 }]);
    const [span] = home.spans;
    expect((span?.x ?? 0) + (span?.width ?? 0)).toBeLessThanOrEqual(100);
    expect(home.words).toBe("All");
  });

  test("tell some of many, and the number of the others", () => {
    const recordings = Array.from({ length: 9 }, (_, at) => drive(`${two(8 + at)}:00`, 1, "coming")).flat();
    const { card, home } = recordingLanes(DATE, recordings);
    expect(card.words).toEndWith("13:00 to 13:01 and 3 times more");
    expect(home.words).toEndWith("13:00 to 13:01 (still to come) and 3 times more");
  });

  test("are empty on a day without recordings", () => {
    const { card, home, states } = recordingLanes(DATE, []);
    const words = "Nothing recorded";
    expect([card.words, home.words, card.spans.length, states.size]).toEqual([words, words, 0, 0]);
  });
});

describe("the lane of the car", () => {
  const zone = new ZoneTime("Australia/Sydney");
  const at = (time: string) => Date.parse(`${time}+11:00`);
  const NOW = at("2026-11-21T07:51");
  const lane = (...visits: [from: string, to: string | null][]) =>
    visitLane(
      DATE,
      visits.map(([from, to]) => ({ from: at(from), to: to === null ? null : at(to) })),
      NOW,
      zone,
    );

  test("is by the clock of the service, also of a visit that began the day before", () => {
    const { words, spans } = lane(["2026-11-09T19:00", "2026-11-10T07:55"], ["2026-11-10T18:04", "2026-11-10T18:10"]);
    expect(words).toBe("Until 07:55 and 18:04 to 18:10");
    expect(spans.map(({ x, width, isShort }) => [x, width, isShort])).toEqual([
      [0, 32.99, false],
      [75.28, 0.5, true],
    ]);
  });

  test.each([
    [[["2026-11-09T19:00", "2026-11-12T07:00"]], "All day"],
    [[["2026-11-10T18:04", "2026-11-11T07:00"]], "From 18:04 on"],
    [[["2026-11-10T18:04", null]], "From 18:04 on"],
    [[["2026-11-11T18:04", "2026-11-11T19:00"]], "Not seen at home"],
    [[], "Not seen at home"],
  ] as [Parameters<typeof lane>, string][])("of %j says %s", (visits, words) => {
    expect(lane(...visits).words).toBe(words);
  });

  test("is right on the night in which clocks change", () => {
    const berlin = new ZoneTime("Europe/Berlin");
    const visit = { from: Date.parse("2026-10-24T23:00Z"), to: Date.parse("2026-10-25T02:30Z") };
    expect(visitLane("2026-10-25", [visit], NOW, berlin).words).toBe("01:00 to 03:30");
  });

  test("that goes on today ends now", () => {
    const today = visitLane("2026-11-21", [{ from: at("2026-11-20T19:00"), to: null }], NOW, zone);
    expect([today.words, today.spans[0]?.width]).toEqual(["Since the day before", 32.71]);
  });
});
