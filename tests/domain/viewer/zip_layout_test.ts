import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type ZipEntry, ZipLayout } from "../../../server/domain/viewer/zip_layout.ts";

const WALL = Date.UTC(2026, 10, 20, 8, 15, 42) / 1000;
/** Files of these sizes with this byte in them. */
const entriesOf = (...sizes: number[]): ZipEntry[] =>
  sizes.map((size, at) => ({ name: `20261120_08${String(at).padStart(4, "0")}_NF.mp4`, size, wall: WALL }));

/** The bytes of one part of an archive whose files hold nothing but `fill`. */
function bytesOf(layout: ZipLayout, from: number, to: number, fill = 7): Uint8Array {
  const crc = (entry: number) => crc32(new Uint8Array(layout.entries[entry]?.size ?? 0).fill(fill));
  const parts = [...layout.pieces(from, to)].map((piece) => {
    const { part, entry } = piece;
    if (part === "data") return new Uint8Array(piece.to - piece.from).fill(fill);
    const whole =
      part === "head"
        ? layout.head(entry)
        : part === "end"
          ? layout.end()
          : part === "descriptor"
            ? layout.descriptor(entry, crc(entry))
            : layout.directory(entry, crc(entry));
    return whole.subarray(piece.from, piece.to);
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** Names in a file as Python's zipfile reads them, or its error. */
async function python(path: string): Promise<string> {
  const program = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    print(len(z.namelist()), z.namelist()[0], z.infolist()[0].date_time, sum(i.file_size for i in z.infolist()), z.testzip() if len(sys.argv) > 2 else "")`;
  const child = Bun.spawn(["python3", "-c", program, path, ...(path.includes("whole") ? ["test"] : [])]);
  return (await new Response(child.stdout).text()).trim();
}

const hasPython = Bun.which("python3") !== null;
const hasUnzip = Bun.which("unzip") !== null;

describe("the bytes of an archive", () => {
  test("are as many as were told, and any part of them is the same as in the whole", () => {
    const known = { name: "folder/known", size: 9, wall: WALL, crc: crc32(new Uint8Array(9).fill(7)) };
    const layout = new ZipLayout([...entriesOf(5, 0, 70, 1), known, ...entriesOf(2)]);
    const whole = bytesOf(layout, 0, layout.size);
    expect(whole.length).toBe(layout.size);
    for (let from = 0; from <= whole.length; from++)
      for (const to of [from, from + 1, from + 17, from + 160, layout.size])
        expect(bytesOf(layout, from, Math.min(to, layout.size))).toEqual(whole.subarray(from, to));
  });

  test("hold the camera's wall time in steps of two seconds, and the nearest one that can be written", () => {
    const timeOf = (wall: number) => {
      const view = new DataView(new ZipLayout([{ name: "a", size: 1, wall }]).head(0).buffer);
      const time = view.getUint16(10, true);
      const date = view.getUint16(12, true);
      return [(date >> 9) + 1980, (date >> 5) & 15, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2];
    };
    expect(timeOf(WALL)).toEqual([2026, 11, 20, 8, 15, 42]);
    expect(timeOf(WALL + 1)).toEqual([2026, 11, 20, 8, 15, 42]);
    expect(timeOf(0)).toEqual([1980, 1, 1, 0, 0, 0]);
    expect(timeOf(Date.UTC(2300, 0, 1) / 1000)).toEqual([2107, 12, 31, 23, 59, 58]);
  });

  test("have what is known of a file in front of it, and nothing behind it", () => {
    const [entry] = entriesOf(5);
    if (!entry) throw new Error("no entry");
    const crc = crc32(new Uint8Array(5).fill(7));
    const layout = new ZipLayout([{ ...entry, crc }]);
    const head = new DataView(layout.head(0).buffer);
    expect([6, 14, 18, 22].map((at) => head.getUint32(at, true) & (at === 6 ? 0xffff : -1))).toEqual([
      0,
      crc | 0,
      5,
      5,
    ]);
    expect([...layout.pieces(0, layout.size)].map(({ part }) => part)).toEqual(["head", "data", "directory", "end"]);
    expect(new ZipLayout([entry]).size - layout.size).toBe(16);
    const huge = new ZipLayout([{ ...entry, size: 5_000_000_000, crc }]);
    const long = new DataView(huge.head(0).buffer);
    const extra = 30 + entry.name.length;
    expect([long.getUint32(18, true), long.getBigUint64(extra + 4, true), long.getBigUint64(extra + 12, true)]).toEqual(
      [0xffff_ffff, 5_000_000_000n, 5_000_000_000n],
    );
  });

  test("of no files are an empty archive", () => {
    const layout = new ZipLayout([]);
    expect([layout.size, bytesOf(layout, 0, 22)]).toEqual([22, new Uint8Array([80, 75, 5, 6, ...Array(18).fill(0)])]);
  });

  test.skipIf(!hasPython || !hasUnzip)("are what unzip and Python take for whole, in any count and size", async () => {
    const folder = mkdtempSync(join(tmpdir(), "zip-"));
    try {
      const known = { name: "a/b.txt", size: 0, wall: WALL, crc: 0 };
      const some = new ZipLayout([...entriesOf(3, 0, 100_000), known]);
      await Bun.write(join(folder, "whole.zip"), bytesOf(some, 0, some.size));
      expect(await python(join(folder, "whole.zip"))).toBe(
        "4 20261120_080000_NF.mp4 (2026, 11, 20, 8, 15, 42) 100003 None",
      );
      expect(await Bun.spawn(["unzip", "-tq", join(folder, "whole.zip")], { stdout: "ignore" }).exited).toBe(0);

      const many = new ZipLayout(
        Array.from({ length: 70_000 }, (_, at) => ({ name: `${at}.gps`, size: 1, wall: WALL })),
      );
      await Bun.write(join(folder, "many.zip"), bytesOf(many, 0, many.size));
      expect(await python(join(folder, "many.zip"))).toBe("70000 0.gps (2026, 11, 20, 8, 15, 42) 70000");
      expect(await Bun.spawn(["unzip", "-tq", join(folder, "many.zip")], { stdout: "ignore" }).exited).toBe(0);

      // Holes in the place of the data: what counts is that the records lead to each other beyond four gigabytes.
      const huge = new ZipLayout(entriesOf(3, 5_000_000_000, 4));
      await using file = await open(join(folder, "huge.zip"), "w");
      await file.truncate(huge.size);
      let at = 0;
      for (const { part, entry, from, to } of huge.pieces(0, huge.size)) {
        const zero = crc32(
          new Uint8Array(huge.entries[entry]?.size === 5_000_000_000 ? 0 : (huge.entries[entry]?.size ?? 0)),
        );
        const bytes =
          part === "data"
            ? null
            : part === "head"
              ? huge.head(entry)
              : part === "end"
                ? huge.end()
                : part === "descriptor"
                  ? huge.descriptor(entry, zero)
                  : huge.directory(entry, zero);
        if (bytes) await file.write(bytes, 0, bytes.length, at);
        at += to - from;
      }
      expect(await python(join(folder, "huge.zip"))).toBe(
        "3 20261120_080000_NF.mp4 (2026, 11, 20, 8, 15, 42) 5000000007",
      );
      const last = Bun.spawn(["unzip", "-p", join(folder, "huge.zip"), "20261120_080002_NF.mp4"]);
      expect(await new Response(last.stdout).bytes()).toEqual(new Uint8Array(4));
      expect(await last.exited).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
