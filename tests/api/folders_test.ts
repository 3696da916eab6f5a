import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { FoldersAnswer } from "../../server/domain/settings/folders_schema.ts";
import { startApp } from "../support/app/app.ts";

setDefaultTimeout(30_000);

describe("the folders that recordings might go to", () => {
  test("are those the service may see, without links, hidden ones and folders of the system", async () => {
    await using app = await startApp();
    const base = join(app.folder, "disks");
    for (const name of ["archive", "archive/2026", ".hidden"]) mkdirSync(join(base, name), { recursive: true });
    symlinkSync("/", join(base, "link"));
    const read = async (path: string) => {
      const answer = await app.client.fetch(`/api/folders?path=${encodeURIComponent(path)}`);
      return [answer.status, (await answer.json()) as FoldersAnswer] as const;
    };
    const [status, found] = await read(base);
    expect([status, found.path, found.parent]).toEqual([200, base, app.folder]);
    expect(found.folders).toEqual([
      { name: "archive", path: join(base, "archive"), in_use: false, can_be_used: true, is_empty: false },
    ]);
    mkdirSync(app.destination, { recursive: true });
    const [, above] = await read(app.folder);
    expect(above.folders.find(({ in_use }) => in_use)?.path).toBe(app.destination);
    const [, root] = await read("/");
    expect(root.parent).toBeNull();
    expect(root.folders.filter(({ name }) => ["etc", "usr", "proc", "sys"].includes(name))).toEqual([]);
    expect((await read(join(base, "nowhere")))[0]).toBe(404);
    expect((await read("relative"))[0]).toBe(422);
  });

  test("that cannot be written are told apart", async () => {
    if (process.getuid?.() === 0) return;
    await using app = await startApp();
    const base = join(app.folder, "disks");
    mkdirSync(join(base, "locked"), { recursive: true });
    chmodSync(join(base, "locked"), 0o555);
    const answer = await app.client.fetch(`/api/folders?path=${encodeURIComponent(base)}`);
    const { folders } = (await answer.json()) as FoldersAnswer;
    expect(folders.map(({ can_be_used }) => can_be_used)).toEqual([false]);
  });
});
