import { describe, expect, test } from "bun:test";
import { CutHabit, openInPieces } from "../../server/dashcam/answer_pieces.ts";
import type { Opened } from "../../server/dashcam/opened.ts";
import { DashcamProblem } from "../../server/dashcam/problem.ts";

const KB = 1024;
const CUT = new DashcamProblem("reset", "the connection broke");

/** One answer: bytes that came, what was asked for (null: all), and what it promised. */
function answer(habit: CutHabit, bytes: number, asked: number | null, promised: number | null = asked): void {
  habit.learn(undefined, { bytes, promised }, asked === null ? { from: 0 } : { from: 0, to: asked });
}

describe("what a camera is asked for at once", () => {
  test.each([
    ["nothing is known of it", [], null],
    ["one answer broke", [0], null],
    ["two broke before anything of them was read", [0, 0], 64 * KB],
    ["two broke after 34 464 bytes", [34_464, 34_464], 32 * KB],
    ["two broke in the middle of long videos", [3_000_000, 50_000_000], 32 * KB * KB],
    ["two broke, and bytes that came are fewer than is worth a request", [0, 100], 64 * KB],
  ])("when %s", (_, broken, span) => {
    const habit = new CutHabit();
    for (const bytes of broken) habit.learn(CUT, { bytes, promised: 100_000_000 }, { from: 0 });
    expect(habit.span).toBe(span);
  });

  test("an answer that ends before its promise without an error is cut as well, and one that comes whole is none", () => {
    const habit = new CutHabit();
    answer(habit, 1000, null, 2000);
    answer(habit, 2000, null, 2000);
    answer(habit, 1000, null, 2000);
    expect(habit.span).toBeNull();
    answer(habit, 1000, null, 2000);
    expect(habit.span).toBe(64 * KB);
  });

  test("a stop, silence, and a body that is left say nothing", () => {
    const habit = new CutHabit();
    for (let times = 0; times < 5; times++) {
      habit.learn(new Error("stopped"), { bytes: 10, promised: 20 }, { from: 0 });
      habit.learn(new DashcamProblem("silence", ""), { bytes: 10, promised: 20 }, { from: 0 });
      habit.learn(undefined, undefined, { from: 0 });
    }
    expect(habit.span).toBeNull();
  });

  test("a comparison that comes whole does not hide that the rest is cut each time", () => {
    const habit = new CutHabit();
    for (let times = 0; times < 2; times++) {
      answer(habit, 64 * KB, 64 * KB);
      habit.learn(CUT, { bytes: 0, promised: 1_000_000 }, { from: 0 });
    }
    expect(habit.span).toBe(64 * KB);
  });

  test("is halved when it was too much, and more is tried ever more seldom", () => {
    const habit = new CutHabit();
    for (let times = 0; times < 2; times++) habit.learn(CUT, { bytes: 0, promised: null }, { from: 0 });
    const asked: number[] = [];
    /** A camera that cuts at 100 kB. */
    for (let times = 0; times < 200; times++) {
      const span = habit.span ?? 0;
      asked.push(span);
      if (span > 100_000) habit.learn(CUT, { bytes: 0, promised: span }, { from: 0, to: span });
      else answer(habit, span, span);
    }
    expect(new Set(asked)).toEqual(new Set([64 * KB, 128 * KB]));
    expect(asked.filter((span) => span > 100_000)).toHaveLength(2);
  });

  test("is all again when long answers come whole", () => {
    const habit = new CutHabit();
    for (let times = 0; times < 2; times++) habit.learn(CUT, { bytes: 0, promised: null }, { from: 0 });
    let answers = 0;
    let bytes = 0;
    for (; habit.span !== null; answers++) {
      bytes += habit.span;
      answer(habit, habit.span, habit.span);
    }
    // The sizes from 64 KiB to 64 MiB, sixteen times each.
    expect([answers, bytes]).toEqual([176, 16 * 2047 * 64 * KB]);
  });

  test("is as before when a camera left, which answered nothing any more; when it answers other questions it is none", () => {
    const habit = new CutHabit();
    const unanswered = () => habit.learn(new DashcamProblem("closed", "no answer"), undefined, { from: 0 });
    for (let visit = 0; visit < 5; visit++) {
      answer(habit, 1000, null, 1000);
      habit.learn(CUT, { bytes: 700_000, promised: 3_000_000 }, { from: 0 });
      unanswered();
      habit.left();
      unanswered();
      habit.left();
    }
    expect(habit.span).toBeNull();
    for (let times = 0; times < 2; times++) {
      unanswered();
      habit.answered();
    }
    expect(habit.span).toBe(64 * KB);
  });

  test("is never less than 512 bytes", () => {
    const habit = new CutHabit();
    for (let times = 0; times < 40; times++) habit.learn(CUT, { bytes: 0, promised: null }, { from: 0, to: 600 });
    expect(habit.span).toBe(512);
    // A camera that sends more again is soon asked for more.
    for (let times = 0; times < 1024; times++) answer(habit, 512, 512);
    expect(habit.span).toBe(4 * KB);
  });
});

