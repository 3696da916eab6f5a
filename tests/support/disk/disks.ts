import { dlopen, FFIType } from "bun:ffi";
import {
  appendFileSync,
  chownSync,
  closeSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small disk in memory. Declare it after the bench whose folder it lies in, so that it goes first. */
export class SmallDisk implements Disposable {
  readonly path: string;

  /** @param size as `mount` takes it: `1m` */
  constructor(path: string, size: string) {
    mkdirSync(path, { recursive: true });
    this.path = path;
    call(["mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path]);
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

  /** `size=20m`, `ro`. */
  remount(option: string): void {
    call(["mount", "-o", `remount,${option}`, this.path]);
  }

  /** Takes it away at once, also from those who have files of it open; it is not to be disposed of then. */
  detach(): void {
    call(["umount", "-l", this.path]);
  }

  [Symbol.dispose](): void {
    call(["umount", this.path]);
  }
}

/** A disk that is connected to nothing: whatever it is asked, it answers ENOTCONN, as a network share that broke off. */
export class DeadDisk implements Disposable {
  readonly #path: string;
  constructor(path: string) {
    mkdirSync(path, { recursive: true });
    this.#path = path;
    // A FUSE file system whose server is gone as soon as it is mounted.
    const server = openSync("/dev/fuse", "r+");
    try {
      const options = "fd=3,rootmode=40000,user_id=0,group_id=0,allow_other";
      call(["mount", "-i", "-t", "fuse", "-o", options, "dead", path], server);
    } finally {
      closeSync(server);
    }
  }
  [Symbol.dispose](): void {
    call(["umount", this.#path]);
  }
}

function call(command: string[], descriptor?: number): void {
  const { success, stderr } = Bun.spawnSync(command, {
    stdio: ["ignore", "pipe", "pipe", ...(descriptor === undefined ? [] : [descriptor])],
  });
  if (!success) throw new Error(stderr?.toString());
}

/** Tried once: whether the tests with disks of their own can run here. */
export function mayMount(kind: "small" | "dead" = "small"): boolean {
  const place = mkdtempSync(join(tmpdir(), "mount-"));
  try {
    const disk = kind === "small" ? new SmallDisk(place, "1m") : new DeadDisk(place);
    disk[Symbol.dispose]();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** `nobody` on every system. */
const PLAIN_USER = 65_534;

/**
 * Does work without root's rights, since nothing is forbidden to root: as another user, who owns `place` and its
 * contents. A process without root's rights does it as its own user.
 */
export async function asPlainUser<T>(place: string, work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return await work();
  chownSync(place, PLAIN_USER, PLAIN_USER);
  for (const name of readdirSync(place, { recursive: true, encoding: "utf8" }))
    lchownSync(join(place, name), PLAIN_USER, PLAIN_USER);
  // `seteuid` would not do: access(2) judges by the real user.
  const { i32 } = FFIType;
  const set = { args: [i32, i32, i32], returns: i32 } as const;
  const libc = dlopen("libc.so.6", { setresuid: set, setresgid: set });
  const { setresuid, setresgid } = libc.symbols;
  setresgid(PLAIN_USER, PLAIN_USER, 0);
  setresuid(PLAIN_USER, PLAIN_USER, 0);
  try {
    return await work();
  } finally {
    setresuid(0, 0, 0);
    setresgid(0, 0, 0);
    libc.close();
  }
}
