import type { StatusLevel } from "../../../server/domain/answers/status_level.ts";
import type { FoldersAnswer } from "../../../server/domain/settings/folders_schema.ts";
import { Refusal, send } from "../../browser/client.ts";

/** A folder that a camera is to have. */
export interface FolderState {
  readonly level: StatusLevel;
  readonly words: string;
  /** Bytes that can be written on its disk; null while unknown. */
  readonly free: number | null;
}

/** Finds out whether recordings can go to a folder. @throws Refusal, or what `fetch` throws after an abort */
export async function folderState(path: string, signal: AbortSignal): Promise<FolderState> {
  const above = folderAbove(path);
  let around: FoldersAnswer;
  try {
    around = await foldersIn(above, signal);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "NOT_FOUND") throw error;
    return { level: "attention", words: "The folder above it is not there", free: null };
  }
  const free = around.free_bytes;
  const found = around.folders.find((one) => one.path === path);
  if (found) {
    if (!found.can_be_used) return { level: "failed", words: "Dashdock may not write here", free };
    const words = found.is_empty ? "Empty and writable" : "Writable, holds files. Recordings in it are shown";
    return { level: "fine", words, free };
  }
  const aboveThat = await foldersIn(folderAbove(above), signal).catch(() => null);
  const isClosed = aboveThat?.folders.find((one) => one.path === above)?.can_be_used === false;
  return isClosed
    ? { level: "failed", words: "Dashdock may not make it here", free }
    : { level: "fine", words: "New: it is made when the camera is added", free };
}

async function foldersIn(path: string, signal: AbortSignal): Promise<FoldersAnswer> {
  return await send<FoldersAnswer>(`GET /api/folders?path=${encodeURIComponent(path)}`, undefined, signal);
}

/** Returns the path without the last `/`. */
export function tidyFolder(path: string): string {
  return path.trim().replace(/(?<=.)\/+$/, "");
}

export function folderAbove(path: string): string {
  return path.replace(/\/[^/]*$/, "") || "/";
}
