import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogLine } from "../../../server/domain/logs/log_line.ts";
import type { DeletionReceipt } from "../../../server/domain/retention/deletion.ts";
import { Log } from "../../../server/log.ts";
import { hasChoice, RetentionMemory } from "../../../server/store/config/retention_memory.ts";
import { RunHistory } from "../../../server/store/config/run_history.ts";
import { FakeClock } from "../../support/app/clock.ts";

class Config implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "records-"));
  readonly clock = new FakeClock();
  readonly lines: LogLine[] = [];
  readonly log = new Log(this.clock, [(line) => this.lines.push(line)]);

  open(): RunHistory {
    return new RunHistory({ path: join(this.folder, "stats.db"), clock: this.clock, log: this.log });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function receipt(at: string, more: Partial<DeletionReceipt> = {}): DeletionReceipt {
  const recordings = 2;
  const bytes = 30;
  const oldest = "2026-04-01";
  const newest = "2026-04-02";
  return { id: at, at, recordings, bytes, oldest, newest, cause: "age", by: null, until: at, ...more };
}

test("receipts outlive the process to the millisecond; what is by hand is seen already", () => {
  using config = new Config();
  const times = Array.from({ length: 50 }, (_, at) =>
    new Date(Date.parse("2026-06-07T10:15:00.001Z") + at * 997).toISOString(),
  );
  let history = config.open();
  expect([history.deletions.latest(), history.deletions.unseen(5)]).toEqual([null, []]);
  for (const at of times) history.deletions.add(receipt(at));
  const byHand = receipt("2026-06-08T10:15:00.007Z", { cause: "hand", by: "me", until: null });
  history.deletions.add(byHand);
  history.close();
  history = config.open();
  expect(history.deletions.latest()).toEqual(byHand);
  expect(history.deletions.unseen(100)).toEqual(times.toReversed().map((at) => receipt(at)));
  expect(history.deletions.unseen(2)).toHaveLength(2);
  // Seen is one and all before it; undone is one.
  history.deletions.undo(times[49] ?? "");
  expect(history.deletions.see(times[40] ?? "")).toBe(41);
  expect(history.deletions.see("nothing")).toBe(0);
  expect(history.deletions.unseen(100).map(({ id }) => id)).toEqual(times.slice(41, 49).toReversed());
  expect([history.deletions.has(times[0] ?? ""), history.deletions.has("nothing")]).toEqual([true, false]);
  history.close();
});

test("receipts that pages ask for again and again follow each change, by whichever process", () => {
  using config = new Config();
  const [ours, other] = [config.open(), config.open()];
  const [first, second] = [receipt("2026-06-07T10:15:00.000Z"), receipt("2026-06-08T10:15:00.000Z")];
  const known = () => [ours.deletions.latest()?.id, ours.deletions.unseen(5).map(({ id }) => id)];
  expect(known()).toEqual([undefined, []]);
  other.deletions.add(first);
  expect(known()).toEqual([first.id, [first.id]]);
  ours.deletions.add(second);
  expect(known()).toEqual([second.id, [second.id, first.id]]);
  expect(known()).toEqual([second.id, [second.id, first.id]]);
  other.deletions.undo(second.id);
  expect(known()).toEqual([second.id, [first.id]]);
  ours.deletions.see(first.id);
  expect(known()).toEqual([second.id, []]);
  for (const history of [ours, other]) history.close();
});

test("a receipt of the same id replaces the one before", () => {
  using config = new Config();
  const history = config.open();
  const at = "2026-06-07T10:15:00.000Z";
  history.deletions.add(receipt(at));
  history.deletions.add(receipt(at, { recordings: 3 }));
  expect(history.deletions.unseen(5)).toEqual([receipt(at, { recordings: 3 })]);
  history.close();
});

test("what is known of consent outlives the process; damaged, nothing is known, and that is said", async () => {
  using config = new Config();
  const path = join(config.folder, "retention.json");
  const memory = await RetentionMemory.open(path, config.log);
  await memory.set({ chosenFor: "/x", recordings: 7, destination: "/x" });
  void memory.set({ adopted: true });
  await memory.close();
  const again = await RetentionMemory.open(path, config.log);
  expect(again.facts).toMatchObject({ chosenFor: "/x", recordings: 7, destination: "/x", adopted: true });
  await again.begin({ chosenFor: null });
  expect((await RetentionMemory.open(path, config.log)).facts).toMatchObject({
    chosenFor: null,
    recordings: null,
    adopted: false,
  });
  expect(config.lines).toEqual([]);
  for (const text of ["", "{", "[]", `{"chosenFor":true}`, readFileSync(path, "utf8").replace("false", "1")]) {
    writeFileSync(path, text);
    const { facts } = await RetentionMemory.open(path, config.log);
    expect(facts).toMatchObject({ chosenFor: null, allowed: false, accepted: null, passed: null });
    expect(config.lines.pop()?.message).toContain("asks again before it deletes");
  }
});

test.each([
  ["all fields with the default", { keep: "2w", max_used_disk_percent: 90 }, false],
  ["all fields, another time", { keep: "3w", max_used_disk_percent: 90 }, true],
  ["for ever", { keep: "", max_used_disk_percent: 90 }, true],
  ["only the field, with the default: somebody has written it", { keep: "2w" }, true],
  ["another field", { trash_days: 3 }, false],
  ["nothing", undefined, false],
])("what a settings file says is a choice or none: %s", async (_what, retention, isChoice) => {
  using config = new Config();
  const path = join(config.folder, "settings.json");
  writeFileSync(path, JSON.stringify({ version: 2, retention }));
  expect(await hasChoice(path)).toBe(isChoice);
  writeFileSync(path, "{");
  expect(await hasChoice(path)).toBe(false);
  expect(await hasChoice(join(config.folder, "missing.json"))).toBe(false);
});
