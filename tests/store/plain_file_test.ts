import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "../../server/store/error_code.ts";
import { APPEND_PLAIN, readPlainText, readPlainTextNow } from "../../server/store/plain_file.ts";
import { startApp } from "../support/app/app.ts";

const folder = mkdtempSync(join(tmpdir(), "plain-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "file"), "ours");
symlinkSync("file", join(folder, "link"));
mkdirSync(join(folder, "folder"));
Bun.spawnSync(["mkfifo", join(folder, "fifo")]);

describe("a file of ours below the destination", () => {
  const CASES: readonly (readonly [name: string, answer: string])[] = [
    ["file", "ours"],
    ["link", "ELOOP"],
    ["folder", "EISDIR"],
    ["fifo", "EINVAL"],
    ["nothing", "ENOENT"],
  ];
  test.each(CASES)("%s is read as %s", async (name, answer) => {
    const path = join(folder, name);
    expect(await readPlainText(path).catch(errorCode)).toBe(answer);
    const now = () => {
      try {
        return readPlainTextNow(path);
      } catch (error) {
        return errorCode(error);
      }
    };
    expect(now()).toBe(answer);
  });

  test("is not added to through a link, nor waited for", async () => {
    for (const [name, code] of [
      ["link", "ELOOP"],
      ["fifo", "ENXIO"],
    ] as const)
      expect(await appendFile(join(folder, name), "more", { flag: APPEND_PLAIN }).catch(errorCode)).toBe(code);
    expect(readFileSync(join(folder, "file"), "utf8")).toBe("ours");
    await appendFile(join(folder, "new"), "more", { flag: APPEND_PLAIN });
    expect(readFileSync(join(folder, "new"), "utf8")).toBe("more");
  });
});

test("pages and syncs go on while FIFOs lie where the lists in .dashdock were", async () => {
  await using app = await startApp();
  const own = join(app.destination, ".dashdock");
  await app.client.open("/");
  await app.client.send("POST", "/api/sync/now");
  await app.synced();
  for (const name of ["kept.json", "deleted", "absent", "unproven", "format", "failed", "restored.json"]) {
    rmSync(join(own, name), { force: true, recursive: true });
    Bun.spawnSync(["mkfifo", join(own, name)]);
  }
  for (const path of ["/api/viewer/recordings", "/api/trash", "/api/retention", "/api/status", "/viewer", "/trash"])
    expect([path, (await app.client.fetch(path)).status]).toEqual([path, expect.any(Number)]);
  await app.client.send("POST", "/api/sync/now");
  expect((await app.synced()).state).toBeOneOf(["completed", "failed"]);
}, 20_000);
