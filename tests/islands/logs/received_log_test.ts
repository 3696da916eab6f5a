import { describe, expect, test } from "bun:test";
import { type ReceivedLog, receivedLog, trimmed, withFrame } from "../../../islands/logs/received_log.ts";
import { LEVELS, type Level, type LogLine } from "../../../server/domain/logs/log_line.ts";

const NOW = "2026-06-07T12:00:00.000Z";

function line(seq: number, message = `line ${seq}`, level: Level = "INFO"): LogLine {
  const ts = new Date(Date.UTC(2026, 5, 7, 10, 0, seq)).toISOString();
  return { seq, ts, level, level_no: LEVELS[level], logger: "sync", message };
}
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => line(from + index));
const frame = (boot_id: string, from: number, to: number) => ({ boot_id, lines: lines(from, to) });

/** The entries in short: numbers of lines, words for cuts. */
const short = ({ entries }: ReceivedLog) =>
  entries.map((entry) => {
    if (entry.kind === "line") return entry.line.seq;
    return entry.kind === "restarted" ? `restarted ${entry.ts.slice(11, 19)}` : `${entry.missing} missing`;
  });

function expectGrowingKeys({ entries }: ReceivedLog): void {
  const keys = entries.map(({ key }) => key);
  expect(keys).toEqual([...new Set(keys)].sort((a, b) => a - b));
}

describe("withFrame()", () => {
  const drawn = receivedLog(frame("a", 1, 3));
  const rows: [what: string, journal: ReceivedLog, heard: ReturnType<typeof frame>[], entries: (number | string)[]][] =
    [
      ["adds new lines", drawn, [frame("a", 4, 5)], [1, 2, 3, 4, 5]],
      ["leaves out what it has heard", drawn, [frame("a", 1, 4), frame("a", 1, 5), frame("a", 5, 5)], [1, 2, 3, 4, 5]],
      ["puts a cut where the service has begun anew", drawn, [frame("b", 1, 2)], [1, 2, 3, "restarted 10:00:01", 1, 2]],
      [
        "takes numbers that run backwards for a restart",
        drawn,
        [frame("a", 1, 2)],
        [1, 2, 3, "restarted 10:00:01", 1, 2],
      ],
      [
        "says when it restarted though nothing is written yet",
        drawn,
        [{ boot_id: "b", lines: [] }],
        [1, 2, 3, "restarted 12:00:00"],
      ],
      [
        "goes on after a restart",
        drawn,
        [frame("b", 1, 1), frame("b", 1, 3)],
        [1, 2, 3, "restarted 10:00:01", 1, 2, 3],
      ],
      [
        "counts several restarts",
        drawn,
        [frame("b", 1, 1), frame("c", 1, 1)],
        [1, 2, 3, "restarted 10:00:01", 1, "restarted 10:00:01", 1],
      ],
      ["needs no cut when nothing is above it", receivedLog({ boot_id: "a", lines: [] }), [frame("b", 1, 2)], [1, 2]],
      ["says how many lines it missed", drawn, [frame("a", 8, 9)], [1, 2, 3, "4 missing", 8, 9]],
      [
        "misses nothing before the first line of a long log",
        receivedLog({ boot_id: "a", lines: [] }),
        [frame("a", 40, 41)],
        [40, 41],
      ],
      [
        "puts the older lines of a long log above those that were drawn",
        receivedLog(frame("a", 8, 9)),
        [frame("a", 5, 10)],
        [5, 6, 7, 8, 9, 10],
      ],
    ];
  for (const [what, journal, heard, entries] of rows)
    test(what, () => {
      const after = heard.reduce((before, one) => withFrame(before, one, NOW), journal);
      expect(short(after)).toEqual(entries);
      expectGrowingKeys(after);
    });

  test("is the same object when nothing is new", () => {
    expect(withFrame(drawn, frame("a", 1, 3), NOW)).toBe(drawn);
    expect(withFrame(drawn, { boot_id: "a", lines: [] }, NOW)).toBe(drawn);
  });

  test("keeps the entries it had, so that their rows are not drawn again", () => {
    const after = withFrame(drawn, frame("a", 2, 5), NOW);
    expect(after.entries[1]).toBe(drawn.entries[1] as never);
  });
});

describe("trimmed()", () => {
  test("keeps the newest", () => {
    expect(short(trimmed(receivedLog(frame("a", 1, 9)), 4))).toEqual([6, 7, 8, 9]);
  });

  test("is the same object when there is room", () => {
    const journal = receivedLog(frame("a", 1, 4));
    expect(trimmed(journal, 4)).toBe(journal);
  });

  test("does not bring the lines back that the service still has", () => {
    const journal = trimmed(withFrame(receivedLog(frame("a", 1, 3)), frame("b", 1, 3), NOW), 3);
    expect(short(withFrame(journal, frame("b", 1, 4), NOW))).toEqual([1, 2, 3, 4]);
  });
});
