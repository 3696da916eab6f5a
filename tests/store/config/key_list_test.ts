import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Log } from "../../../server/log.ts";
import { KeyList } from "../../../server/store/config/key_list.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { until } from "../../support/app/http.ts";

let folder: string;
let path: string;
let clock: FakeClock;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dashdock-keys-"));
  path = join(folder, "keys.json");
  clock = new FakeClock();
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => KeyList.open({ path, clock, log: new Log(clock, [({ message }) => lines.push(message)]) });
const written = () => readFileSync(path, "utf8");

describe("the list of keys", () => {
  test("finds a key by its text, of which the file has a digest alone, readable for its owner alone", async () => {
    const list = await open();
    const made = await list.make("Prometheus", "metrics");
    const text = made?.text ?? "";
    expect(list.find(text)).toEqual(made?.key ?? null);
    expect([written().includes(text.slice(7)), statSync(path).mode & 0o777]).toEqual([false, 0o600]);
    const again = await open();
    expect(again.find(text)).toMatchObject({ name: "Prometheus", scope: "metrics", used: null, from: null });
    for (const wrong of [made?.key.digest ?? "", text.slice(0, -1), `${text} `, "", `dd_${"0".repeat(43)}`])
      expect(again.find(wrong)).toBeNull();
  });

  test("makes no two keys alike", async () => {
    const list = await open();
    const made = [];
    for (let at = 0; at < 20; at++) made.push((await list.make("one", "read"))?.text);
    expect(new Set(made).size).toBe(20);
    expect(list.all.length).toBe(20);
  });

  test("forgets a key that is revoked, and tells those who use it", async () => {
    const list = await open();
    const made = await list.make("one", "read");
    let ends = 0;
    list.onEnd(() => ends++);
    const id = made?.key.id ?? "";
    expect([await list.revoke(id), list.has(id), list.find(made?.text ?? ""), ends]).toEqual([true, false, null, 1]);
    expect((await open()).all).toEqual([]);
    expect(await list.revoke(id)).toBe(true);
  });

  test("writes the last use every ten minutes and at the end, not with each request", async () => {
    const list = await open();
    const made = await list.make("one", "read");
    const id = made?.key.id ?? "";
    const before = written();
    for (let at = 0; at < 5; at++) {
      clock.pass(60_000);
      list.touch(id, "192.168.1.7");
    }
    expect([list.all[0]?.from, written()]).toEqual(["192.168.1.7", before]);
    clock.pass(300_000);
    list.touch(id, "192.168.1.8");
    await until(() => written().includes("192.168.1.8"));
    list.touch(id, "192.168.1.9");
    list.touch("none", "192.168.1.10");
    await list.close();
    expect((await open()).all.map(({ from }) => from)).toEqual(["192.168.1.9"]);
  });

  test("counts a damaged file as no keys at all, and says so", async () => {
    for (const text of ["{", '{"keys":[{"id":"a"}]}', '{"keys":[{"id":"a","scope":"all","digest":""}]}']) {
      writeFileSync(path, text);
      expect((await open()).all).toEqual([]);
      expect(lines.at(-1)).toContain("all keys of programs are revoked");
    }
  });

  test("makes no key that the disk does not take, and writes a revoked one until it does", async () => {
    const list = await open();
    const made = await list.make("one", "read");
    const text = made?.text ?? "";
    rmSync(path);
    mkdirSync(join(path, "in the way"), { recursive: true });
    expect([await list.make("two", "read"), list.all.length]).toEqual([null, 1]);
    expect([await list.revoke(made?.key.id ?? ""), list.find(text)]).toEqual([false, null]);
    rmSync(path, { recursive: true });
    await clock.advance(60_000);
    await until(() => existsSync(path) && written().includes('"keys":[]'));
    await list.close();
  });
});
