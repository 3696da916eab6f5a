import { expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forgetPages } from "../../../server/store/destination/page_cache.ts";

test("a file whose pages are given up reads as before, also when it was just written", () => {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-pages-"));
  const path = join(folder, "file");
  const bytes = Buffer.alloc(3_000_000, "abc");
  writeFileSync(path, bytes);
  const descriptor = openSync(path, "r");
  forgetPages(descriptor, 0, bytes.length);
  forgetPages(descriptor, bytes.length, 1000);
  closeSync(descriptor);
  // One that is closed is refused by the system, and that is all.
  forgetPages(descriptor, 0, bytes.length);
  expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
  rmSync(folder, { recursive: true });
});
