import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import {
  type ArchiveSource,
  bytesSource,
  ChangedFile,
  fileSource,
} from "../../../server/store/clips/archive_source.ts";
import { FileChecksums } from "../../../server/store/clips/file_checksums.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "checksums-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const NEVER = new AbortController().signal;
const put = (name: string, bytes: Uint8Array) => {
  writeFileSync(join(root, name), bytes);
  utimesSync(join(root, name), 1_790_000_000, 1_790_000_000);
};
const sumsOf = (bytes: Uint8Array) => ({
  sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
  crc: crc32(bytes),
});
async function sourceOf(path: string, part?: { at: number; length: number }): Promise<ArchiveSource> {
  const found = await fileSource(root, { path, name: `originals/${path}`, wall: 0, ...(part && { part }) });
  if (found === null) throw new Error(`no ${path}`);
  return found;
}
/** A source that counts how often it is read, and how many are read at once. */
function counting(source: ArchiveSource) {
  const counts = { opened: 0, open: 0, most: 0 };
  const counted: ArchiveSource = {
    name: source.name,
    size: source.size,
    wall: source.wall,
    version: source.version,
    async open() {
      const opened = await source.open();
      counts.opened++;
      counts.most = Math.max(counts.most, ++counts.open);
      return {
        ...opened,
        [Symbol.dispose]() {
          counts.open--;
          opened[Symbol.dispose]();
        },
      };
    },
  };
  return { counted, counts };
}

test("checksums are those of all bytes, of a part those of the part", async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const large = Buffer.concat(Array.from({ length: 25 }, () => bytes));
  put("large.mp4", large);
  put("empty.mp4", new Uint8Array(0));
  const checksums = new FileChecksums();
  expect(await checksums.of(await sourceOf("large.mp4"), NEVER)).toEqual(sumsOf(large));
  expect(await checksums.of(await sourceOf("empty.mp4"), NEVER)).toEqual(sumsOf(new Uint8Array(0)));
  const part = { at: 59_990, length: 700_000 };
  expect(await checksums.of(await sourceOf("large.mp4", part), NEVER)).toEqual(sumsOf(large.subarray(59_990, 759_990)));
  expect(
    await fileSource(root, { path: "large.mp4", name: "x", wall: 0, part: { at: 1, length: large.length } }),
  ).toBeNull();
  expect(await checksums.of(bytesSource("a.txt", 0, bytes, "a"), NEVER)).toEqual(sumsOf(bytes));
});

test("a file is read once, and anew when it was written, also at the same size and second", async () => {
  put("again.mp4", new Uint8Array(1000).fill(1));
  const checksums = new FileChecksums();
  const { counted, counts } = counting(await sourceOf("again.mp4"));
  const all = await Promise.all(Array.from({ length: 20 }, () => checksums.of(counted, NEVER)));
  expect(new Set(all.map(({ sha256 }) => sha256)).size).toBe(1);
  // Two may begin together; none after that.
  expect(counts.opened).toBeLessThanOrEqual(2);
  const before = counts.opened;
  await checksums.of(counted, NEVER);
  expect(counts.opened).toBe(before);
  put("again.mp4", new Uint8Array(1000).fill(2));
  expect(await checksums.of(await sourceOf("again.mp4"), NEVER)).toEqual(sumsOf(new Uint8Array(1000).fill(2)));
});

test("kept checksums are taken unread, until the bytes turn out to be others", async () => {
  const bytes = new Uint8Array(5000).fill(6);
  put("kept.mp4", bytes);
  const kept = { sha256: "ab".repeat(32), crc: 7 };
  const asked: unknown[] = [];
  const doubted: string[] = [];
  const checksums = new FileChecksums({
    find(file) {
      asked.push(file);
      return file.path === "kept.mp4" ? kept : null;
    },
    doubt: ({ path }) => doubted.push(path),
  });
  const source = await sourceOf("kept.mp4");
  expect(await checksums.of(source, NEVER)).toEqual(kept);
  expect(asked).toEqual([{ path: "kept.mp4", size: 5000, modified: 1_790_000_000_000 }]);
  // Nothing is kept of a part.
  const part = { at: 0, length: 10 };
  expect(await checksums.of(await sourceOf("kept.mp4", part), NEVER)).toEqual(sumsOf(bytes.subarray(0, 10)));
  checksums.forget([source]);
  expect([await checksums.of(source, NEVER), doubted]).toEqual([sumsOf(bytes), ["kept.mp4"]]);
  expect(await checksums.of(source, NEVER)).toEqual(sumsOf(bytes));
});

test("a source that was read from its beginning to its end is known, and no other", async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(3000));
  const checksums = new FileChecksums();
  const source = bytesSource("film/F.mp4", 0, bytes, "film");
  const read = async (...pieces: readonly (readonly [at: number, length: number])[]) => {
    using opened = await checksums.followed(source).open();
    for (const [at, length] of pieces) await opened.read(at, new Uint8Array(length));
    opened.check();
    return checksums.known(source);
  };
  expect(await read([1000, 2000])).toBeNull();
  expect(await read([0, 1000], [2000, 1000])).toBeNull();
  expect(await read([0, 1000], [1000, 2000])).toEqual(sumsOf(bytes));
});

test("no more than two files are read at once", async () => {
  put("width.mp4", new Uint8Array(2_000_000).fill(3));
  const checksums = new FileChecksums();
  const { counted, counts } = counting(await sourceOf("width.mp4"));
  await Promise.all(Array.from({ length: 10 }, (_, at) => checksums.of({ ...counted, version: String(at) }, NEVER)));
  expect([counts.opened, counts.most, counts.open]).toEqual([10, 2, 0]);
});

test("reading ends when the client goes, and waiting too", async () => {
  put("gone.mp4", new Uint8Array(8_000_000).fill(4));
  const checksums = new FileChecksums();
  const { counted, counts } = counting(await sourceOf("gone.mp4"));
  const client = new AbortController();
  let pieces = 0;
  const slow: ArchiveSource = {
    ...counted,
    async open() {
      const opened = await counted.open();
      return {
        ...opened,
        async read(at, into) {
          await opened.read(at, into);
          if (++pieces === 2) client.abort(new Error("the client has gone"));
        },
      };
    },
  };
  const waiting = Array.from({ length: 4 }, (_, at) => checksums.of({ ...slow, version: String(at) }, client.signal));
  for (const result of await Promise.allSettled(waiting)) expect(result).toMatchObject({ status: "rejected" });
  expect([pieces < 8, counts.open]).toEqual([true, 0]);
  expect(await checksums.of(counted, NEVER)).toEqual(sumsOf(new Uint8Array(8_000_000).fill(4)));
});

test("a file that changes while it is read has no checksums", async () => {
  put("changing.mp4", new Uint8Array(3_000_000).fill(5));
  const checksums = new FileChecksums();
  const source = await sourceOf("changing.mp4");
  const changing: ArchiveSource = {
    ...source,
    version: "changing",
    size: source.size,
    name: source.name,
    wall: 0,
    async open() {
      const opened = await source.open();
      truncateSync(join(root, "changing.mp4"), 1000);
      return opened;
    },
  };
  await expect(checksums.of(changing, NEVER)).rejects.toThrow(ChangedFile);
  put("changing.mp4", new Uint8Array(9));
  await expect(checksums.of(source, NEVER)).rejects.toThrow(ChangedFile);
});
