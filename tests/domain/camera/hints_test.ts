import { describe, expect, test } from "bun:test";
import { type ClockSighting, clockError, latestProof } from "../../../server/domain/camera/camera_time.ts";
import { cameraHints, type HintFacts } from "../../../server/domain/camera/hints.ts";
import { emptiedAt, overwriting, type SeenList, withList } from "../../../server/domain/camera/seen_lists.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const UTC = new ZoneTime("UTC");
const ROME = new ZoneTime("Europe/Rome");
const MINUTE = 60_000;
const HOUR = 3_600_000;
/** Times in winter, and in Rome's summer time. */
const WINTER = Date.UTC(2026, 10, 21, 12);
const SUMMER = Date.UTC(2026, 6, 21, 12);

describe("the camera's clock", () => {
  const listed = (at: number, name: string): ClockSighting => ({ at, name: `${name}_NF.mp4`, how: "listed" });
  const recording = (at: number, name: string): ClockSighting => ({ at, name: `${name}_NF.mp4`, how: "recording" });

  test.each<[string, ClockSighting, ZoneTime, number | null]>([
    ["nothing by an old newest name: the car was parked", listed(WINTER, "20261120_080000"), UTC, null],
    ["nothing by a name of just now", listed(WINTER, "20261121_120400"), UTC, null],
    ["that it is ahead by a name from the future", listed(WINTER, "20261121_121000"), UTC, 10 * MINUTE],
    ["that it is ahead of the zone in which times are shown", listed(WINTER, "20261121_150000"), ROME, 2 * HOUR],
    ["nothing by a name in the zone's own time", listed(WINTER, "20261121_130000"), ROME, null],
    ["nothing by a name in summer time", listed(SUMMER, "20260721_140000"), ROME, null],
    ["that it is right by what is being recorded", recording(WINTER, "20261121_115830"), UTC, 0],
    ["that it is right without summer time", recording(SUMMER, "20260721_125830"), ROME, 0],
    ["that it is right with summer time", recording(SUMMER, "20260721_135830"), ROME, 0],
    ["that it is behind by what is being recorded", recording(WINTER, "20261121_105700"), UTC, -HOUR],
    ["that it is behind in winter by an hour, too", recording(WINTER, "20261121_115700"), ROME, -HOUR],
    ["that it was never set by a name of before such cameras", listed(WINTER, "19990101_000100"), UTC, -1],
    ["that it is right by the satellites", { ...listed(SUMMER, "20260721_130100"), how: "satellites" }, ROME, 0],
    [
      "that two minutes are wrong by the satellites",
      { ...listed(WINTER, "20261121_120200"), how: "satellites" },
      UTC,
      2 * MINUTE,
    ],
    ["that less is right by the satellites", { ...listed(WINTER, "20261121_120159"), how: "satellites" }, UTC, 0],
    [
      "nothing by a receiver that tells another day",
      { ...listed(WINTER, "20261118_120000"), how: "satellites" },
      UTC,
      null,
    ],
    ["that it is behind by the satellites", { ...listed(WINTER, "20261121_120000"), how: "satellites" }, ROME, -HOUR],
    [
      "that it is ahead by the satellites",
      { ...listed(WINTER, "20261121_121000"), how: "satellites" },
      UTC,
      10 * MINUTE,
    ],
  ])("is proved: %s", (_, sighting, zone, expected) => {
    const error = clockError(sighting, zone);
    if (expected === -1) expect(error).toBeLessThan(-20 * 365 * 24 * HOUR);
    else expect(error).toBe(expected);
  });

  test("that was ahead is right again when a newer name is not from the future, or by what is being recorded", () => {
    const ahead = listed(WINTER, "20261121_140000");
    const same = listed(WINTER + 5 * HOUR, "20261121_140000");
    const newer = listed(WINTER + 5 * HOUR, "20261121_160000");
    expect(latestProof(null, ahead, UTC)).toBe(ahead);
    expect(latestProof(ahead, same, UTC)).toBe(ahead);
    expect(latestProof(ahead, newer, UTC)).toBeNull();
    const right = recording(WINTER, "20261121_115900");
    expect(latestProof(ahead, right, UTC)).toBe(right);
    expect(latestProof(right, listed(WINTER, "20261121_115900"), UTC)).toBe(right);
  });
});

