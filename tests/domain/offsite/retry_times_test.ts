import { expect, test } from "bun:test";
import { REQUEST_WAITS, roundWait } from "../../../server/domain/offsite/retry_times.ts";

test("a request is tried six times more, each time after twice as long", () => {
  expect(REQUEST_WAITS).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000]);
});

test("a round that failed is tried again after 1, 5 and 30 minutes, then every hour", () => {
  expect([1, 2, 3, 4, 5, 100].map((failed) => roundWait(failed) / 60_000)).toEqual([1, 5, 30, 60, 60, 60]);
});
