import { describe, expect, test } from "bun:test";
import type { CardRecord, SeenVideo } from "../../../server/domain/card/card_record.ts";
import {
  CARD_SIGNS,
  type CardSign,
  CLIP_WINDOW,
  cardHealth,
  FEWEST_RECORDINGS,
  reachedSigns,
  SIGN_LIMITS,
} from "../../../server/domain/card/card_signs.ts";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { endingOf } from "../../../server/domain/recordings/recording_name.ts";
import { healthyHistories, sickHistories } from "../../support/camera/card_histories.ts";
import { recordOf } from "../../support/camera/card_record.ts";

const DAY = 86_400_000;
const HEALTHY = healthyHistories();
const SICK = sickHistories();
const AT = Date.UTC(2026, 5, 7);

/** Name of the video of a minute: all of one drive. */
function nameOf(minute: number): string {
  const base = new Date(AT + minute * 60_000)
    .toISOString()
    .replaceAll(/[-:]|\..*/g, "")
    .replace("T", "_");
  return `${base}_NF.mp4`;
}

function seen(name: string, other: Partial<SeenVideo> = {}): SeenVideo {
  return {
    moment: momentNumber(name),
    ending: endingOf(name),
    seenAt: AT + 30 * DAY,
    isOld: false,
    answer: "whole",
    errors: 0,
    ...other,
  };
}

/** A drive of so many minutes, of which each is changed. */
function drive(minutes: number, of: (minute: number) => Partial<SeenVideo> | null = () => ({})): CardRecord {
  const videos: SeenVideo[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    const other = of(minute);
    if (other !== null) videos.push(seen(nameOf(minute), other));
  }
  return { videos, rates: [] };
}

const minuteLong = () => 60;

function found(record: CardRecord, lengthOf: (moment: number) => number | null = minuteLong): CardSign[] {
  return reachedSigns(cardHealth(record, lengthOf)).map(({ sign }) => sign);
}

