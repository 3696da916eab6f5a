import { isSelected } from "./codes.ts";
import { type Grouping, groupFolder } from "./grouping.ts";
import type { ListedFile } from "./listing.ts";
import {
  ARTIFACT_KINDS,
  type ArtifactKind,
  companionNames,
  dateOf,
  directionRank,
  hasUnsetClock,
  type Recording,
  readRecordingName,
  typeRank,
} from "./recording.ts";

export const PRIORITIES = ["date", "rdate", "type"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** The letters of `sync.skip_metadata` and the companions they stand for. */
export const METADATA_LETTERS = { t: "thm", "3": "3gf", g: "gps" } as const;
export type MetadataLetter = keyof typeof METADATA_LETTERS;

export interface PlanRules {
  priority: Priority;
  grouping: Grouping;
  include: readonly string[];
  exclude: readonly string[];
  skipMetadata: readonly string[];
  /** `YYYY-MM-DD`: recordings from before this day are past retention and not fetched. Null: no limit. */
  cutoff: string | null;
}

/** What is at home already, asked by file name. */
export interface AtHome {
  has(name: string): boolean;
  /** A recent failure forbids another attempt for now. */
  isBlocked(name: string): boolean;
}

export interface PlannedFile {
  recording: Recording;
  kind: ArtifactKind;
  /** The names the camera may hold it under, likeliest first; the one that answers becomes the final name. */
  names: Names;
  /** Folder below the destination, empty for the root. */
  folder: string;
  /** Bytes according to the listing, a hint; null when unknown. */
  sizeHint: number | null;
  /** The newest video of its direction may still be growing while it is fetched. */
  newest: boolean;
}

export interface Plan {
  /** What to fetch, in order; a recording's files are together, its video first. */
  files: PlannedFile[];
  /** Files that need no transfer: at home already, and blocked by a recent failure. */
  present: number;
  blocked: number;
  recordingsSeen: number;
  recordingsSelected: number;
  /** Listed names whose date cannot be, at most the first five, and how many there were. */
  impossible: string[];
  impossibleCount: number;
}

/** A recording of which something is missing at home. */
interface Wanted {
  recording: Recording;
  missing: readonly (readonly [ArtifactKind, Names])[];
}

type Names = readonly [string, ...string[]];

/** Decides what to fetch, in which order, and what is skipped, before anything is fetched. Pure. */
export function planSync(listed: readonly ListedFile[], home: AtHome, rules: PlanRules): Plan {
  const plan: Plan = {
    files: [],
    present: 0,
    blocked: 0,
    recordingsSeen: 0,
    recordingsSelected: 0,
    impossible: [],
    impossibleCount: 0,
  };
  const kinds = ARTIFACT_KINDS.filter(
    (kind) => !rules.skipMetadata.some((letter) => METADATA_LETTERS[letter as MetadataLetter] === kind),
  );
  // Most cameras list videos only, with a constant size: these two are small then.
  const sizes = new Map<string, number>();
  const companions = new Set<string>();
  for (const { name, size } of listed) {
    if (size !== null) sizes.set(name, size);
    if (!name.endsWith(".mp4")) companions.add(name);
  }

  const newest = new Map<string, string>();
  const wanted: Wanted[] = [];
  // The directions of a moment share artifacts; each counts once.
  const momentsDone = new Set<string>();
  for (const { name } of listed) {
    const recording = readRecordingName(name);
    if (recording === null) continue;
    if (recording === "impossible") {
      if (plan.impossibleCount++ < 5) plan.impossible.push(name);
      continue;
    }
    plan.recordingsSeen++;
    if (recording.base > (newest.get(recording.direction) ?? "")) newest.set(recording.direction, recording.base);
    if (isPastRetention(recording.base, rules.cutoff)) continue;
    if (!isSelected(recording, rules.include, rules.exclude)) continue;
    plan.recordingsSelected++;
    const moment = `${recording.base}_${recording.type}`;
    const isFirst = !momentsDone.has(moment);
    if (isFirst) momentsDone.add(moment);
    const missing: [ArtifactKind, Names][] = [];
    for (const kind of kinds) {
      if (!isFirst && (kind === "3gf" || kind === "gps")) continue;
      const names = candidates(recording, kind, companions);
      if (names.some((candidate) => home.has(candidate))) plan.present++;
      else if (names.some((candidate) => home.isBlocked(candidate))) plan.blocked++;
      else missing.push([kind, names]);
    }
    if (missing.length > 0) wanted.push({ recording, missing });
  }

  const isNewest = (recording: Recording) => newest.get(recording.direction) === recording.base;
  wanted.sort(
    ({ recording: a }, { recording: b }) =>
      Number(isNewest(a)) - Number(isNewest(b)) || inOrder(rules.priority, a, b) || (a.name < b.name ? -1 : 1),
  );
  for (const { recording, missing } of wanted) {
    const folder = groupFolder(recording.base, rules.grouping);
    for (const [kind, names] of missing)
      plan.files.push({
        recording,
        kind,
        names,
        folder,
        sizeHint: sizes.get(names[0]) ?? null,
        newest: isNewest(recording),
      });
  }
  return plan;
}

/** Older than the first day kept. A camera with an unset clock says nothing about age, so it is never past it. */
export function isPastRetention(base: string, cutoff: string | null): boolean {
  return cutoff !== null && !hasUnsetClock(base) && dateOf(base) < cutoff;
}

/**
 * The first day that retention keeps: today minus the keep period, as `YYYY-MM-DD`.
 * @param today the local date, `YYYY-MM-DD`
 * @param keepMs the period in milliseconds; null keeps everything
 */
export function retentionCutoff(today: string, keepMs: number | null): string | null {
  if (keepMs === null) return null;
  const cutoff = new Date(Date.parse(`${today}T00:00:00Z`) - keepMs);
  return Number.isNaN(cutoff.getTime()) || cutoff.getUTCFullYear() < 0 ? null : cutoff.toISOString().slice(0, 10);
}

function inOrder(priority: Priority, a: Recording, b: Recording): number {
  const byTime = a.base < b.base ? -1 : a.base > b.base ? 1 : 0;
  const byDirection = directionRank(a.direction) - directionRank(b.direction);
  switch (priority) {
    case "date":
      return byTime || byDirection;
    case "rdate":
      return -byTime || byDirection;
    case "type":
      return typeRank(a.type) - typeRank(b.type) || byTime || byDirection;
  }
}

/** Names that the listing shows come before derived ones: most cameras list videos only. */
function candidates(recording: Recording, kind: ArtifactKind, listed: ReadonlySet<string>): Names {
  if (kind === "mp4") return [recording.name];
  const [plain = "", flagged] = companionNames(recording, kind);
  if (flagged === undefined) return [plain];
  return listed.has(flagged) && !listed.has(plain) ? [flagged, plain] : [plain, flagged];
}
