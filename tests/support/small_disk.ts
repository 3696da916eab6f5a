import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small disk in memory at a folder of its own, which must be empty. */
export class SmallDisk implements Disposable {
  readonly path: string;

  /** @param size as `mount` takes it: `1m` */
  constructor(path: string, size: string) {
    mkdirSync(path, { recursive: true });
    this.path = path;
    call("mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path);
  }

  /** Takes all room there is, until `free`. */
  fill(): void {
    try {
      for (;;) appendFileSync(join(this.path, "fill"), Buffer.alloc(4096));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }

  free(): void {
    rmSync(join(this.path, "fill"));
  }

  [Symbol.dispose](): void {
    call("umount", this.path);
  }
}

/** Tried once: whether the tests with disks of their own can run here. */
export function mayMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), "mount-"));
  try {
    new SmallDisk(place, "64k")[Symbol.dispose]();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function call(...command: string[]): void {
  const { success, stderr } = Bun.spawnSync(command);
  if (!success) throw new Error(stderr.toString());
}
