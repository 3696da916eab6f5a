import type { Clock } from "../../clock.ts";
import type { Dashcam } from "../../dashcam/camera.ts";
import type { Opened } from "../../dashcam/opened.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { ByteSpan } from "../../dashcam/request.ts";
import { formatBytes } from "../../domain/text/format.ts";
import type { Log } from "../../log.ts";
import type { Destination } from "../../store/destination/destination.ts";
import type { FileInTheWay } from "../../store/destination/destination_problem.ts";
import type { FailureMarkers } from "../../store/destination/failure_markers.ts";
import type { PartialFile } from "../../store/destination/partial_file.ts";
import type { PartialRecords } from "../../store/destination/partial_records.ts";
import type { Library } from "../../store/library/library.ts";
import type { Reserved } from "./disk_budget.ts";
import type { Reservation } from "./disk_reservations.ts";
import { DiskFull } from "./failure_of_error.ts";
import type { ProgressReport } from "./progress_report.ts";
import type { WaitLimits } from "./wait_limits.ts";

/** The parts that fetching files needs, for a whole run. */
export interface FetchParts {
  dashcam: Dashcam;
  recordings: Destination;
  library: Library;
  markers: FailureMarkers;
  clock: Clock;
  log: Log;
  report: ProgressReport;
  /** Notes beside the partials. */
  records: PartialRecords;
  waitLimits: WaitLimits;
}

/** The parts that fetching one file needs. */
export interface DownloadParts extends Pick<FetchParts, "dashcam" | "recordings" | "records" | "clock"> {
  /** Speed of the last long file, 0 before the first. Each long file writes down its own. */
  link: { bytesPerSecond: number };
  /**
   * Reserves room for `most` bytes, or for as many as there is room for, and for none when it is too little for `least`.
   * Asked when a file's size becomes known, and as it grows when it does not.
   */
  reserve(least: number, most?: number): Promise<Reserved>;
  /** Called when bytes that had come are given up, and the room they took is free again. */
  roomFreed(): void;
  /** Bytes of a video at most, whatever the camera promises or sends. */
  maxVideoBytes: number;
  /** Called as the transfer goes. */
  listener: { opened(offset: number, total: number | null): void; chunk(bytes: number): void };
}

/** Outcome of one try to bring one file home. An error that ends the whole run is thrown instead. */
export type Outcome =
  /**
   * All of it is here and may be finished: flushed, and given its final name. The caller closes the partial then, and
   * removes the note beside it. `isOpenEnded`: a companion that shows by itself that its end is missing.
   */
  | {
      kind: "received";
      name: string;
      size: number;
      partial(): Promise<PartialFile>;
      isNoted: boolean;
      isOpenEnded?: boolean;
    }
  /** A dry run: it would be fetched. */
  | { kind: "listed" }
  /** The camera does not have it: normal for a companion, overwritten meanwhile for a video. */
  | { kind: "absent" }
  /** Listed, but empty on the card. */
  | { kind: "empty" }
  /** Still being recorded: what is here stays a partial and is continued in a later run. */
  | { kind: "growing" }
  /** A user deleted its recording here since the run was planned, or said that it is not needed. */
  | { kind: "deleted" }
  /** The camera's doing, or something in the destination that is in the way. `gained`: by how many bytes the partial has grown. */
  | { kind: "failed"; problem: FileProblem; gained: number };

/** Problems that fail one file and leave the others alone. */
export type FileProblem = DashcamProblem | FileInTheWay | NoRoom;

/** The disk has no room for this one file; smaller ones may still fit. */
export class NoRoom extends DiskFull {
  override name = "NoRoom";
  override readonly lacks = "no-room";
  /** Bytes that are missing, and that were left. */
  readonly bytes: number;
  readonly room: number;

  constructor(bytes: number, room: number, message?: string) {
    super(
      message ??
        `the file needs ${formatBytes(bytes)} and the disk has room for ${formatBytes(Math.max(0, room))}; free space or lower retention`,
    );
    this.bytes = bytes;
    this.room = room;
  }
}

/** The disk has no room for a file of which the camera does not say how long it is: it may have no end. */
export class NoRoomForEndless extends NoRoom {
  override name = "NoRoomForEndless";

  /** @param bytes that had come */
  constructor(bytes: number) {
    super(
      bytes,
      bytes,
      `the camera names no length and sent ${formatBytes(bytes)}, and the disk has room for no more; free space or lower retention`,
    );
  }
}

/** Reserves room for so many more bytes. @throws NoRoom when they do not fit */
export async function requireRoom(parts: Pick<DownloadParts, "reserve">, bytes: number): Promise<Reservation> {
  const { room, reservation } = await parts.reserve(bytes);
  if (reservation === null) throw new NoRoom(bytes, room);
  return reservation;
}

/** The error when something else answers than the camera's files. */
export function notTheFile(): DashcamProblem {
  return new DashcamProblem(
    "http",
    "something else came instead of the file, such as a web page; does a camera answer at this address?",
  );
}

/** Ways in which a camera may refuse a request for a part alone. */
const REFUSALS: ReadonlySet<DashcamProblem["kind"]> = new Set(["http", "redirect", "closed", "reset"]);

/** The camera did not answer the request for a part as one for a part; asked for the whole it may. */
export type Ranged = Opened | { kind: "unranged" };

/** Asks for a part of a file; a camera that refuses parts may still send the whole. @throws DashcamProblem */
export async function openPart(dashcam: Dashcam, name: string, span: ByteSpan, signal: AbortSignal): Promise<Ranged> {
  try {
    const opened = await dashcam.open(name, span, signal);
    return opened.kind === "empty" || opened.kind === "absent" ? { kind: "unranged" } : opened;
  } catch (error) {
    if (error instanceof DashcamProblem && REFUSALS.has(error.kind)) return { kind: "unranged" };
    throw error;
  }
}