describe("Signs of a dying card", () => {
  test.each(HEALTHY.map((history) => [history.name, history] as const))("%s", (_name, history) => {
    const { record, lengthOf } = recordOf(history);
    const health = cardHealth(record, lengthOf);
    expect(health.isKnown).toBe(true);
    expect(reachedSigns(health)).toEqual([]);
  });

  test.each(SICK.map((history) => [history.name, history] as const))("%s", (_name, history) => {
    const { record, lengthOf } = recordOf(history);
    const reached = reachedSigns(cardHealth(record, lengthOf));
    expect(reached.map(({ sign }) => sign)).toEqual([history.sign as CardSign]);
    const since = reached[0]?.since ?? 0;
    expect(since).toBeGreaterThanOrEqual(history.recordings[0]?.at ?? Number.POSITIVE_INFINITY);
    expect(since).toBeLessThanOrEqual(history.now);
  });

  test("healthy cards stay below half of each limit, so that a little worse is no sign yet", () => {
    for (const history of HEALTHY) {
      const { record, lengthOf } = recordOf(history);
      for (const { sign, cases, of } of cardHealth(record, lengthOf).signs) {
        const { share } = SIGN_LIMITS[sign];
        if (sign === "falling_rate") expect(cases === 0 || of === 0 || cases / of > 1.5 * share).toBe(true);
        else
          expect({ name: history.name, sign, isHalf: cases > (of * share) / 2 && cases > 2 }).toMatchObject({
            isHalf: false,
          });
      }
    }
  });

  test.each([
    ["empty_files", { answer: "empty" }],
    ["read_errors", { answer: "error", errors: 1 }],
    ["read_errors", { answer: "whole", errors: 2 }],
  ] as const)("%s: a fifth of the last clips is, and a fiftieth is not", (sign, trouble) => {
    const every = (count: number) => drive(CLIP_WINDOW, (minute) => (minute % count === 1 ? trouble : {}));
    expect(found(every(5))).toEqual([sign]);
    expect(found(every(50))).toEqual([]);
  });

  test("a fifth of the last clips counts wherever in them it lies, however many were whole before", () => {
    for (const first of [3000 - CLIP_WINDOW, 3000 - CLIP_WINDOW / 2, 3000 - CLIP_WINDOW / 5]) {
      const isEmpty = (minute: number) => minute >= first && minute < first + CLIP_WINDOW / 5;
      const record = drive(3000, (minute) => (isEmpty(minute) ? { answer: "empty" } : {}));
      expect(found(record)).toEqual(["empty_files"]);
    }
  });

  test("what was not asked for yet says nothing about empty files", () => {
    const record = drive(400, (minute) => ({
      answer: minute % 2 === 0 ? null : minute % 10 === 1 ? "empty" : "whole",
    }));
    expect(cardHealth(record, minuteLong).signs[0]).toMatchObject({ cases: 40, of: 200, isReached: true });
  });

  test.each(CARD_SIGNS.map((sign) => [sign] as const))("%s is not claimed from fewer than 200 recordings", (sign) => {
    const history = SICK.find((one) => one.sign === sign);
    if (history === undefined) throw new Error("there is one of each");
    const { record, lengthOf } = recordOf(history);
    const fewer = { ...record, videos: record.videos.slice(1 - FEWEST_RECORDINGS) };
    const health = cardHealth(fewer, lengthOf);
    expect(health.isKnown).toBe(false);
    expect(reachedSigns(health)).toEqual([]);
    expect(health.signs.map((one) => one.sign)).toEqual([...CARD_SIGNS]);
  });

  test("a quarter of the minutes missing is a sign, with lengths and without", () => {
    const record = drive(300, (minute) => (minute % 4 === 2 ? null : {}));
    expect(found(record)).toEqual(["holes"]);
    expect(found(record, () => null)).toEqual(["holes"]);
  });

  test("stops of some minutes are no holes: the last clip before ends early", () => {
    // Each tenth minute the car stops for 7 minutes and 20 seconds.
    const videos: SeenVideo[] = [];
    const lengths = new Map<number, number>();
    for (let clip = 0; clip < 300; clip++) {
      const second = clip * 60 + Math.floor(clip / 10) * 440;
      const base = new Date(AT + second * 1000)
        .toISOString()
        .replaceAll(/[-:]|\..*/g, "")
        .replace("T", "_");
      const video = seen(`${base}_NF.mp4`);
      videos.push(video);
      lengths.set(video.moment, clip % 10 === 9 ? 25 : 60);
    }
    expect(found({ videos, rates: [] }, (moment) => lengths.get(moment) ?? null)).toEqual([]);
  });

  test("gaps between recordings that were overwritten before the first list are no holes", () => {
    expect(found(drive(300, (minute) => (minute % 3 === 0 ? { isOld: true } : null)))).toEqual([]);
  });

  test("an event that cuts its clip short is no clip that broke off", () => {
    const videos: SeenVideo[] = [];
    const lengths = new Map<number, number>();
    for (let minute = 0; minute < 300; minute++) {
      const normal = seen(nameOf(minute));
      videos.push(normal);
      if (minute % 4 === 0) {
        const base = nameOf(minute).slice(0, 13);
        videos.push(seen(`${base}20_EF.mp4`));
        lengths.set(normal.moment, 20);
        lengths.set(momentNumber(`${base}20_EF.mp4`), 40);
      } else lengths.set(normal.moment, 60);
    }
    expect(found({ videos, rates: [] }, (moment) => lengths.get(moment) ?? null)).toEqual([]);
  });

  test("tiny clips of a camera that records only seconds are as long as they usually are", () => {
    expect(found(drive(300), () => 3)).toEqual([]);
  });

  test("a slow fortnight at first is what later runs are compared with", () => {
    const record = drive(300);
    const runs = (rate: (day: number) => number) => ({
      ...record,
      rates: Array.from({ length: 40 }, (_, day) => ({ at: AT + day * DAY, rate: rate(day) })),
    });
    expect(found(runs(() => 3e6))).toEqual([]);
    expect(found(runs((day) => (day < 14 ? 3e6 : 12e6)))).toEqual([]);
    expect(found(runs((day) => (day < 14 ? 12e6 : 5e6)))).toEqual(["falling_rate"]);
    // One in three visits from the street.
    expect(found(runs((day) => (day % 3 === 0 ? 2e6 : 12e6)))).toEqual([]);
    // It fell before the first two weeks were over: there is nothing to compare with.
    expect(found({ ...record, rates: runs((day) => (day < 5 ? 12e6 : 5e6)).rates.slice(0, 12) })).toEqual([]);
  });

  test("the rate tells since when it is low", () => {
    const rates = Array.from({ length: 60 }, (_, day) => ({ at: AT + day * DAY, rate: day < 40 ? 12e6 : 4e6 }));
    const sign = cardHealth({ ...drive(300), rates }, minuteLong).signs.find((one) => one.sign === "falling_rate");
    // From the sixth of these runs on, most of the last ten are slow.
    expect(sign).toMatchObject({ isReached: true, cases: 4e6, of: 12e6 });
    expect(Math.abs((sign?.since ?? 0) - (AT + 45 * DAY))).toBeLessThanOrEqual(DAY);
  });
});
