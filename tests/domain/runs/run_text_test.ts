import { describe, expect, test } from "bun:test";
import { brokenOff, type LeftOut, nothingLeftOut, type Run } from "../../../server/domain/runs/run.ts";
import {
  filesOf,
  leftOutOf,
  outcomeOf,
  reasonOf,
  remarkOf,
  sharedMinutes,
  sizeOf,
  tookInWords,
} from "../../../server/domain/runs/run_text.ts";
import { awayAt, runAt } from "../../support/app/history.ts";

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
      "one that failed in an older program, which kept no sentence",
      runAt(1, { ...FAILED, failures: { unknown: 1 } }),
      ["Failed", "Stopped by hand, or for a cause that is in the log", "3", "412 MB"],
    ],
    [
      "one whose sentence was kept",
      runAt(1, { ...FAILED, message: "the list could not be read", failures: { http: 1, unknown: 2 } }),
      ["Failed", "The list could not be read", "3", "412 MB"],
    ],
    [
      "one that was away, and why",
      awayAt(1, { message: "the camera refused the connection" }),
      ["Camera away", "The camera refused the connection", "", ""],
    ],
    [
      "one that was stopped",
      runAt(1, { ...FAILED, stopped: true, message: "sync stopped by user", failures: { unknown: 1 } }),
      ["Stopped", "Stopped by hand", "3", "412 MB"],
    ],
    ["one that was killed", brokenOff(runAt(1, { files: 2 })), ["Failed", "Interrupted", "2", "412 MB"]],
    [
      "one that lacks a file for a reason of which only the log knows",
      runAt(1, { failures: { unknown: 1 } }),
      ["Partly", "1 file failed: see the log", "3 of 4", "412 MB"],
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
    expect(outcomeOf(runAt(1)).level).toBe("fine");
    expect(outcomeOf(awayAt(1)).level).toBe("waiting");
    expect(outcomeOf(runAt(1, FAILED)).level).toBe("failed");
    expect(outcomeOf(runAt(1, { failures: { http: 1 } })).level).toBe("attention");
  });
});

describe("what a run left out", () => {
  const cases: [leftOut: Partial<LeftOut> | null, words: string][] = [
    [null, ""],
    [{}, ""],
    [{ retention: 12 }, "12 left out: older than you keep"],
    [{ selection: 3 }, "3 left out: not chosen by your settings"],
    [{ unreadable: 5 }, "5 left out: in a folder that cannot be read"],
    [{ unknown: 1 }, "1 left out: with a name Dashdock does not know"],
    [
      { retention: 1200, selection: 3, unreadable: 5, unknown: 1 },
      "1 209 left out: 1 200 older than you keep, 3 not chosen by your settings, " +
        "5 in a folder that cannot be read, 1 with a name Dashdock does not know",
    ],
  ];
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
  for (const [leftOut, words] of cases)
    test(words || `is nothing of ${JSON.stringify(leftOut)}`, () => {
      const run = runAt(1, leftOut === null ? {} : { leftOut: { ...nothingLeftOut(), ...leftOut } });
      expect(plain(leftOutOf(run))).toBe(words);
    });

  test("stands after the reason where there is one place for both", () => {
    const leftOut = { ...nothingLeftOut(), retention: 12 };
    expect(remarkOf(runAt(1, { leftOut }))).toBe("12 left out: older than you keep");
    expect(remarkOf(runAt(1, { files: 0, leftOut }))).toBe("Nothing new; 12 left out: older than you keep");
    expect(remarkOf(runAt(1))).toBe("");
  });

  const deleted = { recordings: 12, bytes: 1_300_000_000 };
  const remarks: [what: string, run: Run, remark: string][] = [
    ["of one that deleted", runAt(1, { deleted }), "12 recordings deleted here, 1.3 GB"],
    [
      "of one that deleted while the camera was away",
      awayAt(1, { deleted: { recordings: 1, bytes: 98_000_000 } }),
      "Not reachable, timed out; 1 recording deleted here, 98 MB",
    ],
    ["of one that deleted none", runAt(1, { deleted: { recordings: 0, bytes: 0 } }), ""],
  ];
  for (const [what, run, remark] of remarks)
    test(`tells what was deleted, ${what}`, () => expect(plain(remarkOf(run))).toBe(remark));
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

describe("sharedMinutes()", () => {
  const began = (seconds: number, durationSeconds = 0) => runAt(600 + seconds + durationSeconds, { durationSeconds });
  const cases: [what: string, runs: Run[], minutes: number[]][] = [
    ["no runs", [], []],
    ["runs a minute apart", [began(0), began(60), began(120)], []],
    ["two that began in one minute", [began(59), began(3), began(60)], [10]],
    ["three of them", [began(1), began(2), began(3)], [10]],
    ["two that only ended in one minute", [began(70, 5), began(10, 65)], []],
  ];
  for (const [what, runs, minutes] of cases)
    test(`of ${what}`, () => expect([...sharedMinutes(runs)]).toEqual(minutes));
});