test("a camera that answers parts without a byte is asked for no part twice", async () => {
  const habit = new CutHabit();
  for (let times = 0; times < 2; times++) habit.learn(CUT, { bytes: 0, promised: null }, { from: 0 });
  let asked = 0;
  const open = ({ from: start }: { from: number }): Promise<Opened> => {
    if (++asked > 10) throw new Error("it is asked for ever");
    const pieces = start === 0 ? [new Uint8Array(64 * KB)] : [];
    const unused = () => Promise.reject(new Error("is read in pieces"));
    return Promise.resolve({
      kind: "body",
      start,
      total: 1_000_000,
      promised: pieces.length * 64 * KB,
      isChunked: false,
      type: null,
      validators: { etag: null, lastModified: null, total: 1_000_000 },
      read: () => Promise.resolve(pieces.pop() ?? null),
      bytes: unused,
      pour: unused,
      close() {},
    });
  };
  const body = await openInPieces(open, { from: 0 }, habit);
  if (body.kind !== "body") throw new Error(body.kind);
  expect((await body.read())?.length).toBe(64 * KB);
  expect(await body.read()).toBeNull();
  expect(asked).toBe(2);
});

test("bytes may gather in a long answer, and never before its end, behind which the next part is asked for", async () => {
  const habit = new CutHabit();
  for (let times = 0; times < 2; times++) habit.learn(CUT, { bytes: 2 * KB * KB, promised: null }, { from: 0 });
  const total = 4 * KB * KB;
  const gathered: [at: number, ms: number | undefined][] = [];
  const open = ({ from, to = total }: { from: number; to?: number }): Promise<Opened> => {
    let at = from;
    const unused = () => Promise.reject(new Error("is read in pieces"));
    return Promise.resolve({
      kind: "body",
      start: from,
      total,
      promised: to - from,
      isChunked: false,
      type: null,
      validators: { etag: null, lastModified: null, total },
      read(gatherMs) {
        gathered.push([at, gatherMs]);
        if (at >= to) return Promise.resolve(null);
        at += 512 * KB;
        return Promise.resolve(new Uint8Array(512 * KB));
      },
      bytes: unused,
      pour: unused,
      close() {},
    });
  };
  const body = await openInPieces(open, { from: 0 }, habit);
  if (body.kind !== "body") throw new Error(body.kind);
  while ((await body.read(100)) !== null);
  const half = 512 * KB;
  const inPart = (from: number): typeof gathered => [
    [from, 100],
    [from + half, 100],
    [from + 2 * half, 100],
    [from + 3 * half, 0],
    [from + 4 * half, 0],
  ];
  expect(gathered).toEqual([...inPart(0), ...inPart(2 * KB * KB)]);
});
