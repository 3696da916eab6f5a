import { describe, expect, test } from "bun:test";
import { hasUnsetClock, parseRecording } from "../../../server/domain/recordings/recording_name.ts";
import {
  type CardHistory,
  type HistoryRecording,
  healthyHistories,
  sickHistories,
} from "../../support/camera/card_histories.ts";

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

const HEALTHY = healthyHistories();
const SICK = sickHistories();

/** Figures of a history's end, such as a person who looks at it by hand would take them. */
function figuresOf({ recordings }: CardHistory) {
  const latest = recordings.slice(-240);
  const share = (answer: string) => latest.filter((one) => one.answer === answer).length / latest.length;
  const rates = recordings.flatMap(({ rate }) => (rate === null ? [] : [rate]));
  const tenth = Math.floor(rates.length / 10);
  return {
    empty: share("empty"),
    errors: share("error"),
    rateLeft: median(rates.slice(-tenth)) / median(rates.slice(0, tenth)),
    unset: recordings.slice(-600).filter(({ name }) => hasUnsetClock(name)).length,
  };
}

test("There are ten healthy and twenty sick histories, each long enough to be judged, with real names in order", () => {
  expect([HEALTHY.length, SICK.length]).toEqual([10, 20]);
  for (const { name, recordings, now } of [...HEALTHY, ...SICK]) {
    expect([name, recordings.length > 600]).toEqual([name, true]);
    expect(new Set(recordings.map((one) => one.name)).size).toBe(recordings.length);
    const isOdd = ({ name: file, at, fetchedAt }: HistoryRecording, index: number) =>
      parseRecording(file) === null || at < (recordings[index - 1]?.at ?? 0) || fetchedAt <= at;
    expect(recordings.filter(isOdd)).toEqual([]);
    expect(recordings.at(-1)?.fetchedAt).toBe(now);
  }
  expect(new Set(SICK.map(({ sign }) => sign)).size).toBe(6);
});

describe("a history", () => {
  test.each(HEALTHY.map((history) => [history.name, history] as const))("%s", (_name, history) => {
    const { empty, errors, rateLeft, unset } = figuresOf(history);
    expect(empty + errors).toBeLessThan(0.05);
    expect(rateLeft).toBeGreaterThan(0.8);
    expect(unset).toBeLessThan(50);
  });

  test.each(SICK.map((history) => [history.name, history] as const))("%s", (_name, history) => {
    const { empty, errors, rateLeft, unset } = figuresOf(history);
    if (history.sign === "empty_files") expect(empty).toBeGreaterThanOrEqual(0.2);
    if (history.sign === "read_errors") expect(errors).toBeGreaterThanOrEqual(0.2);
    if (history.sign === "falling_rate") expect(rateLeft).toBeLessThan(0.5);
    if (history.sign === "clock_resets") expect(unset).toBeGreaterThan(80);
    const minutes = missingMinutes(history);
    if (history.sign === "holes") expect(minutes.missing).toBeGreaterThan(0.25);
    else expect(minutes.missing).toBeLessThan(0.01);
    if (history.sign === "short_clips") expect(minutes.short).toBeGreaterThan(0.25);
    else expect(minutes.short).toBeLessThan(0.2);
  });
});

/** Parts of the last drives' minutes that are not there, and of their videos that are shorter than half a minute. */
function missingMinutes({ recordings }: CardHistory): { missing: number; short: number } {
  const latest = recordings.slice(-600).filter(({ name }) => /_[NEM]F/.test(name) && !hasUnsetClock(name));
  let minutes = 0;
  let missing = 0;
  for (const [index, { at }] of latest.entries()) {
    const gap = Math.round((at - (latest[index - 1]?.at ?? at)) / 60_000);
    if (gap > 4) continue;
    minutes += Math.max(1, gap);
    missing += Math.max(0, gap - 1);
  }
  const short = latest.filter(({ seconds, answer }) => answer !== "empty" && seconds < 30).length;
  return { missing: missing / Math.max(1, minutes), short: short / Math.max(1, latest.length) };
}
