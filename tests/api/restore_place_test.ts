import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningApp } from "../support/app/app.ts";
import { atHome, inTrash, put, send, state } from "../support/app/held.ts";
import { KEY, start } from "../support/app/retention.ts";
import { mayMount, SmallDisk } from "../support/disk/disks.ts";

setDefaultTimeout(30_000);

const VIDEO = `${KEY}F.mp4`;

/** A recording that was deleted by hand from the folder `2026-04`. */
async function deleted(names = [VIDEO]): Promise<RunningApp> {
  const running = await start({ settings: { retention: { keep: "" } } });
  put(
    running,
    names.map((name) => `2026-04/${name}`),
    "the recording",
  );
  expect((await send(running, "DELETE", `/api/recordings/${KEY}`)).status).toBe(200);
  return running;
}

const restore = async (running: RunningApp) =>
  (await send(running, "POST", "/api/trash/restore", { keys: [KEY] })).body;
const HERE = {
  restored: 0,
  recordings: 0,
  failed: [{ key: KEY, reason: "It is here already, and nothing is written over." }],
};

describe("restoring asks about a file's own place", () => {
  test.each([
    ["shorter", "the rec"],
    ["other", "the_recording"],
  ])("where a file of its name elsewhere that is %s refuses nothing", async (_what, content) => {
    await using running = await deleted();
    put(running, [VIDEO, `2026-04-01/${VIDEO}`], content);
    expect(await restore(running)).toEqual({ restored: 1, recordings: 1, failed: [] });
    expect(atHome(running)).toEqual([`2026-04-01/${VIDEO}`, `2026-04/${VIDEO}`, VIDEO]);
    expect(readFileSync(join(running.destination, "2026-04", VIDEO), "utf8")).toBe("the recording");
    expect(readFileSync(join(running.destination, VIDEO), "utf8")).toBe(content);
  });

  test("where the same content elsewhere is not doubled, and stays in the trash", async () => {
    await using running = await deleted();
    put(running, [`My trip/${VIDEO}`], "the recording");
    expect(await restore(running)).toEqual(HERE);
    expect([atHome(running), inTrash(running)]).toEqual([[`My trip/${VIDEO}`], [`2026-04/${VIDEO}`]]);
  });

  test("where another file of its name is never written over", async () => {
    await using running = await deleted();
    put(running, [`2026-04/${VIDEO}`], "another of it");
    expect(await restore(running)).toEqual(HERE);
    expect(readFileSync(join(running.destination, "2026-04", VIDEO), "utf8")).toBe("another of it");
    expect(inTrash(running)).toEqual([`2026-04/${VIDEO}`]);
  });

  test("where only what is missing comes back beside what is there", async () => {
    const names = [VIDEO, `${KEY}R.mp4`, `${KEY}F.thm`];
    await using running = await deleted(names);
    put(running, [`2026-04/${KEY}F.thm`, VIDEO], "the recording");
    expect(await restore(running)).toMatchObject({ restored: 1, failed: [] });
    expect(atHome(running)).toEqual([`2026-04/${KEY}R.mp4`, VIDEO]);
    expect(inTrash(running)).toEqual([`2026-04/${VIDEO}`]);
  });
});

test.skipIf(!mayMount())(
  "on a full disk nothing is restored, kept or deleted, and the answer is 507 STORAGE_FULL with a sentence (needs the right to mount)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "restore-"));
    try {
      using disk = new SmallDisk(join(folder, "recordings"), "2m");
      await using running = await start({ folder, settings: { retention: { keep: "" } } });
      put(running, [VIDEO]);
      await send(running, "DELETE", `/api/recordings/${KEY}`);
      put(running, ["20260402_000000_NF.mp4"]);
      disk.fill();
      const full = {
        status: 507,
        body: { code: "STORAGE_FULL", error: expect.stringContaining("The disk of the recordings is full") },
      };
      expect(await send(running, "POST", "/api/trash/restore", { all: true })).toMatchObject(full);
      expect(await send(running, "PUT", "/api/recordings/20260402_000000_N/keep")).toMatchObject(full);
      expect(await send(running, "DELETE", "/api/recordings/20260402_000000_N")).toMatchObject(full);
      expect(inTrash(running)).toEqual([VIDEO]);
      expect(await state(running)).toMatchObject({ trash: { recordings: 1 }, kept: { recordings: 0 } });
      disk.free();
      writeFileSync(join(running.destination, "room"), "");
      expect(await restore(running)).toMatchObject({ restored: 1 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
