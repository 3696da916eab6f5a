import { describe, expect, test } from "bun:test";
import type { Run } from "../../server/domain/run.ts";
import { filesOf, outcomeOf, reasonOf, sizeOf, tookInWords } from "../../server/domain/run_words.ts";
import { awayAt, runAt } from "../support/history.ts";

const FAILED = { success: false, exitCode: 1 };

describe("a run in words", () => {
  const cases: [what: string, run: Run, words: [outcome: string, reason: string, files: string, size: string]][] = [
    ["one that brought files", runAt(1), ["Fine", "", "3", "412 MB"]],
    ["one that found nothing new", runAt(1, { files: 0, bytes: 0 }), ["Fine", "Nothing new", "0", "0 B"]],
    ["one that timed out", awayAt(1), ["Camera away", "Not reachable, timed out", "", ""]],
    [
      "one that was refused",
      runAt(1, { ...FAILED, failures: { network: 1 } }),
      ["Camera away", "Not reachable", "", ""],
    ],
    [
      "one with a full disk",
      runAt(1, { ...FAILED, files: 18, failures: { disk: 1 } }),
      ["Failed", "Disk full", "18", "412 MB"],
    ],
    [
      "one that failed for several reasons, the most frequent first",
      runAt(1, { ...FAILED, failures: { disk: 1, http: 3 } }),
      ["Failed", "Error from the camera; disk full", "3", "412 MB"],
    ],
    [
      "one that was stopped",
      runAt(1, { ...FAILED, failures: { unknown: 1 } }),
      ["Failed", "Stopped by hand, or for a cause that is in the log", "3", "412 MB"],
    ],
    [
      "one that lacks a file",
      runAt(1, { files: 41, failures: { http: 1 } }),
      ["Partly", "1 file failed: error from the camera", "41 of 42", "412 MB"],
    ],
    [
      "one that lacks several",
      runAt(1, { files: 1200, failures: { timeout: 2, network: 1 } }),
      ["Partly", "3 files failed: camera stopped answering; connection broke", "1 200 of 1 203", "412 MB"],
    ],
    [
      "a dry run",
      runAt(1, { dryRun: true, files: 0, bytes: 0, recordingsSelected: 42 }),
      ["Dry run", "Listed only, nothing written", "42 listed", ""],
    ],
    [
      "a dry run that failed",
      runAt(1, { ...FAILED, dryRun: true, recordingsSelected: 0, failures: { http: 1 } }),
      ["Failed", "Error from the camera, dry run", "0 listed", ""],
    ],
  ];
  for (const [what, run, words] of cases)
    test(`tells of ${what}`, () => {
      const told = [outcomeOf(run).word, reasonOf(run), filesOf(run), sizeOf(run)];
      expect(told.map((word) => word.replaceAll(/[\u00a0\u202f]/g, " "))).toEqual(words);
    });

  test("has a state of its own for each way to end", () => {
    expect(outcomeOf(runAt(1)).mood).toBe("fine");
    expect(outcomeOf(awayAt(1)).mood).toBe("waiting");
    expect(outcomeOf(runAt(1, FAILED)).mood).toBe("failed");
    expect(outcomeOf(runAt(1, { failures: { http: 1 } })).mood).toBe("attention");
  });
});

describe("tookInWords()", () => {
  const cases: [seconds: number, words: string][] = [
    [0, "0 s"],
    [1.24, "1.2 s"],
    [9.94, "9.9 s"],
    [9.96, "10 s"],
    [38.4, "38 s"],
    [59.6, "1 min"],
    [149, "2 min 29 s"],
    [3599.6, "1 h 00 min"],
    [3900, "1 h 05 min"],
  ];
  for (const [seconds, words] of cases)
    test(`${seconds} s is ${words}`, () => expect(tookInWords(seconds).replaceAll("\u00a0", " ")).toBe(words));
});
