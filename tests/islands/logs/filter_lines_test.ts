import { describe, expect, test } from "bun:test";
import { type Columns, markedColumns, matcher, partsOf, shownEntries } from "../../../islands/logs/filter_lines.ts";
import { countInWords, entriesAsText, latestError } from "../../../islands/logs/log_text.ts";
import { type Entry, receivedLog, withFrame } from "../../../islands/logs/received_log.ts";
import { type LogFilter, WHOLE_LOG } from "../../../server/domain/logs/log_filter.ts";
import { LEVELS, type Level, type LogLine } from "../../../server/domain/logs/log_line.ts";
import { lineTimes } from "../../../server/domain/logs/log_time.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const time = lineTimes(new ZoneTime("Australia/Sydney"));

function line(seq: number, level: Level, logger: string, message: string): LogLine {
  return { seq, ts: `2026-11-20T20:15:0${seq}.000Z`, level, level_no: LEVELS[level], logger, message };
}
const LINES = [
  line(1, "DEBUG", "viewer", "index refreshed"),
  line(2, "INFO", "sync", "Downloaded 20261120_081403_NF.mp4"),
  line(3, "WARNING", "sync", "Cut short"),
  line(4, "ERROR", "auth", "The DISK is full"),
];
const RESTARTED = withFrame(
  receivedLog({ boot_id: "a", lines: LINES }),
  { boot_id: "b", lines: [line(5, "INFO", "app", "up")] },
  "",
);

function shown(changes: Partial<LogFilter>, entries: readonly Entry[] = RESTARTED.entries, clearedAt?: number) {
  const filter = { ...WHOLE_LOG, ...changes };
  const found = shownEntries(entries, filter, matcher(filter, time), clearedAt);
  const rows = found.entries.map((entry) => (entry.kind === "line" ? entry.line.seq : entry.kind));
  return { rows, words: countInWords(found, filter.find !== "").replaceAll("\u00a0", " ") };
}

describe("the lines shown", () => {
  const rows: [what: string, changes: Partial<LogFilter>, rows: (number | "restarted" | "missing")[], words: string][] =
    [
      ["are all of them at first", {}, [1, 2, 3, 4, "restarted", 5], "5 lines"],
      ["are of a level and above", { from: "WARNING" }, [3, 4, "restarted"], "2 of 5 lines"],
      ["are of one logger", { logger: "sync" }, [2, 3, "restarted"], "2 of 5 lines"],
      ["have the text, in whatever case", { find: "disk" }, [4], "1 match in 5 lines"],
      ["have it in the time", { find: "07:15:03" }, [3], "1 match in 5 lines"],
      ["have it in the level, as a whole word", { find: "Warning" }, [3], "1 match in 5 lines"],
      // Every INFO has it.
      ["do not have it in a part of the level", { find: "NF" }, [2], "1 match in 5 lines"],
      ["do not end in a part of the level", { find: "00 inf" }, [], "0 matches in 5 lines"],
      ["have it in the logger", { find: "viewer" }, [1], "1 match in 5 lines"],
      ["have it over columns", { find: "info sync down" }, [2], "1 match in 5 lines"],
      ["are searched among those of the level", { from: "ERROR", find: "u" }, [4], "1 match in 1 line"],
      ["are none when nothing matches", { find: "nothing like it" }, [], "0 matches in 5 lines"],
      ["are all for a search of spaces", { find: "  " }, [1, 2, 3, 4, "restarted", 5], "0"],
    ];
  for (const [what, changes, wanted, words] of rows)
    test(what, () => {
      const found = shown(changes);
      expect(found.rows).toEqual(wanted);
      if (words !== "0") expect(found.words).toBe(words);
    });

  test("are searched in the times of the zone that is chosen", () => {
    const filter = { ...WHOLE_LOG, find: "20:15:03", isUtc: true };
    const found = shownEntries(RESTARTED.entries, filter, matcher(filter, lineTimes(new ZoneTime("UTC"))));
    expect(found.lines).toBe(1);
  });

  test("are those that came after the view was cleared", () => {
    const [, , third] = RESTARTED.entries;
    expect(shown({}, RESTARTED.entries, third?.key).rows).toEqual([4, "restarted", 5]);
  });
});

