import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OffsiteDatabase } from "../../../server/store/config/offsite_database.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
let folder = "";
let open: OffsiteDatabase | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "offsite-db-"));
});
afterEach(() => {
  open?.close();
  open = null;
  rmSync(folder, { recursive: true });
});

function opened(target = "one"): OffsiteDatabase {
  open?.close();
  open = OffsiteDatabase.open(join(folder, "offsite.db"), target, NOW);
  return open;
}

const sent = (key: string, more = {}) => ({
  key,
  isVideo: true,
  size: 100,
  bytes: 120,
  refusal: null,
  at: NOW,
  ...more,
});
const upload = { key: "a", id: "u1", size: 5, homeHash: "ab", partBytes: 8, head: new Uint8Array([1, 2, 3]) };

describe("offsite.db", () => {
  test("knows after a restart what is there, what was refused, and what has begun", () => {
    const before = opened();
    before.put(sent("a"));
    before.put(sent("a.gps", { isVideo: false, size: 1, bytes: 2, at: NOW + 5 }));
    before.put(sent("b", { refusal: "No.", size: 7 }));
    before.begin({ ...upload, key: "c" });
    before.putPart("c", { number: 2, etag: '"x"', sha256: "y" });
    before.putPart("c", { number: 1, etag: '"w"', sha256: "z" });
    const after = opened();
    expect(["a", "a.gps", "b", "c"].map((key) => after.has(key))).toEqual([true, true, true, false]);
    expect(after.amounts()).toEqual({
      sent: { recordings: 1, bytes: 101 },
      refused: { recordings: 1, bytes: 7 },
      bytes: 122,
      last: NOW + 5,
    });
    expect(after.refusals(5, true)).toMatchObject([{ key: "b", refusal: "No.", isVideo: true }]);
    expect(after.upload("c")).toEqual({ ...upload, key: "c" });
    expect(after.parts("c").map(({ number }) => number)).toEqual([1, 2]);
    expect(after.uploads()).toEqual([{ key: "c", id: "u1" }]);
  });

  test("forgets an upload when its object is there, and when another one begins", () => {
    const database = opened();
    database.begin(upload);
    database.putPart("a", { number: 1, etag: '"x"', sha256: "y" });
    database.begin({ ...upload, id: "u2", head: null });
    expect([database.upload("a")?.id, database.parts("a")]).toEqual(["u2", []]);
    database.put(sent("a"));
    expect([database.upload("a"), database.uploads()]).toEqual([null, []]);
  });

  test("tells what a comparison has not found, and what has another length", () => {
    const database = opened();
    for (const key of ["a", "b", "c"]) database.put(sent(key));
    const others = database.noteSeen(
      [
        { key: "a", bytes: 120 },
        { key: "b", bytes: 3 },
        { key: "x", bytes: 1 },
      ],
      1,
    );
    expect(others).toEqual(["b"]);
    expect(database.forgetUnseen(1, "")).toEqual({ gone: 1, last: null });
    database.refuse("b", "Another length.", NOW);
    expect(["a", "b", "c"].map((key) => database.has(key))).toEqual([true, true, false]);
    expect(database.amounts()).toMatchObject({ sent: { recordings: 1 }, refused: { recordings: 1 } });
    database.forgetRefusals();
    expect(database.has("b")).toBe(false);
    expect(database.amounts()).toMatchObject({ refused: { recordings: 0 } });
  });

  test("knows the length at home, and forgets one that is another now", () => {
    const database = opened();
    database.put(sent("a"));
    expect([database.sizeOf("a"), database.sizeOf("b")]).toEqual([sent("a").size, null]);
    database.forget("a");
    expect([database.sizeOf("a"), database.amounts().sent.recordings]).toEqual([null, 0]);
  });

  test("begins anew for another bucket", () => {
    opened("one").put(sent("a"));
    expect(opened("two").has("a")).toBe(false);
    expect(opened("two").fact("target")).toBe("two");
  });

  test("is set aside when it is damaged, and begins anew", () => {
    writeFileSync(join(folder, "offsite.db"), "no database at all, and long enough to be looked at".repeat(50));
    const database = opened();
    expect(database.setAside).toContain("offsite.db.corrupt-20261121T080000Z");
    database.put(sent("a"));
    expect(readdirSync(folder).filter((name) => name.includes("corrupt")).length).toBe(1);
    expect(opened().setAside).toBeNull();
  });

  test("is for its owner only", () => {
    opened();
    expect(statSync(join(folder, "offsite.db")).mode & 0o777).toBe(0o600);
  });
});
