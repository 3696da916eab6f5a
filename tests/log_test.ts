import { expect, test } from "bun:test";
import { LEVELS } from "../server/domain/logs/log_line.ts";
import { formatJson, formatText, Log, readLogLine } from "../server/log.ts";
import { FakeClock } from "./support/app/clock.ts";

test("what a line says is made when the line is kept, once for the buffer and all sinks, and not otherwise", () => {
  const sunk: string[] = [];
  const sink = ({ message }: { message: string }) => void sunk.push(message);
  const log = new Log(new FakeClock(), [sink, sink]);
  let made = 0;
  const say = () => `made ${++made}\nof two lines`;
  log.debug("sync", say);
  expect(made).toBe(0);
  log.setThreshold(() => LEVELS.DEBUG);
  log.debug("sync", say);
  log.info("sync", "as it is");
  expect(log.lines.map(({ message }) => message)).toEqual(["made 1 of two lines", "as it is"]);
  expect(sunk).toEqual(["made 1 of two lines", "made 1 of two lines", "as it is", "as it is"]);
});

test("a line says what it seems to say: nothing in it turns the direction of writing, in no form", () => {
  const log = new Log(new FakeClock());
  log.warning("auth", "a \u202egnp.exe\u202c and \u200f\u2066b\u2069");
  const [line] = log.lines;
  if (line === undefined) throw new Error("There is no line");
  expect(line.message).toBe("a gnp.exe and b");
  const forms = [formatText(line), formatJson(line, { file: "x\u202ey" })];
  expect(forms).toEqual([expect.stringMatching(/WARNING a gnp.exe and b$/), expect.stringContaining('"file":"xy"')]);
});

test("a line carries its zone, and is read again as it was written, in either form", () => {
  const line = { seq: 7, ts: "2026-11-20T21:15:03.250Z", level: "INFO", level_no: 20, message: "up: 1" } as const;
  const text = formatText({ ...line, logger: "app" }, () => 11 * 3_600_000);
  expect(text).toBe("2026-11-21 08:15:03,250 +11:00: INFO up: 1");
  expect(formatText({ ...line, logger: "app" }, () => -3.5 * 3_600_000)).toStartWith(
    "2026-11-20 17:45:03,250 -03:30: ",
  );
  const { seq: _, ...rest } = line;
  expect(readLogLine(text)).toEqual({ ...rest, logger: "earlier" });
  expect(readLogLine(formatJson({ ...line, logger: "app" }, { files: 3 }))).toEqual({ ...rest, logger: "app" });
  for (const broken of [
    "",
    "    at open (app.ts:3)",
    "{",
    '{"timestamp":"x","level":"INFO"}',
    "2026-99-99 08:15:03,250: INFO x",
  ])
    expect(readLogLine(broken)).toBeNull();
});

test("lines of the process before come first, numbered up to 0, while there is room", () => {
  const log = new Log(new FakeClock(), [], { capacity: 4 });
  const earlier = ["a", "b", "c"].map((message) => ({
    ts: "2026-06-07T10:00:00.000Z",
    level: "INFO",
    level_no: 20,
    logger: "",
    message,
  })) as Parameters<typeof log.recall>[0];
  log.recall(earlier);
  log.info("app", "d");
  log.info("app", "e");
  expect(log.all.map(({ seq, message }) => [seq, message])).toEqual([
    [-1, "b"],
    [0, "c"],
    [1, "d"],
    [2, "e"],
  ]);
  expect(log.lines.map(({ message }) => message)).toEqual(["d", "e"]);
  log.info("app", "f");
  log.info("app", "g");
  expect(log.all.map(({ message }) => message)).toEqual(["d", "e", "f", "g"]);
});
