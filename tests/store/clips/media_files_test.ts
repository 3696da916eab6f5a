import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MediaFiles } from "../../../server/store/clips/media_files.ts";
import { FakeClock } from "../../support/app/clock.ts";

const root = mkdtempSync(join(tmpdir(), "media-"));
afterAll(() => rmSync(root, { recursive: true }));

test("an answer keeps its part of a file while the next part is read to the same place", async () => {
  writeFileSync(join(root, "a.mp4"), "first and second");
  const files = new MediaFiles({ root, clock: new FakeClock() });
  using file = await files.open("a.mp4");
  if (file === null) throw new Error("the file is not there");
  const first = new Response(files.part(file, 0, 5));
  const second = new Response(files.part(file, 10, 16));
  expect([await first.text(), await second.text()]).toEqual(["first", "second"]);
  expect(files.part(file, 10, 17)).toBeNull();
});
