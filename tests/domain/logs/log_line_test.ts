import { expect, test } from "bun:test";
import { settingsOfVerbosity, type Verbosity, verbosityOf } from "../../../server/domain/logs/log_line.ts";

test("verbosityOf() says quiet before all, and debug for two and more", () => {
  const rows = [0, 1, 2, 7].flatMap((verbose) => [false, true].map((quiet) => verbosityOf({ quiet, verbose })));
  expect(rows).toEqual(["normal", "quiet", "verbose", "quiet", "debug", "quiet", "debug", "quiet"]);
});

test("settingsOfVerbosity() leads to the verbosity it was asked for, from any other", () => {
  const all: Verbosity[] = ["quiet", "normal", "verbose", "debug"];
  for (const before of all)
    for (const wanted of all) {
      const start = { verbose: 0, ...settingsOfVerbosity(before) };
      expect(verbosityOf({ ...start, ...settingsOfVerbosity(wanted) })).toBe(wanted);
    }
});

test("settingsOfVerbosity() leaves the verbosity alone while it is quiet", () => {
  expect(settingsOfVerbosity("quiet")).toEqual({ quiet: true });
});
