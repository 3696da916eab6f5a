import type { Dashcam } from "../../dashcam/camera.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { PlannedFile } from "../../domain/sync/download_plan.ts";
import { FileInTheWay } from "../../store/destination/destination_problem.ts";
import { errorCode } from "../../store/error_code.ts";
import { CompanionTransfer } from "./companion_transfer.ts";
import { lacksRoom } from "./failure_of_error.ts";
import { ResumableVideo } from "./resumable_video.ts";
import { type DownloadParts, NoRoom, NoRoomForEndless, type Outcome } from "./transfer_outcome.ts";

/**
 * One try to bring one file home: under the names it may have there, in turn. A video goes on from where its partial ends.
 * @throws the signal's reason, and the file system's errors; each of them keeps the partial
 */
export async function download(parts: DownloadParts, file: PlannedFile, signal: AbortSignal): Promise<Outcome> {
  let outcome: Outcome = { kind: "absent" };
  for (const name of file.names) {
    outcome = await tryOnce(parts, file, name, signal);
    const isAbsent = outcome.kind === "absent" || (outcome.kind === "empty" && file.kind !== "mp4");
    if (!isAbsent || !hasNames(parts.dashcam)) break;
  }
  return outcome;
}

/** Room for a large video, when the disk is full in the middle of one whose length is not known. */
const WRITE_ROOM_BYTES = 512 * 1024 * 1024;

/**
 * As `download`; when the disk has no room, some is made and it is tried once more.
 * @param makeRoom frees so many bytes; false when there are not as many. Null: none is made for this file
 */
export async function downloadWithRoom(
  parts: DownloadParts,
  file: PlannedFile,
  makeRoom: ((bytes: number) => Promise<boolean>) | null,
  signal: AbortSignal,
): Promise<Outcome> {
  let missing: number | null = null;
  const listener: DownloadParts["listener"] = {
    opened(offset, total) {
      missing = total === null ? null : total - offset;
      parts.listener.opened(offset, total);
    },
    chunk(bytes) {
      if (missing !== null) missing -= bytes;
      parts.listener.chunk(bytes);
    },
  };
  try {
    const outcome = await download({ ...parts, listener }, file, signal);
    if (makeRoom === null || outcome.kind !== "failed" || !(outcome.problem instanceof NoRoom)) return outcome;
    // No recording goes for a file that may have no end.
    if (outcome.problem instanceof NoRoomForEndless) return outcome;
    const { bytes, room: left } = outcome.problem;
    return (await makeRoom(bytes - Math.max(0, left))) ? await download(parts, file, signal) : outcome;
  } catch (error) {
    if (!lacksRoom(error) || !(await makeRoom?.(missing ?? WRITE_ROOM_BYTES))) throw error;
    return await download(parts, file, signal);
  }
}

/** With the newer interface companions have no names on the camera: another one would ask the same again. */
function hasNames({ generation }: Dashcam): boolean {
  return generation !== "v1009";
}

async function tryOnce(parts: DownloadParts, file: PlannedFile, name: string, signal: AbortSignal): Promise<Outcome> {
  const transfer =
    file.kind === "mp4"
      ? new ResumableVideo(parts, { name, newest: file.newest }, signal)
      : new CompanionTransfer(parts, { name, kind: file.kind, video: file.recording.name }, signal);
  try {
    // Before the bytes come, not after them.
    if (file.folder) parts.recordings.checkFolder(file.folder);
    return await transfer.run();
  } catch (thrown) {
    const error = parts.recordings.ofFile(name, thrown);
    if (error instanceof DashcamProblem || error instanceof FileInTheWay || error instanceof NoRoom)
      return { kind: "failed", problem: error, gained: transfer.gained };
    // FAT holds no file of 4 GB: that is no reason to keep the smaller ones from coming.
    if (errorCode(error) === "EFBIG") {
      const problem = new FileInTheWay(`${name} is larger than the destination's file system can hold`, "disk");
      return { kind: "failed", problem, gained: 0 };
    }
    throw error;
  }
}
