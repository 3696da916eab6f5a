import type { Listing } from "../../domain/recordings/camera_listing.ts";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { checkRecordingName, groupOf, nameOf, parseArtifact } from "../../domain/recordings/recording_name.ts";
import {
  type CameraList,
  CameraListBuilder,
  COMPANION_MARKS,
  isBelievable,
  type ListOwner,
  MARK_BITS,
  MOST_LISTED,
} from "../../domain/sync/camera_list.ts";
import { type Endings, endingsOf } from "../../domain/sync/wanted_files.ts";
import { eachInSlices, sortInSlices } from "../../turns.ts";

/** Facts about a list's files that a run has learned. */
export interface LearnedOfFiles {
  /** True when the camera has answered that it does not have this companion. */
  readonly isAbsent: (name: string) => boolean;
  /** True while it is unknown if this video is the one of that name at home. */
  readonly isUnsure: (name: string) => boolean;
}

interface Learned extends LearnedOfFiles {
  readonly isHome: (moment: number, ending: string) => boolean;
}

/**
 * The list that a run has got from the camera, as it is remembered, in slices; null when it is not to be believed.
 * @param before the one that it takes the place of, and whether the one before was not believed since it was empty
 * @param learned what is known of its files beside it
 */
export async function listFrom(
  listing: Listing,
  owner: ListOwner,
  before: { readonly list: CameraList | null; readonly wasEmpty: boolean },
  learned: Learned,
): Promise<CameraList | null> {
  const names: string[] = [];
  let unknown = 0;
  let isInOrder = true;
  await eachInSlices(listing.files, ({ name }) => {
    const kind = checkRecordingName(name);
    if (kind === "recording") {
      isInOrder &&= names.length === 0 || (names.at(-1) ?? "") < name;
      names.push(name);
    } else if (kind === "other" && parseArtifact(name) === null) unknown++;
  });
  const answer = {
    files: listing.files.length,
    strange: listing.strangeCount,
    has: (name: string) => names.includes(name),
  };
  if (!isBelievable(answer, before.list, before.wasEmpty) || names.length > MOST_LISTED) return null;
  const builder = new CameraListBuilder(owner, names.length);
  builder.unknown = unknown;
  const sorted = isInOrder ? names : await sortInSlices(names, (one, other) => (one < other ? -1 : 1));
  const endings = new Map<string, Endings>();
  await eachInSlices(sorted, (name) => {
    const marks = (before.list?.marksOf(name) ?? 0) & (MARK_BITS.gone | MARK_BITS.growing);
    const unsure = learned.isUnsure(name) ? MARK_BITS.unsure : 0;
    builder.add(name, marks | unsure | absentMarks(name, endingsOf(name, endings), learned));
  });
  return builder.list();
}

/** The companions of a recording that are neither at home nor on the camera, as marks. */
function absentMarks(name: string, endings: Endings, { isAbsent, isHome }: Learned): number {
  const moment = momentNumber(name);
  const key = groupOf(name);
  let marks = 0;
  for (const kind of COMPANION_MARKS) {
    if (endings[kind].some((ending) => isHome(moment, ending))) continue;
    if (endings[kind].some((ending) => isAbsent(nameOf(key, ending)))) marks |= MARK_BITS[kind];
  }
  return marks;
}
