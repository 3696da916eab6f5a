import { describe, expect, test } from "bun:test";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { journeyFrom, journeyOffsets } from "../../../server/domain/viewer/journey.ts";

/** `N 10:15:00` on one day. */
function keyed(text: string) {
  const [type = "", time = "", day = "20260607"] = text.split(" ");
  return { key: `${day}_${time.replaceAll(":", "")}_${type}` };
}
const SHORT = ["N 10:15:00", "N 10:16:00", "N 10:17:00", "P 10:18:00", "N 12:00:00"];
const NIGHT = [
  ...["P 00:01:56", "N 00:02:56", "N 00:11:44", "E 00:11:49", "N 00:12:49", "E 00:13:49", "E 00:14:49"],
  "N 00:15:49",
];
const TWINS = ["E 10:15:00", "N 10:15:00", "N 10:16:00"];

describe("journeyFrom()", () => {
  const cases: [sentence: string, library: string[], start: string, allTypes: boolean, chain: string[]][] = [
    ["follows one type", SHORT, "N 10:15:00", false, SHORT.slice(0, 3)],
    [
      "takes 120 seconds and not one more",
      ["N 10:00:00", "N 10:02:00", "N 10:04:01"],
      "N 10:00:00",
      false,
      ["N 10:00:00", "N 10:02:00"],
    ],
    ["follows all types", NIGHT, "N 00:11:44", true, NIGHT.slice(2)],
    ["ends at a gap", NIGHT, "P 00:01:56", true, NIGHT.slice(0, 2)],
    ["jumps a minute of another type, and no two", NIGHT, "N 00:11:44", false, ["N 00:11:44", "N 00:12:49"]],
    ["follows events", NIGHT, "E 00:11:49", false, ["E 00:11:49", "E 00:13:49", "E 00:14:49"]],
    ["passes over the same second", TWINS, "N 10:15:00", true, ["N 10:15:00", "N 10:16:00"]],
    ["passes over the same second, from the other side", TWINS, "E 10:15:00", true, ["E 10:15:00", "N 10:16:00"]],
    [
      "passes over a copy",
      ["N 10:15:00", "N 10:16:00", "N 10:16:00", "N 10:17:00"],
      "N 10:15:00",
      false,
      ["N 10:15:00", "N 10:16:00", "N 10:17:00"],
    ],
    [
      "crosses midnight",
      ["N 23:59:30 20261231", "N 00:00:30 20270101"],
      "N 23:59:30 20261231",
      false,
      ["N 23:59:30 20261231", "N 00:00:30 20270101"],
    ],
    [
      "is not stretched by a change of the clock",
      ["N 01:59:00 20260329", "N 03:00:00 20260329"],
      "N 01:59:00 20260329",
      false,
      ["N 01:59:00 20260329"],
    ],
    ["goes forward only", SHORT, "N 10:17:00", false, ["N 10:17:00"]],
  ];
  test.each(cases)("%s", (_, library, start, allTypes, chain) => {
    expect(journeyFrom(keyed(start), library.map(keyed), allTypes, null)).toEqual(chain.map(keyed));
  });

  test("goes on over an hour that the clocks of its zone leave out", () => {
    const [before, after] = [keyed("N 01:59:00 20260329"), keyed("N 03:00:00 20260329")];
    const berlin = new ZoneTime("Europe/Berlin");
    expect(journeyFrom(before, [before, after], false, berlin)).toEqual([before, after]);
    expect(journeyFrom(before, [before, keyed("N 03:01:01 20260329")], false, berlin)).toEqual([before]);
  });

  test("takes nothing after the end of the chain, also of another type", () => {
    function* endless() {
      yield keyed("N 10:15:00");
      yield keyed("P 10:20:00");
      throw new Error("It went on");
    }
    expect(journeyFrom(keyed("N 10:15:00"), endless(), false, null)).toHaveLength(1);
  });
});

describe("journeyOffsets()", () => {
  const offsets = (...list: [text: string, seconds: number | null][]) =>
    journeyOffsets(list.map(([text, durationSeconds]) => ({ ...keyed(text), durationSeconds })));

  test("adds up the lengths of the videos before", () => {
    expect(offsets(["N 10:15:00", 30.5], ["N 10:16:00", 60], ["N 10:17:00", null])).toEqual([0, 30.5, 90.5]);
    expect(offsets(["N 10:15:00", 0.1], ["N 10:16:00", 0.2], ["N 10:17:00", 1])).toEqual([0, 0.1, 0.3]);
  });

  test("takes an unknown length to be a minute, or until the next begins", () => {
    expect(offsets(["N 10:15:00", null], ["N 10:17:00", null], ["E 10:17:05", null])).toEqual([0, 60, 65]);
  });

  test("has nothing to add for nothing", () => {
    expect(offsets()).toEqual([]);
    expect(offsets(["N 10:15:00", 60])).toEqual([0]);
  });
});
