import { describe, expect, test } from "bun:test";
import { each, eachInSlices, linesInSlices, nextTurn, sortInSlices, Turns } from "../server/turns.ts";

/** Numbers without an order, many of them more than once. */
const NUMBERS = Array.from({ length: 10_001 }, (_, at) => ({ value: (at * 7919) % 3001, at }));

test("sorting in slices comes to what sorting comes to, and keeps the order of equals", async () => {
  const compare = (one: { value: number }, other: { value: number }) => one.value - other.value;
  for (const count of [0, 1, 2, 1999, 2000, 2001, 6001, NUMBERS.length]) {
    const some = NUMBERS.slice(0, count);
    expect(await sortInSlices(some, compare)).toEqual([...some].sort(compare));
  }
});

test("long loops let others have their turn", async () => {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  let sum = 0;
  await eachInSlices(NUMBERS, ({ at }) => {
    sum += at;
  });
  const text = await linesInSlices(NUMBERS, ({ at }) => `${at}`);
  isOver = true;
  expect(turns).toBeGreaterThan(10);
  expect(sum).toBe(50_005_000);
  expect(text).toBe(`${NUMBERS.map(({ at }) => at).join("\n")}\n`);
});

test("each() handles everything, a few at once, and passes a failure on", async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await each([...Array(50).keys()], async (item) => {
    most = Math.max(most, ++running);
    await nextTurn();
    running--;
    done.push(item);
  });
  expect(done.sort((a, b) => a - b)).toEqual([...Array(50).keys()]);
  expect(most).toBe(2);
  await expect(each([1, 2], () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});

describe("turns", () => {
  test("lets one in at a time, in order, and may be left more than once", async () => {
    const turns = new Turns(1);
    const entered: number[] = [];
    const enter = async (number: number) => {
      const leave = await turns.enter();
      entered.push(number);
      return leave;
    };
    const leaving = [enter(1), enter(2), enter(3)];
    const first = await leaving[0];
    expect([entered, turns.isBusy]).toEqual([[1], true]);
    first?.();
    first?.();
    (await leaving[1])?.();
    expect(entered).toEqual([1, 2]);
    (await leaving[2])?.();
    expect([entered, turns.isBusy]).toEqual([[1, 2, 3], false]);
  });

  test("an abort at the moment of one's turn does not leave the gate shut", async () => {
    const turns = new Turns(1);
    const leave = await turns.enter();
    const stop = new AbortController();
    const waiting = turns.enter(stop.signal);
    leave();
    stop.abort(new Error("too late"));
    (await waiting.catch(() => null))?.();
    expect(turns.isBusy).toBe(false);
    (await turns.enter())();
  });

  test("of some that wait, those that go first do, and the others keep their order", async () => {
    const turns = new Turns(1);
    const leave = await turns.enter();
    const order: string[] = [];
    const waiting = [
      ["one", false],
      ["two", false],
      ["first", true],
    ] as const;
    const all = waiting.map(async ([name, isFirst]) => {
      const end = await turns.enter(undefined, isFirst);
      order.push(name);
      end();
    });
    leave();
    await Promise.all(all);
    expect([order, turns.isBusy]).toEqual([["first", "one", "two"], false]);
  });

  test("who is aborted leaves the line, and the next ones come in their order, as many as there is room for", async () => {
    const turns = new Turns(2);
    const [one, two] = [await turns.enter(), await turns.enter()];
    const stop = new AbortController();
    const order: number[] = [];
    const gone = turns.run(async () => order.push(3), stop.signal);
    const next = turns.run(async () => order.push(4));
    stop.abort(new Error("enough"));
    await expect(gone).rejects.toThrow("enough");
    await expect(turns.enter(stop.signal)).rejects.toThrow("enough");
    one();
    await next;
    expect(order).toEqual([4]);
    await expect(turns.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    two();
    expect(turns.isBusy).toBe(false);
  });
});
