import { endingsOf } from "../../domain/sync/wanted_files.ts";
import { VIDEO_ENDINGS, type CameraList } from "../../domain/sync/camera_list.ts";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import type { Library } from "../../store/library/library.ts";
import type { CheckedFile } from "../../store/destination/sums_rows.ts";
import { nextTurn } from "../../turns.ts";

/** Recordings looked up at once: some milliseconds. */
const SLICE = 500;
const TAKEN = 1;
const DAMAGED = 2;

/** Tells of recordings, by their place in a list, whether their checksums were taken and whether one is damaged. */
export interface RecordingChecks {
  isTaken(place: number): boolean;
  isDamaged(place: number): boolean;
}

export interface CheckParts {
  /** Files from one moment to another of which checksums were taken. */
  readonly between: (from: number, to: number) => readonly CheckedFile[] | Promise<readonly CheckedFile[]>;
  readonly library: Pick<Library, "hasIn"> & { readonly names: Pick<Library["names"], "hasAt"> };
}

/**
 * Looks up the checksums of all recordings of a list, in slices. Those of a recording are taken when those of its video
 * are, and of all files beside it that are at home.
 */
export async function checksOf(list: CameraList, parts: CheckParts): Promise<RecordingChecks> {
  const bits = new Uint8Array(list.size);
  const known: (FileEndings | undefined)[] = [];
  for (let from = 0; from < list.size; ) {
    const to = endOf(list, Math.min(list.size, from + SLICE));
    const files = Map.groupBy(
      (await parts.between(list.momentAt(from), list.momentAt(to - 1))).filter((file) => isHere(file, parts.library)),
      ({ moment }) => moment,
    );
    for (let place = from; place < to; place++) {
      const ending = list.endingAt(place);
      const own = known[ending] ?? fileEndingsOf(list.nameAt(place), VIDEO_ENDINGS[ending] ?? "");
      known[ending] = own;
      const moment = list.momentAt(place);
      bits[place] = bitsOf(moment, own, files.get(moment) ?? NONE, parts);
    }
    from = to;
    await nextTurn();
  }
  return {
    isTaken: (place) => ((bits[place] ?? 0) & TAKEN) !== 0,
    isDamaged: (place) => ((bits[place] ?? 0) & DAMAGED) !== 0,
  };
}

const NONE: readonly CheckedFile[] = [];

/** Endings of a recording's files: there are few different ones, so each is made once. */
interface FileEndings {
  readonly video: string;
  readonly companions: readonly string[];
}

function fileEndingsOf(name: string, video: string): FileEndings {
  const { thm, "3gf": gsensor, gps } = endingsOf(name, new Map());
  return { video, companions: [...thm, ...gsensor, ...gps] };
}

/** The end of a slice that does not part a moment. */
function endOf(list: CameraList, at: number): number {
  let end = at;
  while (end < list.size && list.momentAt(end) === list.momentAt(end - 1)) end++;
  return end;
}

/** Checksums of a file that was moved or deleted by another program say nothing about what is at home. */
export function isHere({ moment, ending, folder }: CheckedFile, library: Pick<Library, "hasIn">): boolean {
  return library.hasIn(nameOf(momentKey(moment), ending), folder);
}

function bitsOf(
  moment: number,
  { video, companions }: FileEndings,
  files: readonly CheckedFile[],
  { library }: CheckParts,
): number {
  let isDamaged = false;
  let isTaken = false;
  for (const file of files) {
    if (file.ending !== video && !companions.includes(file.ending)) continue;
    isDamaged ||= file.isDamaged;
    // An empty file has a checksum, too, but is no recording.
    isTaken ||= file.ending === video && !file.isDamaged && file.size > 0;
  }
  for (const ending of companions) isTaken &&= isWhole(ending) || !library.names.hasAt(moment, ending);
  return (isTaken ? TAKEN : 0) | (isDamaged ? DAMAGED : 0);

  function isWhole(ending: string): boolean {
    return files.some((file) => file.ending === ending && !file.isDamaged);
  }
}