const lists = (...rows: readonly (readonly [hours: number, recordings: number, gone: number])[]): SeenList[] =>
  rows.map(([hours, recordings, gone]) => ({ at: WINTER + hours * HOUR, recordings, gone }));

describe("the lists of a camera", () => {
  test("that come closer together than ten minutes are remembered as one, and not more than 200 of them", () => {
    let kept: readonly SeenList[] = [];
    for (let minute = 0; minute <= 60; minute++)
      kept = withList(kept, { at: WINTER + minute * MINUTE, recordings: 100, gone: 1 });
    expect(kept.length).toBeLessThan(9);
    expect(kept.reduce((sum, { gone }) => sum + gone, 0)).toBe(61);
    expect(kept.at(-1)?.at).toBe(WINTER + HOUR);
    for (let hour = 2; hour < 500; hour++)
      kept = withList(kept, { at: WINTER + hour * HOUR, recordings: 100, gone: 0 });
    expect(kept).toHaveLength(200);
  });

  test.each<[string, SeenList[], number | null]>([
    ["nothing was listed ever", [], null],
    ["there is something", lists([0, 5, 0]), null],
    ["it was always empty", lists([0, 0, 0], [1, 0, 0]), null],
    ["it became empty", lists([0, 5, 0], [1, 0, 0], [2, 0, 0]), 1],
    ["it was empty before", lists([0, 5, 0], [1, 0, 0], [2, 5, 0]), null],
  ])("tell when it became empty: %s", (_, given, hours) => {
    expect(emptiedAt(given)?.at ?? null).toBe(hours === null ? null : WINTER + hours * HOUR);
  });

  test.each<[string, SeenList[], number | null]>([
    ["nothing is known", [], null],
    ["over half a day", lists([0, 100, 0], [6, 100, 30], [12, 100, 30]), 5],
    ["by the last 24 hours", lists([0, 100, 0], [20, 100, 40], [30, 100, 24], [44, 100, 24]), 2],
    ["not over a few hours", lists([0, 100, 0], [5, 100, 20], [11, 100, 20]), null],
    ["not by one list", lists([0, 100, 0], [6, 100, 0], [12, 100, 20]), null],
    ["not of a card that was formatted", lists([0, 100, 0], [6, 10, 100], [12, 20, 1], [20, 20, 1]), null],
    ["not of a card with room", lists([0, 100, 0], [12, 120, 0], [24, 140, 0]), null],
  ])("tell how fast it overwrites: %s", (_, given, perHour) => {
    expect(overwriting(given)?.perHour ?? null).toBe(perHour);
  });
});

const plain = (text = "") => text.replaceAll("\u00a0", " ");

