import type { ListedFile } from "../recordings/camera_listing.ts";
import { type Grouping, groupFolder } from "../recordings/date_folders.ts";
import { momentNumber } from "../recordings/moment_number.ts";
import {
  ARTIFACT_KINDS,
  type ArtifactKind,
  baseOf,
  checkRecordingName,
  directionOf,
  endingOf,
  parseArtifact,
  parseRecording,
  type RecordingName,
  typeOf,
} from "../recordings/recording_name.ts";
import { isSelected } from "../recordings/selection_codes.ts";
import { type LeftOut, nothingLeftOut } from "../runs/run.ts";
import { MOST_NAMES } from "../runs/run_detail.ts";
import type { Priority } from "../settings/sections/sync.ts";
import { type ChoosingRules, chooserOf, sparedBy } from "./age_and_selection.ts";
import { inOrder } from "./download_order.ts";

/** The letters of `sync.skip_metadata` and the companions they stand for. */
export const METADATA_LETTERS = { t: "thm", "3": "3gf", g: "gps" } as const;
export type MetadataLetter = keyof typeof METADATA_LETTERS;

export interface PlanRules extends ChoosingRules {
  priority: Priority;
  grouping: Grouping;
  skipMetadata: readonly string[];
  /**
   * True when recordings that are not chosen get their thumbnails and GPS, too. Cameras have these only for as long as
   * the video, so a drive could have holes on the map for ever. False when left out.
   */
  metadataOfSkipped?: boolean;
}

/** Files that are at home already, and the users' requested. */
export interface AtHome {
  /**
   * True when a file of a recording's moment is at home, in any folder: the first 17 characters of `name`, then
   * `ending`, such as `F.thm`. It is called 200,000 times for a full card, so it makes no name of the two.
   */
  has(name: string, ending: string): boolean;
  /** A recent failure of that file forbids another attempt for now. */
  isBlocked(name: string, ending: string): boolean;
  /** The camera was asked for that companion often enough and does not have it. */
  isAbsent(name: string, ending: string): boolean;
  /** True when the recording was deleted here, by hand or to make room. Its files that are not at home stay away. */
  isDeleted(name: string): boolean;
  /** True when a user has said that the recording is not needed. */
  isUnwanted(name: string): boolean;
  /** All of them, see `momentNumber`. */
  moments(): Iterable<number>;
  /** True when the recording may lie in a folder that cannot be read just now. @param base `YYYYMMDD_HHMMSS` */
  isUnknown(base: string): boolean;
}

export interface PlannedFile {
  recording: RecordingName;
  kind: ArtifactKind;
  /** The names the camera may hold it under, likeliest first; the one that answers becomes the final name. */
  names: Names;
  /** Folder below the destination, empty for the root. */
  folder: string;
  /** The newest video of its direction may still be growing while it is fetched. */
  newest: boolean;
}

export interface Plan {
  /** Files to download, in order; a recording's files are together, its video first. */
  files: PlannedFile[];
  /** Bases of recordings that live as long as an event beside them, see `sparedBy`. */
  readonly spared: ReadonlySet<number>;
  /** Files that need no transfer: at home already, blocked by a recent failure, known to be absent on the camera. */
  present: number;
  blocked: number;
  absent: number;
  /** Listed recordings that no rule let through. */
  leftOut: LeftOut;
  /** The first of them by the rule that left them out. */
  readonly leftOutNames: Record<"retention" | "selection" | "deleted", string[]>;
  /** The first name that no rule for names knows; null when there is none. */
  unknownName: string | null;
  recordingsSeen: number;
  recordingsSelected: number;
  /** Listed names whose date cannot be, at most the first five, and how many there were. */
  impossible: string[];
  impossibleCount: number;
}

/** A recording of which something is missing at home. */
interface Wanted {
  recording: RecordingName;
  missing: readonly ArtifactKind[];
}

/** Endings by kind: they may follow a moment's 17 characters in the names of a recording's artifacts. */
export type Endings = Readonly<Record<ArtifactKind, readonly string[]>>;

