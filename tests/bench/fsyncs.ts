import { closeSync, fsync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { MEMORY } from "./stage.ts";

/** Seconds that so many fsyncs of freshly written files cost here, one after the other, as a sync makes them. */
export async function benchFsyncs(files: number): Promise<number> {
  const folder = mkdtempSync(join(MEMORY, "dashdock-bench-"));
  const flush = promisify(fsync);
  const content = new Uint8Array(8000);
  let seconds = 0;
  for (let file = 0; file < files; file++) {
    const fd = openSync(join(folder, "file"), "w");
    writeSync(fd, content);
    const began = performance.now();
    await flush(fd);
    seconds += (performance.now() - began) / 1000;
    closeSync(fd);
  }
  rmSync(folder, { recursive: true, force: true });
  return seconds;
}
