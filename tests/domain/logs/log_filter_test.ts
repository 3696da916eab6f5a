import { describe, expect, test } from "bun:test";
import {
  LOG_QUERY,
  type LogFilter,
  type LogQuery,
  logFilterQuery,
  readLogFilter,
  WHOLE_LOG,
} from "../../../server/domain/logs/log_filter.ts";

const queryOf = (text: string) => {
  const query = new URLSearchParams(text);
  return Object.fromEntries(LOG_QUERY.map((name) => [name, query.get(name)])) as LogQuery;
};
const read = (address: string, kept = "") => readLogFilter(queryOf(address), queryOf(kept));
const whole = (changes: Partial<LogFilter>): LogFilter => ({ ...WHOLE_LOG, ...changes });

describe("readLogFilter()", () => {
  const rows: [what: string, address: string, kept: string, filter: LogFilter][] = [
    ["shows everything when nothing is said", "", "", WHOLE_LOG],
    [
      "takes level, text and logger from the address",
      "level=warning&q=disk+full&logger=sync",
      "",
      whole({ from: "WARNING", find: "disk full", logger: "sync" }),
    ],
    ["does not mind capitals in the level", "level=Error", "", whole({ from: "ERROR" })],
    ["ignores a level that there is not", "level=loud", "", WHOLE_LOG],
    ["ignores a level that only objects have", "level=constructor", "", WHOLE_LOG],
    ["takes times and wrapping from the address", "times=utc&wrap=off", "", whole({ isUtc: true, isWrapped: false })],
    [
      "goes on as last time",
      "",
      "level=error&logger=sync&times=utc&wrap=off",
      whole({ from: "ERROR", logger: "sync", isUtc: true, isWrapped: false }),
    ],
    ["does not search for what was searched last time", "", "q=old", WHOLE_LOG],
    [
      "shows a link's lines to everybody alike",
      "q=disk",
      "level=error&logger=sync&times=utc",
      whole({ find: "disk", isUtc: true }),
    ],
    [
      "opens at a moment in epoch milliseconds",
      "at=1780827300000",
      "level=error",
      whole({ at: "2026-06-07T10:15:00.000Z" }),
    ],
    [
      "opens at a moment as ISO time of any zone",
      "at=2026-06-07T12:15:00%2B02:00",
      "",
      whole({ at: "2026-06-07T10:15:00.000Z" }),
    ],
    ["ignores a moment that is none", "at=yesterday", "", WHOLE_LOG],
    ["ignores a moment beyond the calendar", "at=999999999999999", "", WHOLE_LOG],
  ];
  for (const [what, address, kept, filter] of rows) test(what, () => expect(read(address, kept)).toEqual(filter));

  test("cuts off a text that nobody types", () => {
    expect(read(`q=${"x".repeat(5000)}`).find).toHaveLength(200);
  });
});

describe("logFilterQuery()", () => {
  test("says nothing of what is usual", () => {
    expect(logFilterQuery(WHOLE_LOG).toString()).toBe("");
    expect(logFilterQuery(whole({ at: "2026-06-07T10:15:00.000Z" })).toString()).toBe("");
  });

  test("is read back as the same filter", () => {
    const filter = whole({ from: "INFO", find: "50 % & more", logger: "sync", isUtc: true, isWrapped: false });
    expect(read(logFilterQuery(filter).toString())).toEqual(filter);
  });
});
