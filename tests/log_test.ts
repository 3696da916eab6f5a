import { expect, test } from "bun:test";
import { LEVELS } from "../server/domain/logs/log_line.ts";
import { formatJson, formatText, Log } from "../server/log.ts";
import { FakeClock } from "./support/clock.ts";

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
