import type { ListedFile } from "../recordings/camera_listing.ts";
import { type Grouping, groupFolder } from "../recordings/date_folders.ts";
import { momentNumber } from "../recordings/moment_number.ts";
import {
  type ArtifactKind,
  baseOf,
  checkRecordingName,
  directionOf,
  endingOf,
  parseArtifact,
  parseRecording,
  type RecordingName,
} from "../recordings/recording_name.ts";
import { type LeftOut, nothingLeftOut } from "../runs/run.ts";
import { MOST_NAMES } from "../runs/run_detail.ts";
import { type DownloadOrder, orderKeyOf } from "./download_order.ts";
import {
  type Endings,
  endingsOf,
  FileJudge,
  type HomeIndex,
  KIND_BITS,
  kindsWithout,
  type WantedRules,
} from "./wanted_files.ts";

export interface PlanRules extends WantedRules, DownloadOrder {
  grouping: Grouping;
  /**
   * True when recordings that are not chosen get their thumbnails and GPS, too. Cameras have these only for as long as
   * the video, so a drive could have holes on the map for ever. False when left out.
   */
  metadataOfSkipped?: boolean;
}

/** Files that are at home, and what earlier runs have tried. */
export interface AtHome extends HomeIndex {
  /** A recent failure of that file forbids another attempt for now. */
  isBlocked(name: string, ending: string): boolean;
  /** The camera was asked for that companion often enough and does not have it. */
  isAbsent(name: string, ending: string): boolean;
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
  /** See `orderKey`. */
  place: number;
  missing: readonly ArtifactKind[];
}

type Names = readonly [string, ...string[]];

/** Decides which files to download, in which order, and which to skip, before anything is downloaded. Pure. */
export function planSync(listed: readonly ListedFile[], home: AtHome, rules: PlanRules): Plan {
  const judge = new FileJudge(rules, home, () => videosToCome(listed, home));
  const plan: Plan = {
    files: [],
    spared: judge.spared,
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
  // There are few different ones, so each is made once.
  const kindsIn = Array.from({ length: 16 }, (_, bits) => kinds.filter((kind) => (bits & KIND_BITS[kind]) !== 0));
  // Most cameras list videos only: this is small then.
  const companions = new Set<string>();
  for (const { name } of listed) if (!name.endsWith(".mp4")) companions.add(name);

  // Nothing is made for a recording that is all at home, as nearly all of 50,000 are on most runs.
  const newest = new Map<string, string>();
  const wanted: Wanted[] = [];
  // The directions of a moment share artifacts; each counts once.
  const momentsDone = new Set<number>();
  const skipped: string[] = [];
  const endings = new Map<string, Endings>();
  let judged = "";
  const isSettled = (kind: ArtifactKind, possible: readonly string[]) => {
    if (holds(home, "isBlocked", judged, possible)) plan.blocked++;
    else if (kind !== "mp4" && holds(home, "isAbsent", judged, possible)) plan.absent++;
    else return false;
    return true;
  };
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
    const possible = endingsOf(name, endings);
    const against = judge.ruleAgainst(moment, possible.mp4[0] ?? "");
    if (against !== null) {
      const rule = against === "unwanted" ? "selection" : against;
      plan.leftOut[rule]++;
      if (plan.leftOutNames[rule].length < MOST_NAMES) plan.leftOutNames[rule].push(name);
      if (against === "selection" && rules.metadataOfSkipped) skipped.push(name);
      continue;
    }
    plan.recordingsSelected++;
    const isFirst = !momentsDone.has(moment);
    if (isFirst) momentsDone.add(moment);
    judged = name;
    const missing = judge.missingOf(moment, possible, isFirst, 0, isSettled);
    const recording = missing === 0 ? null : parseRecording(name);
    if (recording === null) continue;
    if (home.isUnknown(moment)) plan.leftOut.unreadable++;
    else wanted.push({ recording, place: orderKeyOf(rules, recording), missing: kindsIn[missing] ?? [] });
  }
  plan.present = judge.present;

  for (const name of skipped) {
    const recording = parseRecording(name);
    const moment = momentNumber(name);
    const isMissing = (possible: readonly string[]) =>
      !judge.hasAny(moment, possible) &&
      !holds(home, "isBlocked", name, possible) &&
      !holds(home, "isAbsent", name, possible);
    const missing = kinds.filter((kind) => isMetadata(kind) && isMissing(endingsOf(name, endings)[kind]));
    // A recording that may still grow has no whole companion.
    const isWhole = !newest.get(directionOf(name))?.startsWith(baseOf(name));
    if (recording && isWhole && missing.length > 0 && !home.isUnknown(moment))
      wanted.push({ recording, place: orderKeyOf(rules, recording), missing });
  }

  const isNewest = ({ base, direction }: RecordingName) => newest.get(direction)?.startsWith(base) === true;
  // Videos first, then what only lacks companions, which for many recordings the camera will never have: the car may
  // leave before all of those are asked for.
  const rank = ({ missing }: Wanted) => (missing[0] === "mp4" ? 0 : 1);
  const byName = (one: Wanted, other: Wanted) => (one.recording.name < other.recording.name ? -1 : 1);
  wanted.sort((one, other) => rank(one) - rank(other) || one.place - other.place || byName(one, other));
  // A recording and its low-resolution copy have one thumbnail.
  const planned = new Set<string>();
  for (const { recording, missing } of wanted) {
    const folder = groupFolder(recording.base, rules.grouping);
    const isOfNewest = isNewest(recording);
    for (const kind of missing) {
      const names = candidates(recording, kind, companions);
      if (names.some((name) => planned.has(name))) continue;
      for (const name of names) planned.add(name);
      plan.files.push({ recording, kind, names, folder, newest: isOfNewest });
    }
  }
  return plan;
}

/** The videos that can come, by moment and ending. */
function* videosToCome(
  listed: readonly ListedFile[],
  home: AtHome,
): Generator<readonly [moment: number, ending: string]> {
  for (const { name } of listed)
    if (checkRecordingName(name) === "recording" && !home.isBlocked(name, endingOf(name)))
      yield [momentNumber(name), endingOf(name)];
}

/** True when this holds for a file with one of the endings. */
function holds(home: AtHome, what: "isBlocked" | "isAbsent", name: string, endings: readonly string[]) {
  for (const ending of endings) if (home[what](name, ending)) return true;
  return false;
}

/** True for the kinds that show a drive before its videos, and without them. */
export function isMetadata(kind: ArtifactKind): kind is "thm" | "gps" {
  return kind === "thm" || kind === "gps";
}

/** Names that the listing shows come before derived ones: most cameras list videos only. */
function candidates(recording: RecordingName, kind: ArtifactKind, listed: ReadonlySet<string>): Names {
  const [plain = "", flagged] = recording.namesOf(kind);
  if (flagged === undefined) return [plain];
  return listed.has(flagged) && !listed.has(plain) ? [flagged, plain] : [plain, flagged];
}