describe("markedColumns()", () => {
  const marked = (columns: Columns, needle: string) =>
    markedColumns(columns, needle).map((pieces) =>
      pieces.map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join(""),
    );

  const rows: [columns: Columns, needle: string, marked: string[]][] = [
    [["7:15", "info", "sync", "all is well"], "sync", ["7:15", "info", "[sync]", "all is well"]],
    [["7:15", "info", "sync", "Sync SYNC"], "sync", ["7:15", "info", "[sync]", "[Sync] [SYNC]"]],
    [["7:15", "info", "sync", "asks"], "5 info sync as", ["7:1[5]", "[info]", "[sync]", "[as]ks"]],
    [["7:15", "info", "sync", "info"], "info", ["7:15", "[info]", "sync", "[info]"]],
    [["7:15", "info", "sync", "A_NF.mp4 inf"], "nf", ["7:15", "info", "sync", "A_[NF].mp4 i[nf]"]],
    [["7:15", "info", "sync", "asks"], "fo sync as", ["7:15", "info", "sync", "asks"]],
    [["7:15", "error", "r", "rr"], "r", ["7:15", "error", "[r]", "[r][r]"]],
    [["7:15", "info", "a", "aaaa"], "aa", ["7:15", "info", "a", "[aa][aa]"]],
    [["7:15", "info", "", "b"], "info  b", ["7:15", "[info]", "", "[b]"]],
    [["7:15", "info", "a", "a<b>&"], "<b>", ["7:15", "info", "a", "a[<b>]&"]],
    // Its small letter is longer, and would move every mark after it.
    [["7:15", "info", "İstanbul", "x"], "x", ["7:15", "info", "İstanbul", "[x]"]],
    [["7:15", "info", "a", "b"], "", ["7:15", "info", "a", "b"]],
  ];
  for (const [columns, needle, wanted] of rows)
    test(`finds “${needle}” in ${JSON.stringify(columns)}`, () => {
      expect(marked(columns, needle)).toEqual(wanted);
    });
});

describe("partsOf()", () => {
  const entries = receivedLog({
    boot_id: "a",
    lines: Array.from({ length: 260 }, (_, index) => ({ ...line(1, "INFO", "a", "b"), seq: index + 1 })),
  }).entries;

  test("holds every entry once, in order", () => {
    expect(partsOf(entries).flatMap((part) => part.entries)).toEqual([...entries]);
  });

  test("leaves the parts between alone when lines come at the end and go at the beginning", () => {
    const before = partsOf(entries.slice(0, 220));
    const after = partsOf(entries.slice(20));
    const inside = (parts: typeof before) => parts.filter(({ key }) => key >= 1 && key <= 3);
    expect(inside(after)).toEqual(inside(before));
    expect(inside(after)).toHaveLength(3);
  });
});

test("entriesAsText() writes whole times, and the cuts between the lines", () => {
  expect(entriesAsText(RESTARTED.entries.slice(2), time)).toBe(
    [
      "2026-11-21 07:15:03.000 AEDT WARNING sync: Cut short",
      "2026-11-21 07:15:04.000 AEDT ERROR   auth: The DISK is full",
      "--- Service restarted 07:15:05 ---",
      "2026-11-21 07:15:05.000 AEDT INFO    app: up",
      "",
    ].join("\n"),
  );
});

test("latestError() is the last error that is new", () => {
  expect(latestError(RESTARTED.entries, 0)).toBe("Error from auth: The DISK is full");
  expect(latestError(RESTARTED.entries, 4)).toBe("");
});
