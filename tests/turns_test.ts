import { expect, test } from "bun:test";
import { each, eachInSlices, linesInSlices, nextTurn, sortInSlices } from "../server/turns.ts";

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
