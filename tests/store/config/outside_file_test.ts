import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { OutsideFiles, type OutsideKind, refuseSystemFolder } from "../../../server/store/config/outside_file.ts";
import { giveId, newId } from "../../../server/store/destination/destination_id.ts";

let folder: string;
let outside: OutsideFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outside-"));
  for (const name of ["config", "home", "home/2026", "elsewhere"]) mkdirSync(join(folder, name));
  symlinkSync(join(folder, "home"), join(folder, "elsewhere", "to-home"));
  outside = new OutsideFiles([join(folder, "config"), join(folder, "home")], [join(folder, "config", "state.json")]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("what is kept in a closed folder", () => {
  const paths = ["config/settings.json", "config", "home/new.prom", "home/2026/a.mp4", "home/2026/new/a.prom"];
  for (const path of [...paths, "elsewhere/to-home/a.prom", "elsewhere/../config/a.prom", "elsewhere/to-home"])
    test(`is not written over at ${path}`, async () => {
      expect(await outside.problem(join(folder, path), "metrics")).toStartWith("must be outside of");
      expect(await outside.problem(relative(process.cwd(), join(folder, path)), "state")).toStartWith(
        "must be outside",
      );
    });
  test("is left alone, but for the name we choose ourselves", async () => {
    expect(await outside.problem(join(folder, "config", "state.json"), "state")).toBeNull();
    expect(await outside.problem(join(folder, "config-too.prom"), "metrics")).toBeNull();
    expect(await outside.problem(join(folder, "homely", "a.prom"), "metrics")).toBeNull();
  });
});

test("a settings file has no folder of the system for recordings", async () => {
  const refused = "/usr/share/dashcam";
  await expect(refuseSystemFolder("/c/settings.json", refused)).rejects.toThrow(
    `Cannot use the settings file /c/settings.json: system.destination is ${refused}, which is a folder of the system; choose one for recordings; the file is left as it is.`,
  );
  await refuseSystemFolder("/c/settings.json", join(folder, "home"));
});

const isRoot = process.getuid?.() === 0;
test.skipIf(!isRoot)("one that recordings have gone to before is used on (needs root)", async () => {
  const used = mkdtempSync("/run/outside-");
  try {
    await expect(refuseSystemFolder("/c/settings.json", used)).rejects.toThrow("a folder of the system");
    await giveId(used, newId());
    await refuseSystemFolder("/c/settings.json", used);
  } finally {
    rmSync(used, { recursive: true, force: true });
  }
});

describe("what is there already", () => {
  const PULL = "last_successful_file_pull_timestamp_seconds";
  const rows: [content: string, kind: OutsideKind, isOurs: boolean][] = [
    ["", "metrics", true],
    ["# HELP dashdock_last_run_success 1 when\n", "metrics", true],
    ["# HELP node_load1 Load\n", "metrics", false],
    ['{"version": 2}', "metrics", false],
    ["x", "metrics", false],
    ["", "state", true],
    ["{}", "state", true],
    [`{"${PULL}":1,"other":2}`, "state", true],
    [`{"other":2,"totals":{}}`, "state", true],
    [`{"${PULL}":17`, "state", true],
    ['{"version":2,"auth":{}}', "state", false],
    ["[]", "state", false],
    ["# HELP dashdock_last_run_success 1 when\n", "state", false],
  ];
  for (const [content, kind, isOurs] of rows)
    test(`is ${isOurs ? "" : "not "}written over as ${kind}: ${content}`, async () => {
      const path = join(folder, "elsewhere", "file");
      writeFileSync(path, content);
      const problem = await outside.problem(path, kind);
      expect(problem).toEqual(isOurs ? null : expect.stringContaining("was not written by this service"));
    });
  test("is not written over when it is a folder, or something that leads to a foreign file", async () => {
    writeFileSync(join(folder, "foreign"), "x");
    symlinkSync(join(folder, "foreign"), join(folder, "elsewhere", "link"));
    for (const name of ["elsewhere", "elsewhere/link"])
      expect(await outside.problem(join(folder, name), "metrics")).toContain("was not written by this service");
  });
});
