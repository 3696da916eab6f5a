import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDisk, readDiskAbove } from "../../../server/store/destination/disk_usage.ts";

test("a disk is as full as its files make it, root's reserve counts as free", async () => {
  const disk = await readDisk(tmpdir());
  expect(disk.usedBytes).toBe(disk.totalBytes - disk.freeBytes);
  expect(disk.usedRatio).toBeCloseTo(disk.usedBytes / disk.totalBytes, 10);
  expect(disk.usedRatio).toBeWithin(0, 1.0000001);
  expect(disk.availableBytes).toBeLessThanOrEqual(disk.freeBytes);
});

test.skipIf(process.platform !== "linux")("the figures are those of df", async () => {
  const [, line = ""] = execFileSync("df", ["-P", "-B1", tmpdir()], { encoding: "utf8" }).split("\n");
  const [, total = 0, , available = 0] = line.split(/\s+/).map(Number);
  const disk = await readDisk(tmpdir());
  expect(disk.totalBytes).toBe(total);
  // Others write meanwhile.
  expect(Math.abs(disk.availableBytes - available)).toBeLessThan(1e9);
});

test.skipIf(process.platform !== "linux")(
  "a filesystem that tells no size is neither full nor without room",
  async () => {
    const disk = await readDisk("/proc");
    expect(disk).toMatchObject({ totalBytes: 0, usedRatio: 0, availableBytes: Number.MAX_SAFE_INTEGER });
  },
);

test("a path that is not there is an error", async () => {
  await expect(readDisk(join(tmpdir(), "surely/not/here"))).rejects.toMatchObject({ code: "ENOENT" });
});

test.each(["ENOSYS", "ENOTSUP", "EOPNOTSUPP"])("a filesystem that answers %s has told no size either", async (code) => {
  const refuse = () => Promise.reject(Object.assign(new Error(code), { code }));
  expect(await readDisk("/anywhere", refuse)).toMatchObject({
    totalBytes: 0,
    usedRatio: 0,
    availableBytes: Number.MAX_SAFE_INTEGER,
  });
});

test("a folder that is not there yet has the room of the nearest one above it", async () => {
  const here = await readDisk(tmpdir());
  const ahead = await readDiskAbove(join(tmpdir(), "not", "made", "yet"));
  expect(ahead.totalBytes).toBe(here.totalBytes);
  await expect(readDiskAbove(join(import.meta.path, "below a file"))).rejects.toThrow("ENOTDIR");
});
