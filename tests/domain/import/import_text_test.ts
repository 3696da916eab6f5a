import { expect, test } from "bun:test";
import type { ImportState } from "../../../server/domain/import/import_schema.ts";
import {
  importHeadline,
  importPace,
  importSummary,
  leftLine,
  levelOfLeft,
  namesOfLeft,
} from "../../../server/domain/import/import_text.ts";
import { LEFT_CAUSES, LEFT_SENTENCES, LeftCounts } from "../../../server/domain/import/left_out.ts";
import { idleSnapshot } from "../../../server/domain/sync/job_progress.ts";

const NONE = { recordings: 0, files: 0, bytes: 0, present: 0, removed: 0, left: [] };
const plain = (text: string) => text.replaceAll("\u00a0", " ").replaceAll("\u202f", " ");

test("an import is summed up in recordings, and in files where they are no recordings", () => {
  const left = new LeftCounts();
  for (let at = 0; at < 3; at++) left.add("differs", `${at}.mp4`);
  const rows: [counts: Partial<typeof NONE>, dryRun: boolean, text: string][] = [
    [{}, false, "nothing new"],
    [{ recordings: 2, files: 5, bytes: 1.2e9 }, false, "2 recordings (1.2 GB) came home in 9 s"],
    [{ recordings: 2, files: 5, bytes: 1.2e9 }, true, "2 recordings would come home"],
    [{ files: 1, bytes: 900 }, false, "1 file (900 B) came home in 9 s"],
    [{ present: 4, removed: 4 }, false, "nothing new, 4 files already at home, 4 files removed from the card"],
  ];
  for (const [counts, dryRun, text] of rows) expect(plain(importSummary({ ...NONE, ...counts }, 9, dryRun))).toBe(text);
  expect(plain(importSummary({ ...NONE, left: left.all }, 9, false))).toBe("nothing new, 3 files left");
});

test("files that are left are counted by cause and the first are named", () => {
  const left = new LeftCounts();
  for (let at = 1; at <= 30; at++) left.add("foreign", `${at}.jpg`);
  left.add("differs", "a.mp4");
  expect(left.files).toBe(31);
  expect(left.all.map(({ cause, files, first }) => [cause, files, first.length])).toEqual([
    ["foreign", 30, 20],
    ["differs", 1, 1],
  ]);
  expect(left.all.map(leftLine).map(plain)).toEqual([
    "30 files left: Not a recording of a camera. (1.jpg, 2.jpg, 3.jpg, 4.jpg, 5.jpg, … 25 more)",
    "1 file left: Another file of this name is at home. Both stay as they are. (a.mp4)",
  ]);
});

test("each cause has sentences of its own", () => {
  const sentences = LEFT_CAUSES.map((cause) => LEFT_SENTENCES[cause]);
  expect(new Set(sentences).size).toBe(LEFT_CAUSES.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

const IDLE: ImportState = {
  ...idleSnapshot("boot"),
  path: null,
  step: null,
  recordings_imported: 0,
  files_imported: 0,
  files_present: 0,
  files_to_compare: 0,
  files_compared: 0,
  left: [],
};

test("a headline says what an import does or did", () => {
  const rows: [state: Partial<ImportState>, words: string][] = [
    [{}, "Nothing was imported yet"],
    [{ state: "running", step: "waiting" }, "Waiting for the sync to end"],
    [{ state: "running", step: "looking" }, "Looking through the folder"],
    [
      { state: "running", step: "copying", recordings_total: 3118, recordings_completed: 1204 },
      "Importing 1 204 of 3 118 recordings",
    ],
    [{ state: "running", step: "copying", files_total: 2 }, "Importing 0 of 2 files"],
    [
      { state: "running", step: "comparing", files_to_compare: 9, files_compared: 4 },
      "Comparing 4 of 9 files with those at home",
    ],
    [{ state: "completed" }, "Nothing new in this folder"],
    [{ state: "completed", recordings_imported: 1, files_imported: 3 }, "1 recording imported"],
    [{ state: "completed", files_imported: 2 }, "2 files imported"],
    [{ state: "failed", ending: "stopped", recordings_imported: 2, files_imported: 2 }, "Stopped after 2 recordings"],
    [{ state: "failed", ending: "failed", message: "the disk is full" }, "Import failed: the disk is full"],
  ];
  for (const [state, words] of rows) expect(plain(importHeadline({ ...IDLE, ...state }))).toBe(words);
});

test("the pace is told while files are copied, as far as it is known", () => {
  const copying = { ...IDLE, state: "running", step: "copying", bytes_downloaded_total: 19.8e9 } as const;
  const known = { bytes_expected: 51.2e9, bytes_per_second: 84e6, eta_seconds: 374 };
  expect(plain(importPace({ ...copying, ...known }))).toBe("19.8 of 51.2 GB, 84 MB/s, about 6 min left");
  expect(plain(importPace(copying))).toBe("19.8 GB");
  expect(importPace({ ...copying, step: "comparing" })).toBe("");
  expect(importPace({ ...copying, state: "completed" })).toBe("");
});

test("what can be mended is told apart, and two names stand for all", () => {
  expect(levelOfLeft("differs")).toBe("attention");
  expect(levelOfLeft("foreign")).toBe("waiting");
  expect(namesOfLeft({ files: 30, first: ["a", "b", "c"] })).toBe("a, b and 28 more");
  expect(namesOfLeft({ files: 2, first: ["a", "b"] })).toBe("a, b");
});
