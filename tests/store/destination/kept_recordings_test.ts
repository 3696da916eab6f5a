import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { DeletedRecordings } from "../../../server/store/destination/deleted_recordings.ts";
import { KeptRecordings, KeptUnknown } from "../../../server/store/destination/kept_recordings.ts";
import { TrashUnusable } from "../../../server/store/destination/own_folder_guard.ts";
import { asPlainUser } from "../../support/disk/disks.ts";

const ONE = "20260401_100000_N";
const TWO = "20260402_100000_E";
const KEPT = { at: "2026-06-07T10:30:00.000Z", note: null };

class Folder implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "kept-"));
  readonly own = join(this.root, ".dashdock");

  constructor() {
    chmodSync(this.root, 0o755);
    mkdirSync(this.own);
  }

  write(name: string, text: string | Uint8Array): void {
    writeFileSync(join(this.own, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.own, name), "utf8");
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

async function keysOf(kept: KeptRecordings): Promise<string[]> {
  return [...(await kept.all()).values()].map(({ key }) => key);
}

describe("marks", () => {
  test("are in the destination, in order, readable for everybody and for the next process", async () => {
    using folder = new Folder();
    const kept = new KeptRecordings(folder.root);
    expect(await keysOf(kept)).toEqual([]);
    await kept.change(
      new Map([
        [TWO, { ...KEPT, note: "the red car" as string | null }],
        [ONE, KEPT],
      ]),
    );
    expect(JSON.parse(folder.read("kept.json"))).toEqual({
      version: 1,
      recordings: { [ONE]: KEPT, [TWO]: { ...KEPT, note: "the red car" } },
    });
    expect(await keysOf(new KeptRecordings(folder.root))).toEqual([ONE, TWO]);
    await kept.change(new Map([[ONE, null]]));
    expect(await keysOf(new KeptRecordings(folder.root))).toEqual([TWO]);
    expect(readdirSync(folder.own)).toEqual(["kept.json"]);
  });

  test("no change writes nothing", async () => {
    using folder = new Folder();
    await new KeptRecordings(folder.root).change(new Map());
    expect(readdirSync(folder.own)).toEqual([]);
  });

  test("a hand edit is seen, and is not lost by the next change", async () => {
    using folder = new Folder();
    const kept = new KeptRecordings(folder.root);
    await kept.change(new Map([[ONE, KEPT]]));
    const { version } = kept;
    folder.write("kept.json", JSON.stringify({ version: 1, recordings: { [ONE]: KEPT, [TWO]: KEPT } }));
    expect((await kept.all()).has(momentNumber(TWO))).toBe(true);
    expect(kept.version).toBeGreaterThan(version);
    folder.write("kept.json", JSON.stringify({ version: 1, recordings: { [TWO]: KEPT } }));
    await kept.change(new Map([["20260403_100000_M", KEPT]]));
    expect(Object.keys(JSON.parse(folder.read("kept.json")).recordings)).toEqual([TWO, "20260403_100000_M"]);
  });

  test("the file is gone: nothing is kept, and nothing is broken", async () => {
    using folder = new Folder();
    const kept = new KeptRecordings(folder.root);
    await kept.change(new Map([[ONE, KEPT]]));
    rmSync(join(folder.own, "kept.json"));
    expect(await keysOf(kept)).toEqual([]);
  });

  test.each([
    ["cut short", `{"version":1,"recordings":{"${ONE}":{"at":"2026`],
    ["empty", ""],
    ["no JSON", "marks"],
    ["no text", Buffer.from([0xff, 0xfe, 0, 1])],
    ["another shape", "[]"],
    ["a newer version", `{"version":2,"recordings":{}}`],
    ["a key that is none", `{"version":1,"recordings":{"${ONE}":{"at":"","note":null},"all":{"at":"","note":null}}}`],
    ["a note that is none", `{"version":1,"recordings":{"${ONE}":{"at":"","note":3}}}`],
  ])("%s: unknown, told, not written over, and well again when repaired", async (_what, text) => {
    using folder = new Folder();
    const kept = new KeptRecordings(folder.root);
    await kept.change(new Map([[ONE, KEPT]]));
    folder.write("kept.json", text);
    await expect(kept.all()).rejects.toThrow(KeptUnknown);
    await expect(kept.change(new Map([[TWO, KEPT]]))).rejects.toThrow(KeptUnknown);
    expect((await kept.shown()).size).toBe(0);
    expect(await kept.problem()).toContain("damaged, so it is unknown what is kept");
    expect(readFileSync(join(folder.own, "kept.json"))).toEqual(Buffer.from(text));
    folder.write("kept.json", JSON.stringify({ version: 1, recordings: { [TWO]: KEPT } }));
    expect(await keysOf(kept)).toEqual([TWO]);
    expect(await kept.problem()).toBeNull();
  });

  test("a file that may not be read, or is a folder, or leads nowhere: unknown is not nothing", async () => {
    using folder = new Folder();
    mkdirSync(join(folder.own, "kept.json"));
    await expect(new KeptRecordings(folder.root).all()).rejects.toThrow(KeptUnknown);
    rmSync(join(folder.own, "kept.json"), { recursive: true });
    symlinkSync("kept.json", join(folder.own, "kept.json"));
    await expect(new KeptRecordings(folder.root).all()).rejects.toThrow(KeptUnknown);
    rmSync(join(folder.own, "kept.json"));
    folder.write("kept.json", JSON.stringify({ version: 1, recordings: {} }));
    await asPlainUser(folder.root, async () => {
      chmodSync(join(folder.own, "kept.json"), 0);
      const kept = new KeptRecordings(folder.root);
      expect(await kept.problem()).toContain("cannot be read (EACCES)");
      chmodSync(join(folder.own, "kept.json"), 0o644);
      expect(await kept.problem()).toBeNull();
    });
  });

  test("a write that is refused changes nothing", async () => {
    using folder = new Folder();
    const kept = new KeptRecordings(folder.root);
    await kept.change(new Map([[ONE, KEPT]]));
    const before = folder.read("kept.json");
    await asPlainUser(folder.root, async () => {
      chmodSync(folder.own, 0o555);
      await expect(kept.change(new Map([[TWO, KEPT]]))).rejects.toThrow("EACCES");
      expect(await keysOf(kept)).toEqual([ONE]);
      chmodSync(folder.own, 0o755);
    });
    expect(folder.read("kept.json")).toBe(before);
  });
});

describe("what was deleted and must not come again", () => {
  test("is a key a line, in order, for the next process as well; what is no key is left out", async () => {
    using folder = new Folder();
    const deleted = new DeletedRecordings(folder.root);
    await deleted.change({ add: [momentNumber(TWO), momentNumber(ONE), momentNumber(TWO)] });
    expect(folder.read("deleted")).toBe(`${ONE}\n${TWO}\n`);
    folder.write("deleted", `${ONE}\n\n# mine\n20260401\n${TWO}`);
    const again = new DeletedRecordings(folder.root);
    expect([...(await again.all())]).toEqual([ONE, TWO].map(momentNumber));
    expect([...again.latest]).toEqual([ONE, TWO].map(momentNumber));
    await again.keepOnly((moment) => moment === momentNumber(TWO));
    expect(folder.read("deleted")).toBe(`${TWO}\n`);
    await again.change({ forget: [momentNumber(TWO)] });
    expect([folder.read("deleted"), again.latest.size]).toEqual(["", 0]);
  });

  test("a file that cannot be read is an error: what was deleted would come again", async () => {
    using folder = new Folder();
    mkdirSync(join(folder.own, "deleted"));
    await expect(new DeletedRecordings(folder.root).all()).rejects.toThrow("EISDIR");
  });

  test("what cannot be written down is not deleted, and not remembered either", async () => {
    using folder = new Folder();
    const deleted = new DeletedRecordings(folder.root);
    await deleted.change({ add: [momentNumber(ONE)] });
    await asPlainUser(folder.root, async () => {
      chmodSync(folder.own, 0o555);
      const refused = deleted.change({ add: [momentNumber(TWO)] });
      await expect(refused).rejects.toThrow(TrashUnusable);
      await refused.catch(() => {});
      expect([...deleted.latest]).toEqual([momentNumber(ONE)]);
      chmodSync(folder.own, 0o755);
    });
    expect(folder.read("deleted")).toBe(`${ONE}\n`);
  });
});
