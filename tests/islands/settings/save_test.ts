import { describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { type Entry, entriesOf, hasWords } from "../../../islands/settings/entry.ts";
import { decidesDeleting } from "../../../islands/settings/keep/shared.ts";
import { savedInWords } from "../../../islands/settings/save.ts";
import { settingsForm } from "../../../server/domain/settings/form_fields.ts";
import { initialSettings } from "../../../server/domain/settings/settings.ts";

const INITIAL = initialSettings();
const ENTRIES = entriesOf(settingsForm(INITIAL, INITIAL), signal(null));
const some = (...paths: string[]): Entry[] => ENTRIES.filter(({ path }) => paths.includes(path));

describe("what is said after saving", () => {
  const GOES = "96 recordings, 14.2 GB, go to the trash at 08:00.";
  const rows: [paths: string[], deletes: string, says: string][] = [
    [["retention.keep"], "", "Saved. It applies at the next run."],
    [["retention.keep"], GOES, `Saved. ${GOES}`],
    [["retention.keep", "retention.max_gb"], "", "2 changes saved. They apply at the next run."],
    [["retention.keep", "logging.quiet"], GOES, `2 changes saved. ${GOES}`],
    [["retention.keep", "logging.quiet"], "", "2 changes saved. Some apply at the next run, some at once."],
  ];
  for (const [paths, deletes, says] of rows)
    test(`of ${paths.join(" and ")}: ${says}`, () => {
      expect(savedInWords(some(...paths), deletes)).toBe(says);
    });
});

test("what decides about deleting is known, and nothing else", () => {
  expect(ENTRIES.filter(decidesDeleting).map(({ path }) => path)).toEqual([
    "schedule.timezone",
    "retention.keep",
    "retention.keep_event",
    "retention.keep_parking",
    "retention.keep_manual",
    "retention.event_context",
    "retention.max_gb",
    "retention.max_percent",
    "retention.trash_days",
  ]);
});

test("a search finds every word in any case, and an empty one everything", () => {
  expect(hasWords("In the trash now", " TRASH  in ")).toBe(true);
  expect(hasWords("In the trash now", "trash bin")).toBe(false);
  expect(hasWords("In the trash now", " ")).toBe(true);
});