type Names = readonly [string, ...string[]];

/** Decides which files to download, in which order, and which to skip, before anything is downloaded. Pure. */
export function planSync(listed: readonly ListedFile[], home: AtHome, rules: PlanRules): Plan {
  const plan: Plan = {
    files: [],
    spared: sparedBy(rules, () => momentsToBe(listed, home, rules)),
    present: 0,
    blocked: 0,
    absent: 0,
    leftOut: nothingLeftOut(),
    leftOutNames: { retention: [], selection: [], deleted: [] },
    unknownName: null,
    recordingsSeen: 0,
    recordingsSelected: 0,
    impossible: [],
    impossibleCount: 0,
  };
  const kinds = kindsWithout(rules.skipMetadata);
  // Most cameras list videos only: this is small then.
  const companions = new Set<string>();
  for (const { name } of listed) if (!name.endsWith(".mp4")) companions.add(name);

  const ruleAgainst = chooserOf(rules, plan.spared);
  // Nothing is made for a recording that is all at home, as nearly all of 50,000 are on most runs.
  const newest = new Map<string, string>();
  const wanted: Wanted[] = [];
  // The directions of a moment share artifacts; each counts once.
  const momentsDone = new Set<number>();
  const skipped: string[] = [];
  const endings = new Map<string, Endings>();
  for (const { name } of listed) {
    const kindOfName = checkRecordingName(name);
    if (kindOfName === "other") {
      if (parseArtifact(name) !== null) continue;
      plan.leftOut.unknown++;
      plan.unknownName ??= name;
      continue;
    }
    if (kindOfName === "impossible") {
      if (plan.impossibleCount++ < 5) plan.impossible.push(name);
      continue;
    }
    plan.recordingsSeen++;
    const direction = directionOf(name);
    if (name > (newest.get(direction) ?? "")) newest.set(direction, name);
    const moment = momentNumber(name);
    const against = ruleAgainst(moment, direction);
    const rule = against ?? refusedByUser(name, home);
    if (rule !== null) {
      plan.leftOut[rule]++;
      if (plan.leftOutNames[rule].length < MOST_NAMES) plan.leftOutNames[rule].push(name);
      if (against === "selection" && rules.metadataOfSkipped) skipped.push(name);
      continue;
    }
    plan.recordingsSelected++;
    const isDeleted = home.isDeleted(name);
    const isFirst = !momentsDone.has(moment);
    if (isFirst) momentsDone.add(moment);
    const possible = endingsOf(name, endings);
    let missing: ArtifactKind[] | null = null;
    for (const kind of kinds) {
      if (!isFirst && (kind === "3gf" || kind === "gps")) continue;
      if (holds(home, "has", name, possible[kind])) plan.present++;
      else if (isDeleted) continue;
      else if (holds(home, "isBlocked", name, possible[kind])) plan.blocked++;
      else if (kind !== "mp4" && holds(home, "isAbsent", name, possible[kind])) plan.absent++;
      else {
        missing ??= [];
        missing.push(kind);
      }
    }
    const recording = missing && parseRecording(name);
    if (missing === null || recording === null) continue;
    // It may be at home in a folder that cannot be read just now: then it would be fetched in vain.
    if (home.isUnknown(recording.base)) plan.leftOut.unreadable++;
    else wanted.push({ recording, missing });
  }

  for (const name of skipped) {
    const recording = parseRecording(name);
    const missing = kinds.filter((kind) => isMetadata(kind) && !isSettled(home, name, endingsOf(name, endings)[kind]));
    // A recording that may still grow has no whole companion.
    const isWhole = !newest.get(directionOf(name))?.startsWith(baseOf(name));
    if (recording && isWhole && missing.length > 0 && !home.isUnknown(recording.base))
      wanted.push({ recording, missing });
  }

  const isNewest = ({ base, direction }: RecordingName) => newest.get(direction)?.startsWith(base) === true;
  // Videos first, then what only lacks companions, which for many recordings the camera will never have: the car may
  // leave before all of those are asked for.
  const rank = ({ missing }: Wanted) => (missing[0] === "mp4" ? 0 : 1);
  const byName = (one: Wanted, other: Wanted) => (one.recording.name < other.recording.name ? -1 : 1);
  wanted.sort(
    (one, other) =>
      rank(one) - rank(other) || inOrder(rules.priority, one.recording, other.recording) || byName(one, other),
  );
  // A recording and its low-resolution copy have one thumbnail.
  const planned = new Set<string>();
  for (const { recording, missing } of wanted) {
    const folder = groupFolder(recording.base, rules.grouping);
    for (const kind of missing) {
      const names = candidates(recording, kind, companions);
      if (names.some((name) => planned.has(name))) continue;
      for (const name of names) planned.add(name);
      plan.files.push({
        recording,
        kind,
        names,
        folder,
        newest: isNewest(recording),
      });
    }
  }
  return plan;
}

