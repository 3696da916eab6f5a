import { expect, test } from "bun:test";
import {
  comparePositions,
  type ListPosition,
  nextAfter,
  pageOf,
  readNext,
} from "../../../server/domain/places/list_page.ts";

const position = (order: number, name = "20260607_101500_N") => ({ order: [order], name });

test("pages go from large to small, and each begins behind the one before", () => {
  const all = [3, 9, 1, 9, 5].map((order, at) => position(order, `k${at}`));
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const after: ListPosition | null = next === null ? null : readNext(next);
    const rest: readonly ListPosition[] = all.filter((one) => after === null || comparePositions(one, after) > 0);
    const page: ReturnType<typeof pageOf<ListPosition>> = pageOf(rest, 2, (one) => one);
    seen.push(...page.items.map(({ name }) => name));
    next = page.next;
  } while (next !== null);
  expect(seen).toEqual(["k3", "k1", "k4", "k0", "k2"]);
});

test("a position is read as it was written, with a camera, too", () => {
  for (const one of [position(1_780_000_000_123), { order: [612, -5], name: "van~20260607_101500_N.2.turn" }])
    expect(readNext(nextAfter(one))).toEqual(one);
});

test("nonsense is no position", () => {
  for (const text of [
    "",
    "x",
    "%%%",
    "a".repeat(400),
    btoa("1,2,3,4;a"),
    btoa("1;"),
    btoa("x;y"),
    "äöü",
    btoa("1;a b"),
  ])
    expect(readNext(text)).toBeNull();
});
