import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "../../../server/domain/answers/errors.ts";
import { newRow } from "../../../server/engine/coverage/row_judge.ts";
import { Log } from "../../../server/log.ts";
import { LedgerBegunAnew, LedgerFile } from "../../../server/store/config/ledger.ts";
import { BEFORE_ALL, type LedgerRow } from "../../../server/store/config/ledger_rows.ts";
import { LEDGER_VERSION } from "../../../server/store/file_versions.ts";
import { FakeClock } from "../../support/app/clock.ts";

let folder: string;
let path: string;
let clock: FakeClock;
let log: Log;
let file: LedgerFile;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ledger-"));
  path = join(folder, "ledger.db");
  clock = new FakeClock();
  log = new Log(clock);
  file = new LedgerFile({ path, clock, log });
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true });
});

/** So many rows, all on card 1. */
function rows(count: number, more: Partial<LedgerRow> = {}): LedgerRow[] {
  return Array.from({ length: count }, (_, at) => {
    const id = { moment: 20_260_607 * 86_400 * 1040 + at * 60 * 1040, ending: 15 };
    return { ...newRow(id, clock.now()), isListed: true, card: 1, ...more };
  });
}

function refusal(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("the file", () => {
  test("is made when it is first asked for, for its owner alone, and is one file when it is closed", async () => {
    expect([file.exists, readdirSync(folder)]).toEqual([false, []]);
    file.change((ledger) => ledger.save(rows(3)));
    expect([file.exists, statSync(path).mode & 0o777]).toEqual([true, 0o600]);
    await clock.advance(10_000);
    expect(readdirSync(folder)).toEqual(["ledger.db"]);
    expect(file.use((ledger) => ledger.count())).toBe(3);
    file.close();
    expect(readdirSync(folder)).toEqual(["ledger.db"]);
    expect(refusal(() => file.use((ledger) => ledger.count())).code).toBe("LEDGER_UNUSABLE");
  });

  test("stays open while it is used", async () => {
    file.change((ledger) => ledger.save(rows(1)));
    await clock.advance(9000);
    file.use((ledger) => ledger.count());
    await clock.advance(9000);
    expect(readdirSync(folder)).toContain("ledger.db-wal");
    await clock.advance(1000);
    expect(readdirSync(folder)).toEqual(["ledger.db"]);
  });

  test("of a newer version is left alone", () => {
    file.change((ledger) => ledger.save(rows(3)));
    file.close();
    using db = new Database(path);
    db.run(`pragma user_version = ${LEDGER_VERSION + 1}`);
    db.close();
    const before = readFileSync(path);
    file = new LedgerFile({ path, clock, log });
    for (let times = 0; times < 2; times++) {
      const { code, message } = refusal(() => file.use((ledger) => ledger.count()));
      expect([code, message]).toEqual(["LEDGER_UNUSABLE", expect.stringContaining("was written by a newer Dashdock")]);
    }
    expect(file.problem).toContain("newer Dashdock");
    expect(log.lines.map(({ level }) => level)).toEqual(["WARNING"]);
    file.close();
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder)).toEqual(["ledger.db"]);
  });

  test.each([
    ["is no database", () => writeFileSync(path, "x".repeat(9000))],
    ["is cut off in the middle", () => truncateSync(path, 5000)],
    ["has zeros in the middle", () => overwrite(4096, Buffer.alloc(30_000))],
    ["has another shape", () => withDatabase((db) => db.run("drop table recordings"))],
    ["has other columns", () => withDatabase((db) => db.run("alter table days drop column lost"))],
  ])("that %s is set aside, and begins anew", (_, damage) => {
    file.change((ledger) => {
      ledger.save(rows(3000));
      ledger.setDay(20_260_607, 1, "{}");
    });
    file.close();
    damage();
    file = new LedgerFile({ path, clock, log });
    const read = () =>
      file.use((ledger) => [
        ledger.after(BEFORE_ALL, 5000).length,
        ledger.lastLoss(0),
        ledger.oldDays(9),
        ledger.card(1),
      ]);
    expect(read).toThrow(LedgerBegunAnew);
    expect(read()).toEqual([0, null, [], null]);
    expect(file.setAside).toBe("ledger.db.corrupt-20260607T101500Z");
    const files = readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name));
    expect(files.sort()).toEqual(["ledger.db", "ledger.db.corrupt-20260607T101500Z"]);
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ["ERROR", expect.stringContaining("the ledger was damaged")],
    ]);
  });

  test("that another program has locked is refused, and used again later", () => {
    file.change((ledger) => ledger.save(rows(3)));
    using other = new Database(path);
    other.run("begin exclusive");
    const { code, message } = refusal(() => file.change((ledger) => ledger.save(rows(9))));
    expect([code, message]).toEqual(["LEDGER_UNUSABLE", expect.stringContaining("SQLITE_BUSY")]);
    other.run("commit");
    file.change((ledger) => ledger.save(rows(9)));
    expect([file.problem, file.use((ledger) => ledger.count())]).toEqual([null, 9]);
  });

  test("does all of a change or nothing of it", () => {
    file.change((ledger) => ledger.save(rows(3)));
    expect(() =>
      file.change((ledger) => {
        ledger.save(rows(9));
        throw new Error("in the middle");
      }),
    ).toThrow("in the middle");
    expect(file.use((ledger) => ledger.count())).toBe(3);
  });
});

