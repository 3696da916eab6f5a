import { expect, test } from "bun:test";
import { importSummary, leftLine } from "../../../server/domain/import/import_text.ts";
import { LEFT_CAUSES, LEFT_SENTENCES, LeftCounts } from "../../../server/domain/import/left_out.ts";

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
    "30 files left: No recording has such a name. (1.jpg, 2.jpg, 3.jpg, 4.jpg, 5.jpg, … 25 more)",
    "1 file left: Another file of this name is at home. Both stay as they are. (a.mp4)",
  ]);
});

test("each cause has sentences of its own", () => {
  const sentences = LEFT_CAUSES.map((cause) => LEFT_SENTENCES[cause]);
  expect(new Set(sentences).size).toBe(LEFT_CAUSES.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
});
