import { expect, test } from "bun:test";
import { BackgroundReader, SegmentFacts } from "../../../server/store/clips/background_reader.ts";
import type { Segment } from "../../../server/store/library/recording_files.ts";
import { FakeClock } from "../../support/app/clock.ts";

const segmentOf = (key: string): Segment => ({ key, folder: "", parts: {} as Segment["parts"] });

/** A reader whose reads end when the test says so. */
function gated() {
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const read = ({ key }: { key: string }) => {
    began.push(key);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  return { began, ends, read };
}

test("what was added last is read first, a few at once, and done() waits for all of it", async () => {
  const { began, ends, read } = gated();
  let ended = 0;
  const reader = new BackgroundReader<{ key: string }>({ width: 2, read, ended: () => ended++ });
  for (const key of ["a", "b", "c"]) reader.add({ key });
  expect(began).toEqual([]);
  reader.start();
  expect([began, reader.isBusy]).toEqual([["c", "b"], true]);
  const done = reader.done();
  ends[0]?.();
  await Promise.resolve();
  await Promise.resolve();
  expect([began, ended]).toEqual([["c", "b", "a"], 0]);
  ends[1]?.();
  ends[2]?.();
  await done;
  expect([reader.isBusy, ended]).toEqual([false, 1]);
  await reader.done();
});

test("facts are read once while the parts stay, again after half a minute, and the oldest are forgotten", async () => {
  const clock = new FakeClock();
  const reads: string[] = [];
  const facts: SegmentFacts<{ parts: Segment["parts"]; lookedAt: number }> = new SegmentFacts({
    clock,
    width: 1,
    mostKnown: 2,
    read: async (segment) => {
      reads.push(segment.key);
      if (segment.key === "gone") throw new Error("ENOENT");
      facts.remember(segment, { parts: segment.parts, lookedAt: clock.elapsed() });
    },
  });
  const [one, two, gone] = [segmentOf("one"), segmentOf("two"), segmentOf("gone")];
  await facts.learn([one, two, gone], 1000);
  await facts.learn([one, two], 1000);
  expect(reads).toEqual(["gone", "one", "two"]);
  expect([facts.of(one)?.lookedAt, facts.of(gone)]).toEqual([clock.elapsed(), null]);
  clock.pass(30_001);
  await facts.learn([one], 1000);
  expect(reads).toEqual(["gone", "one", "two", "one"]);
  const changed = { ...one, parts: {} as Segment["parts"] };
  expect([facts.of(changed), facts.latest(changed)?.parts === one.parts]).toEqual([null, true]);
  await facts.learn([segmentOf("three")], 1000);
  expect([facts.of(one) === null, facts.of(two)]).toEqual([false, null]);
});

test("no caller waits longer than its budget, and none after the end", async () => {
  const clock = new FakeClock();
  const { ends, read } = gated();
  const facts = new SegmentFacts({ clock, width: 1, mostKnown: 9, read });
  const waiting = facts.learn([segmentOf("one"), segmentOf("two")], 50);
  await clock.advance(50);
  await waiting;
  const other = facts.learn([segmentOf("one")], 1_000_000);
  facts.close();
  await other;
  await facts.learn([segmentOf("three")], 1_000_000);
  expect(ends).toHaveLength(1);
});
