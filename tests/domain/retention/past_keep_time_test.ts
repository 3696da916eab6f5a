import { expect, test } from "bun:test";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { sameCutoff } from "../../../server/domain/retention/keep_times.ts";
import { pastKeepTime } from "../../../server/domain/retention/past_keep_time.ts";

const CUTOFFS = { normal: "2026-05-01", event: "2026-01-01", parking: "2026-06-01", manual: null };

test.each([
  ["20260430_235959_NF.mp4", true],
  ["20260501_000000_NF.mp4", false],
  ["20251231_235959_EF.mp4", true],
  ["20260101_000000_EF.mp4", false],
  ["20260531_235959_PR.mp4", true],
  ["20260601_000000_PR.mp4", false],
  ["20100101_000000_MF.mp4", false],
  ["20260430_120000_ZF.mp4", true],
  // The clock was never set: no age.
  ["19700101_000000_NF.mp4", false],
  ["20091231_235959_PF.mp4", false],
  ["20100101_000000_NF.mp4", true],
])("%s is past its keep time: %p", (name, isPast) => {
  expect(pastKeepTime(CUTOFFS)(momentNumber(name))).toBe(isPast);
});

test("without a first day nothing is past its keep time", () =>
  expect(pastKeepTime(sameCutoff(null))(momentNumber("20180101_000000_NF.mp4"))).toBe(false));
