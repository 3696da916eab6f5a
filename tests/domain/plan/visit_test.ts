import { expect, test } from "bun:test";
import { afterContact, median, type OpenVisit, visitOf, withBytes } from "../../../server/domain/plan/visit.ts";

const AT = Date.UTC(2026, 10, 21, 18, 6);
const MINUTE = 60_000;

/** A visit with a contact every minute. */
function visited(minutes: number): OpenVisit {
  let visit = afterContact(null, AT, 0);
  for (let minute = 1; minute <= minutes; minute++) visit = afterContact(visit, AT + minute * MINUTE, MINUTE);
  return visit;
}

test("a visit goes from its first contact to its last", () => {
  const visit = visited(8);
  expect(visitOf(visit, false)).toEqual({ from: AT, to: null, seconds: 480, bytes: 0, rate: null });
  expect(visitOf(visit, true)).toEqual({ from: AT, to: AT + 8 * MINUTE, seconds: 480, bytes: 0, rate: null });
});

test("its rate is the median of what its videos came at", () => {
  const visit = withBytes(withBytes(visited(1), 300, [5e6, 1]), 200, [6e6]);
  expect(visitOf(visit, true)).toMatchObject({ bytes: 500, rate: 5e6 });
});

test("of thousands of videos the last ones count", () => {
  const slow = Array.from({ length: 5000 }, () => 1e6);
  const visit = withBytes(
    withBytes(visited(1), 0, slow),
    0,
    Array.from({ length: 200 }, () => 9e6),
  );
  expect(visitOf(visit, true).rate).toBe(9e6);
  expect(visit.rates).toHaveLength(200);
});

test.each([
  ["an hour ahead", 60 * MINUTE],
  ["an hour back", -60 * MINUTE],
  ["years ahead", 20_000 * 60 * MINUTE],
])("a clock that is set %s makes it no longer and no shorter", (_name, shift) => {
  const visit = afterContact(visited(8), AT + 9 * MINUTE + shift, MINUTE);
  expect(visitOf(visit, true)).toMatchObject({ from: AT + shift, seconds: 540 });
});

test("a clock that runs a little fast is as good as another", () => {
  const visit = afterContact(visited(8), AT + 9 * MINUTE + 5000, MINUTE);
  expect(visitOf(visit, true)).toMatchObject({ from: AT, seconds: 545 });
});

test.each<[readonly number[], number | null]>([
  [[], null],
  [[3], 3],
  [[9, 1], 5],
  [[9, 1, 2], 2],
])("the middle of %p is %p", (values, middle) => {
  expect(median(values)).toBe(middle);
});
