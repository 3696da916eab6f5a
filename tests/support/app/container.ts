import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXECUTABLE } from "./executable.ts";
import { type Ended, type Running, startCommand } from "./process.ts";

const ROOT = join(import.meta.dir, "../../..");

/** Variables of the image, as its Dockerfile sets them; a test compares the two. */
export const IMAGE_ENV: Readonly<Record<string, string>> = {
  PATH: "/usr/local/bin",
  SERVICE_CONFIG_DIR: "/config",
  SERVICE_DESTINATION: "/recordings",
  SERVICE_IMAGE_UID: "1000",
  SERVICE_IMAGE_GID: "1000",
};
const PROGRAM = "/usr/local/bin/dashdock";

/** Reason why the image's content cannot be started on this machine, as a sentence; null when it can. */
export function noContainers(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "it takes Linux and root.";
  for (const tool of ["unshare", "nsenter", "setpriv", "chroot", "mount"])
    if (!Bun.which(tool)) return `the command ${tool} is missing.`;
  if (!existsSync("/lib/x86_64-linux-gnu/libc.so.6") && !existsSync("/lib/aarch64-linux-gnu/libc.so.6"))
    return "the image's libraries are taken from a Debian.";
  const tried = Bun.spawnSync(["unshare", "-m", "-p", "-f", "mount", "--make-rprivate", "/"]);
  return tried.success ? null : `a mount namespace is refused here: ${tried.stderr.toString().trim()}.`;
}

/** The image's content, put together as the Dockerfile does it, but around the executable that tests share. */
export class ImageContent implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "dashdock-image-"));
  readonly root = join(this.#folder, "root");
  #volumes = 0;

  constructor() {
    const words = [process.execPath, "assets/ship/image_root.ts", this.root, "--program", EXECUTABLE];
    const { success, stderr } = Bun.spawnSync(words, { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });
    if (!success) throw new Error(`The image's content cannot be put together:\n${stderr}`);
  }

  /** An empty folder of this machine, to be mounted. */
  volume(owner: number, group = owner): string {
    const path = join(this.#folder, `volume-${this.#volumes++}`);
    mkdirSync(path, { mode: 0o755 });
    chownSync(path, owner, group);
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface ContainerOptions {
  readonly config: string;
  readonly recordings: string;
  /** Paths in the container that the two are mounted at, when they are not the image's. */
  readonly at?: readonly [config: string, recordings: string];
  readonly env?: Readonly<Record<string, string>>;
  /** `user` of a compose file: root and `cap_add` otherwise. */
  readonly user?: number;
  /** The group of this user, when its number is another one. */
  readonly group?: number;
  readonly capabilities?: readonly ("chown" | "setuid" | "setgid")[];
  /** `group_add` of a compose file. */
  readonly groups?: readonly number[];
}

/** A container as an engine would run it: the program is the first process of its own, on a root that nothing can write. */
export interface Container extends Running {
  /** Sends the first process a signal, as `docker stop` does. */
  stop(): void;
  /** A line of `/proc/<pid>/status` of the first process. */
  status(name: string): string;
  /** Runs the program with other arguments beside it, as `docker exec` does. */
  exec(args: readonly string[]): Promise<Ended>;
}

/**
 * The root is mounted read-only with the two folders, `/proc` and `/dev`, and `/tmp` in memory, all capabilities are gone
 * but those named, and no program can give new ones (`no-new-privileges`). Only the network is the machine's own.
 */
export function startContainer(image: ImageContent, args: readonly string[], options: ContainerOptions): Container {
  const { config, recordings, at = ["/config", "/recordings"], env = {}, user = 0, capabilities = [] } = options;
  const { group = user, groups = [] } = options;
  const whole = { ...IMAGE_ENV, ...env };
  const processEnv = { ...whole, HOME: "/", PATH: process.env["PATH"] ?? "" };
  /** The program with these arguments, from where the whole machine is in sight, with the rights of the container. */
  const program = (words: readonly string[]) => [
    ...confined(user, capabilities, groups),
    ...["chroot", ...chrootUser(user, group, groups), image.root, PROGRAM, ...words],
  ];
  const first = [
    "unshare",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    ...["sh", "-c", MOUNTS, "sh", image.root, config, recordings, ...at],
    ...program(args),
  ];
  const running = startCommand(first, { cwd: tmpdir(), env: processEnv });
  const pid = () => Number(readFileSync(`/proc/${running.pid}/task/${running.pid}/children`, "utf8").trim());
  const end = running[Symbol.asyncDispose];
  return Object.defineProperties(running as Container, {
    // Its change of user takes away what would end it with the process that waits for it.
    [Symbol.asyncDispose]: {
      value: async () => {
        try {
          process.kill(pid(), "SIGKILL");
        } catch {
          // It has ended already.
        }
        await end.call(running);
      },
    },
    stop: { value: () => process.kill(pid(), "SIGTERM") },
    status: {
      value: (name: string) =>
        new RegExp(`^${name}:\\s*(.*?)\\s*$`, "m").exec(readFileSync(`/proc/${pid()}/status`, "utf8"))?.[1] ?? "",
    },
    exec: {
      value: async (more: readonly string[]) => {
        const enter = ["nsenter", "--target", String(pid()), "--mount", "--pid"];
        const command = [...enter, ...program(more)];
        await using beside = startCommand(command, { cwd: tmpdir(), env: processEnv });
        return await beside.ended;
      },
    },
  });
}

const MOUNTS = `set -e
root=$1 config=$2 recordings=$3 at_config=$4 at_recordings=$5
shift 5
mount --make-rprivate /
mount --bind "$root" "$root"
mkdir -p "$root/proc" "$root/dev" "$root$at_config" "$root$at_recordings"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs -o size=16m,mode=1777 tmpfs "$root/tmp"
mount --bind "$config" "$root$at_config"
mount --bind "$recordings" "$root$at_recordings"
mount -o remount,bind,ro "$root"
exec "$@"`;

/** Takes away what a container does not have; to enter its root takes a capability that is left to root, unused. */
function confined(user: number, capabilities: readonly string[], groups: readonly number[]): string[] {
  const change = user === 0 ? [] : ["setuid", "setgid"];
  const kept = [...new Set(["sys_chroot", ...change, ...capabilities])].map((name) => `+${name}`);
  const set = groups.length > 0 ? [`--groups=${groups.join(",")}`] : ["--clear-groups"];
  return ["setpriv", "--no-new-privs", `--bounding-set=-all,${kept.join(",")}`, ...set];
}

function chrootUser(user: number, group: number, groups: readonly number[]): string[] {
  if (user === 0) return [];
  return [`--userspec=${user}:${group}`, `--groups=${groups.join(",")}`];
}
