import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Share } from "../../../server/domain/shares/share.ts";
import { Log } from "../../../server/log.ts";
import { digestOf, ShareList } from "../../../server/store/config/share_list.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { until } from "../../support/app/http.ts";

let folder: string;
let path: string;
let clock: FakeClock;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dashdock-shares-"));
  path = join(folder, "shares.json");
  clock = new FakeClock();
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => ShareList.open({ path, clock, log: new Log(clock, [({ message }) => lines.push(message)]) });
const share = (token: string, more: Partial<Share> = {}): Share => ({
  id: `id of ${token}`,
  token: digestOf(token),
  password: null,
  note: null,
  made: clock.now(),
  expires: clock.now() + 7 * 86_400_000,
  revoked: null,
  ended: null,
  views: 0,
  viewed: null,
  hidden: [{ lat: 48, lon: 11 }],
  radius: 520,
  camera: "main",
  span: { key: "20261120_080000_N" },
  keys: ["20261120_080000_N"],
  videos: ["FR"],
  sizes: [[70_000, 60_000]],
  from: 0,
  to: null,
  starts: 0,
  ends: 60,
  directions: "FR",
  place: false,
  sound: false,
  download: false,
  ...more,
});

describe("the list of links", () => {
  test("finds a link by its token, of which the file has a digest alone", async () => {
    const list = await open();
    expect(await list.add(share("one"))).toBe(true);
    expect(list.opened("one")?.id).toBe("id of one");
    expect(list.opened(digestOf("one"))).toBeNull();
    const again = await open();
    expect(again.opened("one")).toEqual(list.opened("one"));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).not.toContain('"one"');
  });

  test("tells at once that one was revoked, also after a restart", async () => {
    const list = await open();
    await list.add(share("one"));
    let told = 0;
    const leave = list.onEnd(() => told++);
    const saved = list.revoke("id of one");
    expect([list.opened("one"), told]).toEqual([null, 1]);
    expect(await saved).toBe(true);
    leave();
    expect((await open()).opened("one")).toBeNull();
    expect((await open()).get("id of one")?.revoked).toBe(clock.now());
  });

  test("leaves a link ended when the clock that ended it is set back, also after a restart", async () => {
    const list = await open();
    await list.add(share("one"));
    const began = clock.now();
    clock.jump(8 * 86_400_000);
    expect(list.opened("one")).toBeNull();
    clock.jump(began - clock.now());
    expect([list.opened("one"), list.get("id of one")?.ended]).toEqual([null, began + 7 * 86_400_000]);
    await list.close();
    expect((await open()).opened("one")).toBeNull();
  });

  test("takes links that an earlier version wrote", async () => {
    const { ended: _, videos: __, sizes: ___, ...earlier } = share("one");
    writeFileSync(path, JSON.stringify({ shares: [earlier] }));
    expect((await open()).opened("one")).toMatchObject({ ended: null, videos: null, sizes: null });
  });

  test("lists the newest first, and none that ended 30 days ago", async () => {
    const list = await open();
    for (const token of ["one", "two"]) await list.add(share(token));
    expect(list.all.map(({ id }) => id)).toEqual(["id of two", "id of one"]);
    clock.jump(37 * 86_400_000);
    expect([list.all, list.get("id of one")]).toEqual([[], null]);
    await list.add(share("three"));
    expect(JSON.parse(readFileSync(path, "utf8")).shares).toHaveLength(1);
  });

  test("counts openings, and writes them now and then and at the end", async () => {
    const list = await open();
    await list.add(share("one"));
    const written = () => JSON.parse(readFileSync(path, "utf8")).shares[0].views;
    for (let at = 0; at < 3; at++) list.countView("id of one");
    expect([list.get("id of one")?.views, written()]).toEqual([3, 0]);
    await list.close();
    expect(written()).toBe(3);
  });

  test("has no link that could not be written, and ends one all the same", async () => {
    const list = await open();
    await list.add(share("one"));
    rmSync(path);
    mkdirSync(path);
    expect(await list.add(share("two"))).toBe(false);
    expect(list.opened("two")).toBeNull();
    expect(await list.revoke("id of one")).toBe(false);
    expect(list.opened("one")).toBeNull();
  });

  test.each(["a minute later", "at its end"])("writes %s what the disk refused at first", async (when) => {
    const list = await open();
    await list.add(share("revoked"));
    rmSync(path);
    mkdirSync(path);
    expect(await list.revoke("id of revoked")).toBe(false);
    rmSync(path, { recursive: true });
    if (when === "at its end") await list.close();
    else {
      await clock.advance(60_000);
      await until(() => existsSync(path));
      expect(clock.sleeping).toBe(0);
    }
    const again = await open();
    expect([again.opened("revoked"), again.get("id of revoked")?.revoked]).toMatchObject([null, expect.any(Number)]);
    await list.close();
    await again.close();
  });

  test("takes all links as ended when its file is damaged", async () => {
    writeFileSync(path, '{"shares":[{"id":1}]}');
    expect((await open()).all).toEqual([]);
    expect(lines.join("\n")).toContain("all shared links have ended");
  });
});
