import { type Grouping, groupFolder } from "../recordings/date_folders.ts";
import { momentNumber } from "../recordings/moment_number.ts";
import { ARTIFACT_KINDS, endingOf, nameOf, type RecordingName } from "../recordings/recording_name.ts";
import type { Priority } from "../settings/sections/sync.ts";
import { orderKeyOf } from "../sync/download_order.ts";
import { FileJudge, type HomeIndex, kindsWithout, type WantedRules } from "../sync/wanted_files.ts";
import type { LeftCause } from "./left_out.ts";

export interface ImportRules extends WantedRules {
  readonly priority: Priority;
  readonly grouping: Grouping;
}

/** Files at home, as an import asks for them. */
export interface ImportHome extends HomeIndex {
  /** True when a video of this group is at home. @param direction of the video; empty for any */
  hasVideo(key: string, direction: string): boolean;
}

/** A file of a card whose name is a recording's. */
export interface CardFile {
  /** Below the folder that is imported, as it is written there. */
  readonly path: string;
  /** Its name at home. */
  readonly name: RecordingName;
  readonly size: number;
}

/** A file that is to come home, or to be compared with the one of its name there. */
export interface ImportedFile extends CardFile {
  /** Folder below the destination, empty for the root. */
  readonly folder: string;
}

export interface ImportPlan {
  /** Files that are not at home; see `importOrder`. */
  readonly toCome: ImportedFile[];
  /** Files of which one of their name is at home. */
  readonly toCompare: ImportedFile[];
  readonly left: { readonly file: CardFile; readonly cause: LeftCause }[];
}

/** Number of files after which others may run. */
const SLICE = 250;

/**
 * Decides, by the rules for a camera's files, which files of a card come home. Pure; each step is a slice of the files,
 * so that others may run between two of them.
 */
export function* planImport(
  files: readonly CardFile[],
  home: ImportHome,
  rules: ImportRules,
): Generator<void, ImportPlan> {
  const plan: ImportPlan = { toCome: [], toCompare: [], left: [] };
  const videos = files.filter(({ name, size }) => name.kind === "mp4" && size > 0);
  const judge = new FileJudge(rules, home, () =>
    videos.map(({ name: { name } }) => [momentNumber(name), endingOf(name)]),
  );
  const kinds = new Set(kindsWithout(rules.skipMetadata));
  const against = ({ name }: RecordingName) => judge.ruleAgainst(momentNumber(name), endingOf(name));
  /**
   * The reason that keeps the videos on the card from coming, null when one may come: by group, for what its directions
   * share, and by group and direction.
   */
  const ofVideos = new Map<string, LeftCause | null>();
  let handled = 0;
  for (const { name } of videos) {
    const cause = against(name);
    for (const of of [name.key, name.key + name.direction])
      if (cause === null || !ofVideos.has(of)) ofVideos.set(of, cause);
    if (++handled % SLICE === 0) yield;
  }
  for (const file of files) {
    if (++handled % SLICE === 0) yield;
    const { name } = file;
    const cause = causeOf(file);
    if (cause !== null) {
      plan.left.push({ file, cause });
      continue;
    }
    const planned = { ...file, folder: groupFolder(name.base, rules.grouping) };
    if (namesAtHome(name).some((own) => home.has(momentNumber(own), endingOf(own)))) plan.toCompare.push(planned);
    else if (home.isUnknown(momentNumber(name.name))) plan.left.push({ file, cause: "unknown-home" });
    else plan.toCome.push(planned);
  }
  return plan;

  function causeOf({ name, size }: CardFile): LeftCause | null {
    if (size === 0) return "empty";
    if (!kinds.has(name.kind)) return "selection";
    if (name.kind === "mp4") return against(name);
    const cause = ofVideos.get(name.key + name.direction);
    if (cause !== undefined) return cause;
    return home.hasVideo(name.key, name.direction) ? null : "no-video";
  }
}

/**
 * The order in which files of a card come home: that of a sync, a recording's companions behind its videos. @returns
 * negative when the first of them comes first
 */
export function importOrder(priority: Priority): (one: CardFile, other: CardFile) => number {
  const byOrder = (one: RecordingName, other: RecordingName) =>
    orderKeyOf({ priority }, one) - orderKeyOf({ priority }, other);
  return ({ name: one, path }, { name: other, path: otherPath }) => {
    if (one.key !== other.key) return byOrder(one, other) || (one.key < other.key ? -1 : 1);
    return rank(one) - rank(other) || byOrder(one, other) || (path < otherPath ? -1 : 1);
  };
}

/**
 * The names under which a file of a card may be at home: its own, then those of a camera that drops or keeps the upload
 * letter of a companion.
 */
export function namesAtHome(name: RecordingName): string[] {
  if (name.kind === "mp4") return [name.name];
  const others = ["", "L", "S"].map((flag) => nameOf(name.key, `${name.direction}${flag}.${name.kind}`));
  return [name.name, ...others.filter((other) => other !== name.name)];
}

function rank({ kind }: RecordingName): number {
  return ARTIFACT_KINDS.indexOf(kind);
}
