import { contentsInWords, type DiskContents } from "../../domain/runs/disk_space.ts";
import type { FailureCause } from "../../domain/runs/failure_cause.ts";
import { everyMoment } from "../retention/due.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import type { Failure } from "../transfer/failure_of_error.ts";

type DiskParts = Pick<RetentionParts, "library" | "trash" | "disk" | "sizes">;

/** Endings that call for room on the disk. */
const ABOUT_ROOM: ReadonlySet<FailureCause> = new Set(["disk-limit", "disk-full", "no-room"]);
/** Longest wait for the sizes of recordings. */
const SIZES_MS = 2000;

/** The failure of a run; of one for which the disk had no room, with what fills it. */
export async function withContents(failure: Failure, parts: DiskParts): Promise<Failure> {
  if (!ABOUT_ROOM.has(failure.cause)) return failure;
  const contents = await diskContents(parts).catch(() => null);
  return contents === null ? failure : { ...failure, message: `${failure.message}; ${contentsInWords(contents)}` };
}

/** Measures the contents of the disk; null while they are not known, or the disk does not tell its size. */
async function diskContents({ library, trash, disk, sizes }: DiskParts): Promise<DiskContents | null> {
  const all = everyMoment(library);
  await sizes.learnWithin(all, SIZES_MS);
  const recordings = sizes.sum(all);
  const inTrash = (await trash.amount()).bytes;
  const { usedBytes, totalBytes } = await disk();
  if (recordings === null || totalBytes === 0) return null;
  return { recordings, trash: inTrash, others: Math.max(0, usedBytes - recordings - inTrash) };
}