describe("hints", () => {
  const fine: HintFacts = {
    now: WINTER,
    zone: UTC,
    address: "cam.lan",
    another_at: null,
    lists: lists([-1, 412, 0]),
    clock: null,
    waiting: null,
    next_at: null,
    harmful: [],
  };
  const hintsOf = (facts: Partial<HintFacts>) => cameraHints({ ...fine, ...facts }).map(({ title }) => title);

  test("are none where nothing is amiss", () => {
    expect(cameraHints(fine)).toEqual([]);
  });

  test("tell of another device, with the run that met it", () => {
    const [hint] = cameraHints({ ...fine, another_at: WINTER - HOUR });
    expect(hint).toMatchObject({ id: "another-device", title: "Another device answers at cam.lan." });
    expect(hint?.cause).toStartWith("The run at 11:00 found no camera there.");
  });

  test("tell of a list that became empty, with what it had", () => {
    const [hint] = cameraHints({ ...fine, lists: lists([-26, 412, 0], [-1, 0, 0]) });
    expect(plain(hint?.cause)).toBe("At Fri 20 Nov, 10:00 it listed 412 recordings, since 11:00 none.");
  });

  test.each<[string, ClockSighting["how"], string, string]>([
    ["20261121_122000_NF.mp4", "listed", "The camera’s clock is at least 20\u00a0min ahead.", "Set its clock in"],
    [
      "20261121_140000_NF.mp4",
      "listed",
      "The camera’s clock is at least 2\u00a0h 00\u00a0min ahead.",
      "Set its clock or time zone in",
    ],
    [
      "20261121_105700_NF.mp4",
      "recording",
      "The camera’s clock is at least 1\u00a0h 00\u00a0min behind.",
      "Set its clock or time zone in",
    ],
    [
      "20261121_110000_NF.mp4",
      "satellites",
      "The camera’s clock is 1\u00a0h 00\u00a0min behind.",
      "Set its clock or time zone in",
    ],
    [
      "20261121_121416_NF.mp4",
      "satellites",
      "The camera’s clock is 14\u00a0min ahead.",
      "Set its clock or time zone in",
    ],
    ["20261121_120300_NF.mp4", "satellites", "The camera’s clock is 3\u00a0min ahead.", "Set its clock in"],
    ["19700101_000000_NF.mp4", "listed", "The camera’s clock is not set.", "Set the clock in"],
  ])("tell of a clock that is off: %s, %s", (name, how, title, remedy) => {
    const [hint] = cameraHints({ ...fine, clock: { at: WINTER, name, how } });
    expect(hint?.title).toBe(title);
    expect(hint?.remedy).toStartWith(remedy);
    expect(plain(hint?.cause)).toMatch(
      /^(At Sat 21 Nov, 12:00 UTC (its newest |the )recording (in progress )?was named|GPS says Sat 21 Nov, 12:00 UTC; the camera named it) /,
    );
  });

  test("say nothing of a clock that is right, or less than five minutes off", () => {
    for (const name of ["20261121_120430_NF.mp4", "20261121_115900_NF.mp4"])
      expect(hintsOf({ clock: { at: WINTER, name, how: "recording" } })).toEqual([]);
  });

  // Five an hour; it was away for at most 8 hours.
  const full = lists([-25, 100, 0], [-17, 100, 40], [-9, 100, 40], [-1, 100, 40]);
  test.each<[string, Partial<HintFacts>, boolean]>([
    ["nothing waits", { waiting: null }, false],
    ["it is the next to go", { waiting: { name: "20261118_080000_NF.mp4", before: 0 } }, true],
    ["39 go before it: just when it may be back", { waiting: { name: "20261118_080000_NF.mp4", before: 39 } }, true],
    ["60 go before it: it is back before", { waiting: { name: "20261118_080000_NF.mp4", before: 60 } }, false],
    [
      "the camera is home, and a run comes in time",
      { waiting: { name: "20261118_080000_NF.mp4", before: 10 }, next_at: WINTER + 15 * MINUTE },
      false,
    ],
    [
      "the camera is home, and the run comes late",
      { waiting: { name: "20261118_080000_NF.mp4", before: 10 }, next_at: WINTER + 6 * HOUR },
      true,
    ],
  ])("tell of recordings that are overwritten before they come: %s", (_, facts, isSaid) => {
    const title = "The camera overwrites recordings that are not home yet.";
    expect(hintsOf({ lists: full, ...facts })).toEqual(isSaid ? [title] : []);
  });

  test("tell of recordings that are overwritten with the pace, the oldest, and when", () => {
    const waiting = { name: "20261118_080000_NF.mp4", before: 14 };
    const [hint] = cameraHints({ ...fine, lists: full, waiting });
    expect(plain(hint?.cause)).toBe(
      "It overwrites about 120 recordings a day; the oldest that waits, Wed 18 Nov, 08:00, is gone in 2 h 00 min, and lately it was away for up to 8 h 00 min.",
    );
  });

  test("tell of the Wi-Fi that sleeps as the check does, and of no other setting", () => {
    const cause = "Its Wi-Fi goes off.";
    const remedy = "Turn it on.";
    const rest = { setting: "Wifi.WifiSleepMode", label: "Wi-Fi auto turn off", cause, remedy };
    const [hint, ...others] = cameraHints({
      ...fine,
      harmful: [
        { ...rest, reason: "scheduled-reboot" },
        { ...rest, reason: "wifi-sleeps" },
      ],
    });
    expect(hint).toMatchObject({ id: "wifi-sleeps", cause, remedy });
    expect(others).toEqual([]);
  });
});
