import { ARTIFACT_KINDS, type ArtifactKind, endingOf, parseRecording } from "../recordings/recording_name.ts";
import { sameCutoff } from "../retention/keep_times.ts";
import { type ChoosingRules, chooserOf, sparedBy } from "./age_and_selection.ts";
import { MARK_BITS } from "./camera_list.ts";

/** The letters of `sync.skip_metadata` and the companions they stand for. */
const METADATA_LETTERS = { t: "thm", "3": "3gf", g: "gps" } as const;
type MetadataLetter = keyof typeof METADATA_LETTERS;

/** Rules by which files are wanted: of the plan of a run, and of every count of what is to come. */
export interface WantedRules extends ChoosingRules {
  readonly skipMetadata: readonly string[];
}

/** Files that are at home, and the users' decisions, by moment; see `momentNumber`. It is asked 200,000 times for a full card. */
export interface HomeIndex {
  /** True when a file of this moment with this ending, such as `F.mp4`, is at home, in any folder. */
  has(moment: number, ending: string): boolean;
  /** True when it was deleted here, by hand or to make room. Its files that are not at home do not come again. */
  isDeleted(moment: number): boolean;
  /** True when a user has said that it is not needed. */
  isUnwanted(moment: number): boolean;
  /** True when it may lie in a folder that cannot be read just now: it would come in vain. */
  isUnknown(moment: number): boolean;
  /** Moments of all recordings at home. */
  moments(): Iterable<number>;
}

/** Texts that may follow a moment's key in the names of a recording's artifacts, by kind. */
export type Endings = Readonly<Record<ArtifactKind, readonly string[]>>;

/** Kinds of a recording's files, as bits; those of companions are the bits of their marks. */
export const KIND_BITS: Readonly<Record<ArtifactKind, number>> = {
  mp4: 8,
  thm: MARK_BITS.thm,
  "3gf": MARK_BITS["3gf"],
  gps: MARK_BITS.gps,
};

/** Reason that a recording does not come: a rule, or what users have done with it. */
export type RuleAgainst = "retention" | "selection" | "deleted" | "unwanted";

interface WantedKind {
  readonly kind: ArtifactKind;
  readonly bit: number;
}

/** Judges which files of the recordings that a camera lists are wanted. */
export class FileJudge {
  /** Bases of recordings that live as long as an event beside them; see `sparedBy`. */
  readonly spared: ReadonlySet<number>;
  readonly #home: HomeIndex;
  readonly #chooser: ReturnType<typeof chooserOf>;
  readonly #kinds: readonly WantedKind[];
  /** Kinds that the directions of a moment do not share. */
  readonly #ownKinds: readonly WantedKind[];
  #present = 0;

  /** @param listed gives the moment and the ending of every video that can come */
  constructor(rules: WantedRules, home: HomeIndex, listed: () => Iterable<readonly [moment: number, ending: string]>) {
    this.spared = sparedBy(rules, () => momentsToBe(rules, home, listed()));
    this.#home = home;
    this.#chooser = chooserOf(rules, this.spared);
    this.#kinds = kindsWithout(rules.skipMetadata).map((kind) => ({ kind, bit: KIND_BITS[kind] }));
    this.#ownKinds = this.#kinds.filter(({ kind }) => kind !== "3gf" && kind !== "gps");
  }

  /** Number of files that were found at home. */
  get present(): number {
    return this.#present;
  }

  /** Returns the rule that keeps a recording from coming, or null when it is chosen. @param ending of its video */
  ruleAgainst(moment: number, ending: string): RuleAgainst | null {
    const rule = this.#chooser(moment, ending.charAt(0));
    if (rule !== null) return rule;
    const isDeleted = this.#home.isDeleted(moment);
    if (!(isDeleted || this.#home.isUnwanted(moment)) || this.#home.has(moment, ending)) return null;
    return isDeleted ? "deleted" : "unwanted";
  }

  /**
   * Returns which files of a chosen recording are to come, as bits.
   * @param isFirst no other direction of its moment is chosen before: the directions share telemetry, which counts once
   * @param lacking bits of the kinds that the camera does not have
   * @param isSettled true for a file that is not at home and need not be asked for now
   */
  missingOf(
    moment: number,
    endings: Endings,
    isFirst: boolean,
    lacking = 0,
    isSettled: ((kind: ArtifactKind, endings: readonly string[]) => boolean) | null = null,
  ): number {
    const isDeleted = this.#home.isDeleted(moment);
    let missing = 0;
    for (const { kind, bit } of isFirst ? this.#kinds : this.#ownKinds) {
      if ((lacking & bit) !== 0) continue;
      const possible = endings[kind];
      if (this.hasAny(moment, possible)) this.#present++;
      else if (!isDeleted && (isSettled === null || !isSettled(kind, possible))) missing |= bit;
    }
    return missing;
  }

  /** True when a file of the moment with one of the endings is at home. */
  hasAny(moment: number, endings: readonly string[]): boolean {
    for (const ending of endings) if (this.#home.has(moment, ending)) return true;
    return false;
  }
}

/** Returns the moments at home when all chosen recordings have come. */
function momentsToBe(
  rules: WantedRules,
  home: HomeIndex,
  listed: Iterable<readonly [moment: number, ending: string]>,
): ReadonlySet<number> {
  const moments = new Set(home.moments());
  const isChosen = chooserOf({ ...rules, cutoffs: sameCutoff(null) }, new Set());
  for (const [moment, ending] of listed)
    if (!home.isDeleted(moment) && isChosen(moment, ending.charAt(0)) === null) moments.add(moment);
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
