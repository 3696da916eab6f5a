import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, Dirent, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kindOf, listDirectory } from "../../../server/store/library/list_directory.ts";
import { nextTurn } from "../../../server/turns.ts";
import { asPlainUser } from "../../support/disk/disks.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "directory-"));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test("an entry whose kind the filesystem does not tell is looked at", async () => {
  writeFileSync(join(root, "file"), "");
  mkdirSync(join(root, "folder"));
  symlinkSync(join(root, "file"), join(root, "link"));
  symlinkSync(join(root, "folder"), join(root, "link to a folder"));
  // Type 0 is what such a filesystem answers.
  const untold = (name: string): Dirent => Reflect.construct(Dirent, [name, 0, root]);
  expect(await kindOf(untold("file"), root)).toBe("file");
  expect(await kindOf(untold("folder"), root)).toBe("directory");
  expect(await kindOf(untold("link"), root)).toBe("file");
  expect(await kindOf(untold("link to a folder"), root)).toBe("other");
  expect(await kindOf(untold("gone"), root)).toBe("other");
});

test("an entry that the disk refuses to tell about is taken for what its name promises", async () => {
  // Links that lead into a folder that may not be entered: whether there is a file is unknown.
  mkdirSync(join(root, "closed"));
  writeFileSync(join(root, "closed/file"), "");
  for (const name of ["known", "foreign"]) symlinkSync("closed/file", join(root, name));
  const found: string[] = [];
  const visitor = {
    wantsFile: (name: string) => name === "known",
    wantsDirectory: () => true,
    file: (name: string) => {
      found.push(name);
    },
    directory: () => {},
  };
  await asPlainUser(root, async () => {
    chmodSync(join(root, "closed"), 0);
    await listDirectory(root, visitor);
    chmodSync(join(root, "closed"), 0o755);
  });
  expect(found).toEqual(["known"]);
});

test("a long listing lets others run in between", async () => {
  for (let number = 0; number < 1100; number++) writeFileSync(join(root, String(number)), "");
  let seen = 0;
  const listing = listDirectory(root, {
    wantsFile: () => true,
    wantsDirectory: () => true,
    directory: () => {},
    file: () => {
      seen++;
    },
  });
  while (seen === 0) await nextTurn();
  expect(seen).toBe(1000);
  expect(await listing).toBe(1100);
  expect(seen).toBe(1100);
});