/** Returns the users' reason that keeps a recording from coming, as a rule; null without one. */
function refusedByUser(name: string, home: AtHome): "deleted" | "selection" | null {
  const isDeleted = home.isDeleted(name);
  if (!(isDeleted || home.isUnwanted(name)) || home.has(name, endingOf(name))) return null;
  return isDeleted ? "deleted" : "selection";
}

/** Returns the moments at home after this run. */
function momentsToBe(listed: readonly ListedFile[], home: AtHome, rules: PlanRules): ReadonlySet<number> {
  const moments = new Set(home.moments());
  for (const { name } of listed) {
    if (checkRecordingName(name) !== "recording" || home.isDeleted(name)) continue;
    if (!isSelected(typeOf(name), directionOf(name), rules.include, rules.exclude)) continue;
    if (!home.isBlocked(name, endingOf(name))) moments.add(momentNumber(name));
  }
  return moments;
}

/** Returns the kinds of files to download of a recording, the video first. */
export function kindsWithout(skipMetadata: readonly string[]): readonly ArtifactKind[] {
  return ARTIFACT_KINDS.filter(
    (kind) => !skipMetadata.some((letter) => METADATA_LETTERS[letter as MetadataLetter] === kind),
  );
}

/** The letters of `sync.skip_metadata` for these kinds. */
export function lettersOf(kinds: readonly ArtifactKind[]): string[] {
  return Object.entries(METADATA_LETTERS).flatMap(([letter, kind]) => (kinds.includes(kind) ? [letter] : []));
}

/** True when this holds for a file with one of the endings. */
function holds(home: AtHome, what: "has" | "isBlocked" | "isAbsent", name: string, endings: readonly string[]) {
  for (const ending of endings) if (home[what](name, ending)) return true;
  return false;
}

/** True when a companion is at home, or need not be asked for now. */
function isSettled(home: AtHome, name: string, endings: readonly string[]): boolean {
  return (
    holds(home, "has", name, endings) ||
    holds(home, "isBlocked", name, endings) ||
    holds(home, "isAbsent", name, endings)
  );
}

/** True for the kinds that show a drive before its videos, and without them. */
export function isMetadata(kind: ArtifactKind): kind is "thm" | "gps" {
  return kind === "thm" || kind === "gps";
}

/** The endings of a video's artifacts; there are few different ones, so each is made once. */
export function endingsOf(name: string, known: Map<string, Endings>): Endings {
  const own = endingOf(name);
  const found = known.get(own);
  if (found) return found;
  const recording = parseRecording(name);
  const of = (kind: ArtifactKind) => recording?.namesOf(kind).map(endingOf) ?? [];
  const endings = { mp4: [own], thm: of("thm"), "3gf": of("3gf"), gps: of("gps") };
  known.set(own, endings);
  return endings;
}

/** Names that the listing shows come before derived ones: most cameras list videos only. */
function candidates(recording: RecordingName, kind: ArtifactKind, listed: ReadonlySet<string>): Names {
  const [plain = "", flagged] = recording.namesOf(kind);
  if (flagged === undefined) return [plain];
  return listed.has(flagged) && !listed.has(plain) ? [flagged, plain] : [plain, flagged];
}
