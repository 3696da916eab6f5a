import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { GivenUp } from "../../../server/engine/card/given_up.ts";
import { Log } from "../../../server/log.ts";
import { GivenUpFile } from "../../../server/store/config/given_up_file.ts";
import { FakeClock } from "../../support/app/clock.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "given-up-"));
  path = join(folder, "given-up.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ONE = momentNumber("20260607_101500_N");
const OTHER = momentNumber("20260607_101600_E");

async function open(): Promise<GivenUp> {
  const given = new GivenUp(new GivenUpFile(path, new Log(new FakeClock())));
  await given.open();
  return given;
}

test("what was given up is so after a restart, until it is taken back or has left the card", async () => {
  const given = await open();
  await given.add([OTHER, ONE]);
  await given.add([ONE]);
  expect([...given.moments]).toEqual([OTHER, ONE]);
  expect(readFileSync(path, "utf8")).toBe('["20260607_101500_N","20260607_101600_E"]\n');
  const again = await open();
  expect(again.moments).toEqual(new Set([ONE, OTHER]));
  const { revision } = again;
  await again.takeBack([ONE, 7]);
  expect(again.revision).toBe(revision + 1);
  expect([...again.moments]).toEqual([OTHER]);
  await again.forget(() => true);
  expect([...again.moments]).toEqual([OTHER]);
  await again.forget((moment) => moment !== OTHER);
  expect((await open()).moments.size).toBe(0);
});

test("a damaged file is as none, and one that cannot be written is said", async () => {
  writeFileSync(path, '["nonsense"]');
  const given = await open();
  expect(given.moments.size).toBe(0);
  rmSync(path);
  mkdirSync(join(path, "in the way"), { recursive: true });
  await given.add([ONE]);
  expect(given.isSaved).toBe(false);
  expect([...given.moments]).toEqual([ONE]);
});
