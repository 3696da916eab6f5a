import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatListing } from "../../server/domain/recordings/camera_listing.ts";
import { fileOf, movieOf } from "../support/camera/mp4.ts";

/** Folder for bytes in the benchmarks: in memory when possible, so that the disk is not measured. */
export const MEMORY = (
  await Bun.file("/dev/shm")
    .stat()
    .catch(() => null)
)?.isDirectory()
  ? "/dev/shm"
  : tmpdir();

export interface Stage extends AsyncDisposable {
  folder: string;
  address: string;
  videos: string[];
  /** Every file to fetch: videos and their companions. */
  names: string[];
  /** Resolves when the camera has driven off. */
  gone: Promise<unknown>;
}

/** Name of a camera beside this file, and the behaviour of one that has manners. */
interface CameraChoice {
  script: string;
  manner: object;
}

export interface StageOptions {
  moments: number;
  directions: readonly string[];
  videoBytes: number;
  companionBytes: number;
}

/** A camera in a process of its own, as fast as it can be unless told otherwise, with these files on its list. */
export async function openStage(options: StageOptions, choice?: CameraChoice): Promise<Stage> {
  const folder = mkdtempSync(join(MEMORY, "dashdock-bench-"));
  const { videos, names } = cardNames(options.moments, options.directions);
  const paths = { list: join(folder, "list"), video: join(folder, "video"), companion: join(folder, "companion") };
  await Bun.write(paths.list, formatListing(videos.map((name) => ({ name }))));
  await Bun.write(paths.video, videoOf(options.videoBytes));
  for (const kind of ["thm", "gps", "3gf"] as const)
    await Bun.write(`${paths.companion}.${kind}`, companionOf(kind, options.companionBytes));
  const script = join(import.meta.dir, choice?.script ?? "fast_camera.ts");
  const args = ["0", paths.list, paths.video, paths.companion, JSON.stringify(choice?.manner ?? {})];
  const camera = Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "inherit" });
  const reader = camera.stdout.getReader();
  const { value } = await reader.read();
  const port = new TextDecoder().decode(value).trim();
  return {
    folder,
    address: `127.0.0.1:${port}`,
    videos,
    names,
    gone: camera.exited,
    async [Symbol.asyncDispose]() {
      camera.kill();
      await camera.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Moments one minute apart, ending before today; each with its directions, thumbnails, GPS and g-sensor. */
export function cardNames(moments: number, directions: readonly string[]): { videos: string[]; names: string[] } {
  const videos: string[] = [];
  const names: string[] = [];
  const start = Date.UTC(2026, 0, 1);
  for (let index = 0; index < moments; index++) {
    const stamp = new Date(start + index * 60_000).toISOString();
    const base = `${stamp.slice(0, 10).replaceAll("-", "")}_${stamp.slice(11, 19).replaceAll(":", "")}_N`;
    for (const direction of directions) {
      videos.push(`${base}${direction}.mp4`);
      names.push(`${base}${direction}.mp4`, `${base}${direction}.thm`);
    }
    names.push(`${base}.3gf`, `${base}.gps`);
  }
  return { videos, names };
}

/**
 * A whole MP4 of so many bytes: with any other bytes a sync would think that the camera still writes the file, and
 * leave it and its companions for later. A few bytes of nothing, when a benchmark wants no video at all.
 */
function videoOf(length: number): Uint8Array {
  const movie = movieOf("hvc1");
  const around = fileOf(movie, 0).length;
  return length < around ? filler(length) : varied(fileOf(movie, length - around), around);
}

/** A whole companion of about so many bytes: one without an end is asked for again when its video has come. */
function companionOf(kind: "thm" | "gps" | "3gf", length: number): Uint8Array {
  if (kind === "3gf") return filler(Math.max(10, length - (length % 10)));
  if (kind === "gps") return new TextEncoder().encode(FIX.repeat(Math.ceil(length / FIX.length)));
  const picture = filler(Math.max(5, length));
  picture.set([0xff, 0xd8, 0xff]);
  picture.set([0xff, 0xd9], picture.length - 2);
  return picture;
}
const FIX = "[1767225600000]$GPRMC,000000.00,A,5230.0000,N,01323.0000,E,10.000,90.0,010126,,,A*00\r\n";

function filler(length: number): Uint8Array {
  return varied(new Uint8Array(length), 0);
}

/** Bytes that are all the same prove nothing about a partial: after a cut all of the file would come again. */
function varied(bytes: Uint8Array, from: number): Uint8Array {
  for (let at = from; at < bytes.length; at += 4096) bytes[at] = at >> 12;
  return bytes;
}

/** An empty folder for one round. */
export function emptyFolder(stage: Pick<Stage, "folder">, name: string): string {
  const folder = join(stage.folder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return folder;
}