describe("its rows", () => {
  test("come as they were written", () => {
    const [row] = rows(1, {
      state: "lost",
      cause: "short_visit",
      missing: 2,
      missingSince: 5,
      trouble: "disk",
      lastSeen: 4,
      at: 6,
      homeAt: 3,
      by: "admin",
      size: 123,
      isListed: false,
    });
    if (row === undefined) throw new Error("no row");
    file.change((ledger) => ledger.save([row]));
    expect(file.use((ledger) => ledger.find(row))).toEqual(row);
    expect(file.use((ledger) => ledger.ofMoment(row.moment))).toEqual([row]);
    expect(file.use((ledger) => ledger.ofDay(20_260_607))).toEqual([row]);
    expect(file.use((ledger) => ledger.ofDay(20_260_608))).toEqual([]);
    expect(file.use((ledger) => ledger.oldDays(9))).toEqual([20_260_607]);
  });

  test("of a card are those that it is known to hold", () => {
    const all = rows(30).map((row, at) => ({ ...row, card: 1 + (at % 2), isListed: at % 3 > 0 }));
    file.change((ledger) => ledger.save(all));
    const onCard = (card: number) => all.filter((row) => row.card === card && row.isListed);
    file.use((ledger) => {
      expect(ledger.onCardAfter(1, BEFORE_ALL, 99)).toEqual(onCard(1));
      const [first = BEFORE_ALL] = onCard(2);
      expect(ledger.onCardAfter(2, first, 3)).toEqual(onCard(2).slice(1, 4));
      expect(ledger.waitingOnCard(1)).toBe(onCard(1).length);
      expect(ledger.waitingOnCard(3)).toBe(0);
    });
  });

  test("keep a rule with each value once", () => {
    file.change((ledger) => {
      const one = ledger.ruleId({ name: "retention", value: "2 weeks" }, 1);
      expect(ledger.ruleId({ name: "retention", value: "1 week" }, 2)).not.toBe(one);
      expect(ledger.ruleId({ name: "retention", value: "2 weeks" }, 3)).toBe(one);
      expect(ledger.rule(one)).toEqual({ name: "retention", value: "2 weeks" });
      expect(ledger.rule(99)).toBeNull();
    });
  });

  test("keep times of pauses, also when the clock is set back", () => {
    file.change((ledger) => {
      ledger.endPause(5);
      ledger.beginPause(10);
      ledger.beginPause(20);
      expect(ledger.pausesSince(0)).toEqual([{ from: 10, to: null }]);
      ledger.endPause(30);
      ledger.beginPause(40);
      ledger.endPause(35);
      expect(ledger.pausesSince(0)).toEqual([
        { from: 10, to: 30 },
        { from: 40, to: 40 },
      ]);
      expect(ledger.pausesSince(31)).toEqual([{ from: 40, to: 40 }]);
    });
  });
});

function overwrite(at: number, bytes: Buffer): void {
  const content = readFileSync(path);
  bytes.copy(content, at);
  writeFileSync(path, content);
}

function withDatabase(work: (db: Database) => void): void {
  using db = new Database(path);
  work(db);
}
