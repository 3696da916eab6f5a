import { describe, expect, test } from "bun:test";
import type { Run } from "../../../server/domain/runs/run.ts";
import type { ErrorSpan } from "../../../server/domain/runs/run_detail.ts";
import { momentsOfRun } from "../../../server/domain/runs/run_moments.ts";
import { runAt } from "../../support/app/history.ts";

const END = 1_800_000_000;
const at = (seconds: number) => (END + seconds) * 1000;
const COUNTS = {
  planned: 142,
  failed: 48,
  videos: 64,
  present: 270,
  blocked: 0,
  absent: 0,
  held: 0,
  empty: 0,
  vanished: 0,
  growing: 0,
};
const span = (cause: ErrorSpan["cause"], from: number, to: number, count: number): ErrorSpan => ({
  cause,
  count,
  first: { at: at(from), name: "20261120_201203_NF.mp4", after: 64 },
  last: { at: at(to), name: "20261120_205903_NR.mp4", after: 64 },
});
const told = (run: Run, errors: readonly ErrorSpan[] = [], failure: string | null = null) =>
  momentsOfRun(run, { listed_at: at(-35), errors }, failure).map((moment) => [
    moment.at / 1000 - END,
    moment.title,
    moment.words.replaceAll(/[\u00a0\u202f]/g, " "),
  ]);

describe("what happened in a run", () => {
  test("begins with its start and ends with its end, with the list and both ends of the errors between", () => {
    const run = runAt(END, { trigger: "schedule", counts: COUNTS });
    expect(told(run, [span("reset", -20, -2, 48)])).toEqual([
      [-38, "Started by the schedule", ""],
      [-35, "List read", "412 recordings, 142 of them new"],
      [-20, "First error", "20261120_201203_NF, after 64 recordings"],
      [-2, "Last error", "The same error, 48 in all"],
      [0, "Ended", ""],
    ]);
  });

  test("tells one error once, and several kinds by how many there are", () => {
    const run = runAt(END, { counts: COUNTS });
    expect(told(run, [span("reset", -20, -20, 1)]).map(([, title]) => title)).not.toContain("Last error");
    const errors = [span("reset", -20, -2, 3), span("http", -30, -10, 2)];
    expect(told(run, errors).slice(2, 4)).toEqual([
      [-30, "First error", "20261120_201203_NF, after 64 recordings"],
      [-2, "Last error", "5 of 2 kinds"],
    ]);
  });

  test("says that the disk was full, that the system stopped it, or a user did", () => {
    const ended = { success: false, exitCode: 1 } as const;
    const full = runAt(END, { ...ended, cause: "disk-limit", failures: { disk: 1 } });
    expect(told(full, [], "The disk is full.").slice(-2)).toEqual([
      [0, "Disk limit reached", "The disk is full"],
      [0, "Ended", ""],
    ]);
    const restart = runAt(END, { ...ended, stopped: true, cause: "shutdown" });
    expect(told(restart).slice(-2)).toEqual([
      [0, "Dashdock was told to stop", "By the system, not by a user"],
      [0, "Ended in order", "Recordings downloaded so far are kept"],
    ]);
    expect(told(runAt(END, { ...ended, stopped: true, cause: "stopped" })).at(-1)?.[1]).toBe("Stopped by a user");
  });

  test("without a list has only its start and its end", () => {
    const away = runAt(END, { success: false, exitCode: 1, recordingsSeen: 0, failures: { timeout: 1 } });
    const moments = momentsOfRun(away, { listed_at: null, errors: [] }, "The camera refused the connection.");
    expect(moments.map(({ what, words }) => [what, words])).toEqual([
      ["started", ""],
      ["ended", "The camera refused the connection"],
    ]);
  });
});
