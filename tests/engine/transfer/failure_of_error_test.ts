import { describe, expect, test } from "bun:test";
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failureOf, failureOfRun } from "../../../server/engine/transfer/failure_of_error.ts";
import { DestinationProblem, FolderProblem } from "../../../server/store/destination/destination_problem.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: something, write`), { code, syscall: "write" });
}

describe("what the file system answers", () => {
  const rows: [code: string, reason: string, words: RegExp][] = [
    ["ENOSPC", "disk", /^the disk is full; free space/],
    ["EDQUOT", "disk", /quota is used up; free space/],
    ["EIO", "unknown", /input\/output error; check its health$/],
    ["ENOTCONN", "unknown", /is gone; is its disk mounted\?$/],
    ["ESTALE", "unknown", /is gone; is its disk mounted\?$/],
    ["EFBIG", "unknown", /larger than a file may be .*4 GB on FAT/],
    ["EBUSY", "unknown", /is busy/],
    ["ETIMEDOUT", "unknown", /did not answer in time/],
    ["EMFILE", "unknown", /^too many files are open/],
    ["ENFILE", "unknown", /^too many files are open/],
    ["EINVAL", "unknown", /refuses what every other one does/],
    ["EXDEV", "unknown", /refuses to rename files/],
    [
      "EKEYEXPIRED",
      "unknown",
      /^the system refused to write in the destination folder \(EKEYEXPIRED\); check its disk$/,
    ],
  ];
  test.each(rows)("%s is trouble of the kind %s, in words that say what to do", (code, reason, words) => {
    const failure = failureOf(systemError(code));
    expect(failure).toMatchObject({ kind: "trouble", reason, message: expect.stringMatching(words) });
  });

  test("is not said to be the destination's end while that is there", () => {
    const missing = Object.assign(systemError("ENOENT"), { path: "/somewhere/20260607_101500_NF.thm" });
    const of = (error: unknown, isThere: boolean) =>
      failureOfRun(error, { isThere: () => isThere, requireSame() {} }).message;
    expect([of(missing, true), of(missing, false), of(systemError("ENOSPC"), true)]).toEqual([
      "20260607_101500_NF.thm went away while it was in use; see what else changes the destination folder",
      "the destination folder is gone; is its disk mounted?",
      failureOf(systemError("ENOSPC")).message,
    ]);
  });

  test("is never unexpected, a mistake of ours is", () => {
    for (const error of [
      new TypeError("x is not a function"),
      Object.assign(new Error("no"), { code: "ERR_X" }),
      "odd",
    ])
      expect(failureOf(error).kind).toBe("unexpected");
  });

  test("also as the runtime itself throws it", () => {
    const place = mkdtempSync(join(tmpdir(), "failure-"));
    writeFileSync(join(place, "file"), "");
    for (const call of [() => readdirSync(join(place, "file")), () => lstatSync(join(place, "x".repeat(300)))]) {
      let failure = null;
      try {
        call();
      } catch (error) {
        failure = failureOf(error);
      }
      expect(failure?.kind).toBe("trouble");
    }
    rmSync(place, { recursive: true });
    expect(existsSync(place)).toBe(false);
  });

  test("and what lies at home keeps its own reason", () => {
    expect(failureOf(new DestinationProblem("not it", "disk"))).toMatchObject({ kind: "trouble", reason: "disk" });
    expect(failureOf(new FolderProblem("a link"))).toMatchObject({ kind: "trouble", reason: "unknown" });
  });
});
