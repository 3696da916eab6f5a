import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SeenVideo } from "../../../server/domain/card/card_record.ts";
import { momentKey, momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { nameOf } from "../../../server/domain/recordings/recording_name.ts";
import { Log } from "../../../server/log.ts";
import { CardHistoryFile, type CardNews } from "../../../server/store/config/card_history_file.ts";
import { FakeClock } from "../../support/app/clock.ts";

let folder: string;
let path: string;
let log: Log;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "card-"));
  path = join(folder, "card-history.txt");
  warnings = [];
  log = new Log(new FakeClock(), [({ message }) => warnings.push(message)]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const AT = 1_780_000_000_000;

function news(other: Partial<CardNews>): CardNews {
  return { at: AT, listed: [], answers: [], rate: null, ...other };
}

function listed(...names: string[]): CardNews["listed"] {
  return names.map((name) => ({ name: `${name}.mp4`, isOld: false }));
}

const named = ({ moment, ending }: SeenVideo) => nameOf(momentKey(moment), ending);

async function read(): Promise<readonly SeenVideo[]> {
  return (await new CardHistoryFile(path, log).read())?.videos ?? [];
}

describe("What is remembered of a card", () => {
  test("is there after a restart, in the order in which it was seen", async () => {
    const file = new CardHistoryFile(path, log);
    expect(await file.read()).toEqual({ videos: [], rates: [] });
    await file.add(
      news({
        listed: [
          { name: "20260607_101500_EF.mp4", isOld: true },
          ...listed("20260607_101500_NF", "20260607_101500_NRS", "19700101_000000_NF.2"),
        ],
        answers: [
          { name: "20260607_101500_NF.mp4", answer: "whole" },
          { name: "20260607_101400_NF.mp4", answer: "empty" },
        ],
        rate: 12_345_678.4,
      }),
    );
    await file.add(news({ at: AT + 5000, answers: [{ name: "20260607_101500_EF.mp4", answer: "error" }] }));
    await file.add(news({ at: AT + 9000, answers: [{ name: "20260607_101500_EF.mp4", answer: "error" }], rate: 7 }));
    const record = await new CardHistoryFile(path, log).read();
    expect(record?.rates).toEqual([
      { at: AT, rate: 12_345_678 },
      { at: AT + 9000, rate: 7 },
    ]);
    expect(
      record?.videos.map((video) => [named(video), video.isOld, video.answer, video.errors, video.seenAt]),
    ).toEqual([
      ["20260607_101500_EF.mp4", true, "error", 2, AT],
      ["20260607_101500_NF.mp4", false, "whole", 0, AT],
      ["20260607_101500_NRS.mp4", false, null, 0, AT],
      ["19700101_000000_NF.2.mp4", false, null, 0, AT],
      ["20260607_101400_NF.mp4", false, "empty", 0, AT],
    ]);
  });

  test("keeps that a video was an error, when it came in the end", async () => {
    const file = new CardHistoryFile(path, log);
    const name = "20260607_101500_NF.mp4";
    await file.add(news({ answers: [{ name, answer: "error" }] }));
    await file.add(news({ answers: [{ name, answer: "whole" }] }));
    expect(await read()).toMatchObject([{ moment: momentNumber(name), answer: "whole", errors: 1 }]);
  });

  test("nothing is written for a run that saw nothing", async () => {
    await new CardHistoryFile(path, log).add(news({}));
    expect(() => statSync(path)).toThrow();
  });

  test("goes on behind a line that a power cut has torn, and leaves out what makes no sense", async () => {
    const file = new CardHistoryFile(path, log);
    await file.add(news({ listed: listed("20260607_101500_NF") }));
    appendFileSync(path, "\n20260607_10\0\0\0");
    await file.add(news({ listed: listed("20260607_101600_NF") }));
    appendFileSync(path, "\n@x\n20269907_996100_NF\n20260607_101600_NF q\n20260607_101700_NF w\n../../etc/passwd w");
    expect((await read()).map(named)).toEqual([
      "20260607_101500_NF.mp4",
      "20260607_101600_NF.mp4",
      "20260607_101700_NF.mp4",
    ]);
  });

  test.each([
    ["a newer version", "# card history 2\n@1780000000\n20260607_101500_NF w\n"],
    ["another program", "\u0000\u0001\u0002 something else"],
  ])("a file of %s is left alone, and the log says so once", async (_what, text) => {
    writeFileSync(path, text);
    const file = new CardHistoryFile(path, log);
    expect(await file.read()).toBeNull();
    await file.add(news({ listed: listed("20260607_101500_NF") }));
    await file.add(news({ listed: listed("20260607_101500_NF") }));
    await file.forget();
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("card-history.txt is of another version of Dashdock");
  });

  test("a file that cannot be written stops nothing, and the log says so once", async () => {
    mkdirSync(path);
    const file = new CardHistoryFile(path, log);
    await file.add(news({ listed: listed("20260607_101500_NF") }));
    await file.add(news({ listed: listed("20260607_101500_NF") }));
    expect(warnings).toHaveLength(1);
    expect(await file.read()).toBeNull();
  });

  test("is forgotten for another card", async () => {
    const file = new CardHistoryFile(path, log);
    await file.add(news({ listed: listed("20260607_101500_NF"), rate: 1 }));
    await file.forget();
    expect(await file.read()).toEqual({ videos: [], rates: [] });
    await file.add(news({ listed: listed("20260608_101500_NF") }));
    expect((await read()).map(named)).toEqual(["20260608_101500_NF.mp4"]);
  });

  test("does not grow for ever: the oldest goes, and what is left says the same as before", async () => {
    const file = new CardHistoryFile(path, log);
    const lines = ["# card history 1"];
    for (let day = 0; day < 100; day++) {
      lines.push(`@${AT / 1000 + day * 86_400} ${1000 + day}`);
      for (let minute = 0; minute < 1000; minute++) {
        const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}${String(minute % 60).padStart(2, "0")}00`;
        const date = new Date(AT + day * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
        lines.push(`${date}_${time}_NF ${minute % 100 === 0 ? "x2" : "w"}`);
      }
    }
    writeFileSync(path, lines.join("\n"));
    const before = await file.read();
    expect(before?.videos).toHaveLength(100_000);
    expect(before?.videos[0]).toMatchObject({ answer: "error", errors: 2 });
    await file.add(news({ at: AT + 200 * 86_400_000, listed: listed("20270607_101500_NF") }));
    expect(statSync(path).size).toBeLessThan(600_000);
    const after = await file.read();
    expect(after?.videos.slice(0, -1)).toEqual(before?.videos.slice(-20_000) ?? []);
    expect(after?.rates).toEqual(before?.rates ?? []);
  });
});
