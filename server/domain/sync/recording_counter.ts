import { letterOfMoment, TYPE_LETTERS } from "../recordings/moment_number.ts";
import { ARTIFACT_KINDS, type ArtifactKind } from "../recordings/recording_name.ts";
import { nothingLeftOut } from "../runs/run.ts";
import { type CameraList, COMPANION_MARKS, MARK_BITS, VIDEO_ENDINGS } from "./camera_list.ts";
import { type ExpectedSizes, videoClass } from "./expected_sizes.ts";
import type { RecordingCounts } from "./recording_counts.ts";
import {
  type Endings,
  endingsOf,
  FileJudge,
  type HomeIndex,
  KIND_BITS,
  type RuleAgainst,
  type WantedRules,
} from "./wanted_files.ts";

/** Marks of the companions that the camera does not have. */
const COMPANION_BITS = MARK_BITS.thm | MARK_BITS["3gf"] | MARK_BITS.gps;

/** States of a listed recording. `UNREADABLE` is added while the recording may lie in a folder that cannot be read. */
const STATES = {
  retention: 0,
  selection: 1,
  deleted: 2,
  gone: 3,
  home: 4,
  waiting: 5,
  growing: 6,
  unwanted: 7,
} as const;
const UNREADABLE = 8;
const RULES: readonly RuleAgainst[] = ["retention", "selection", "deleted", "unwanted"];
/** Reason why a listed recording does not come. */
export type LeftOutRule = "retention" | "selection" | "deleted" | "unreadable";
/**
 * Standing of a listed recording: at home with all files beside it, to come (or a file beside it is), still being
 * recorded, not on the camera any more, unknown while a folder cannot be read, or left out by a rule.
 */
export type ListedStanding = "home" | "waiting" | "growing" | "gone" | "unknown" | RuleAgainst;
const STANDINGS = Object.keys(STATES) as (keyof typeof STATES)[];

/**
 * Counts a list against a home: once as a whole, in slices, and from then on the changes. The rules and the deleted
 * recordings are those of its making.
 */
export class RecordingCounter {
  readonly #list: CameraList;
  readonly #home: HomeIndex;
  readonly #judge: FileJudge;
  readonly #endings: (Endings | undefined)[] = [];
  /** States by place in the list, and the missing files of each recording. */
  readonly #states: Uint8Array;
  readonly #missing: Uint8Array;
  readonly #totals = new Int32Array(UNREADABLE * 2);
  /** Number of missing files of each kind; videos also by type and ending. */
  readonly #files: Record<ArtifactKind, number> = { mp4: 0, thm: 0, "3gf": 0, gps: 0 };
  readonly #videos = new Int32Array(TYPE_LETTERS.length * VIDEO_ENDINGS.length);
  #judged = 0;
  #revision = 0;

  constructor(list: CameraList, rules: WantedRules, home: HomeIndex) {
    this.#list = list;
    this.#home = home;
    this.#judge = new FileJudge(rules, home, () => videosOf(list));
    this.#states = new Uint8Array(list.size);
    this.#missing = new Uint8Array(list.size);
  }

  /** Judges about so many recordings more; true when all are. */
  proceed(count: number): boolean {
    const end = this.#judged + count;
    while (this.#judged < this.#list.size && this.#judged < end) {
      const from = this.#judged;
      const to = this.#endOf(from);
      this.#count(from, to);
      this.#judged = to;
    }
    return this.#judged >= this.#list.size;
  }

  /** Judges one moment again, after a file of it came or went, or a mark changed. */
  update(moment: number): void {
    const [from, to] = this.#list.rangeOf(moment);
    if (to > this.#judged) return;
    for (let at = from; at < to; at++) {
      this.#add(at, -1);
      this.#states[at] = this.#missing[at] = 0;
    }
    this.#count(from, to);
  }

  /** Another number when a recording stands otherwise than before. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Calls `take` with every recording whose video is still to come, or is not needed, by its place in the list; not with
   * what may be at home.
   */
  eachComing(take: (at: number, isUnwanted: boolean) => void): void {
    for (let at = 0; at < this.#judged; at++) {
      const state = this.#states[at];
      if (this.#list.has(at, "unsure")) continue;
      if (state === STATES.waiting || state === STATES.growing) take(at, false);
      else if (state === STATES.unwanted) take(at, true);
    }
  }

  /** The rule that leaves a recording out, by its place in the list; null when it is to come, or has come. */
  ruleAt(at: number): RuleAgainst | null {
    const state = this.#states[at] ?? 0;
    return RULES.find((rule) => STATES[rule] === (state & ~UNREADABLE)) ?? null;
  }

  /** Calls `take` with the place of every recording that counts as waiting, oldest first. */
  eachWaiting(take: (at: number) => void): void {
    for (let at = 0; at < this.#judged; at++) if (this.#states[at] === STATES.waiting) take(at);
  }

  /** The standing of a recording, by its place in the list. */
  standingAt(at: number): ListedStanding {
    const state = this.#states[at] ?? 0;
    if (state >= UNREADABLE) return "unknown";
    const standing = STANDINGS[state] ?? "waiting";
    return standing === "home" && (this.#missing[at] ?? 0) !== 0 ? "waiting" : standing;
  }

  /** The rule that leaves all that is missing of a moment out; null when none does, or none of it is listed. */
  leftOutBy(moment: number): LeftOutRule | null {
    const [from, to] = this.#list.rangeOf(moment);
    let found: LeftOutRule | null = null;
    for (let at = from; at < Math.min(to, this.#judged); at++) {
      const state = this.#states[at] ?? 0;
      if (state === STATES.waiting || state === STATES.growing) return null;
      if (state === STATES.unwanted) found ??= "selection";
      const rules = ["retention", "selection", "deleted"] as const;
      const rule = state >= UNREADABLE ? "unreadable" : rules.find((one) => STATES[one] === state);
      found ??= rule ?? null;
    }
    return found;
  }

  /**
   * The moments of all recordings, from the newest on: whether they were to come home, which those are too that the camera
   * has overwritten before they did, and whether their video has.
   */
  *newestFirst(): Generator<{ readonly moment: number; readonly isChosen: boolean; readonly isHome: boolean }> {
    const chosen: readonly number[] = [STATES.home, STATES.waiting, STATES.growing, STATES.gone];
    for (let at = this.#judged - 1; at >= 0; at--) {
      const state = (this.#states[at] ?? 0) & ~UNREADABLE;
      yield { moment: this.#list.momentAt(at), isChosen: chosen.includes(state), isHome: state === STATES.home };
    }
  }

  get counts(): RecordingCounts {
    const of = (state: keyof typeof STATES) => this.#totals[STATES[state]] ?? 0;
    const unknown = (state: "home" | "waiting") => this.#totals[STATES[state] | UNREADABLE] ?? 0;
    const home = of("home") + unknown("home");
    return {
      on_camera: this.#list.size - of("gone"),
      chosen: home + of("waiting") + unknown("waiting") + of("growing"),
      home,
      waiting: of("waiting"),
      growing: of("growing"),
      waiting_files: ARTIFACT_KINDS.reduce((sum, kind) => sum + this.#files[kind], 0),
      left_out: {
        ...nothingLeftOut(),
        retention: of("retention"),
        selection: of("selection") + of("unwanted"),
        deleted: of("deleted"),
        unreadable: unknown("home") + unknown("waiting"),
        unknown: this.#list.unknown,
      },
    };
  }

  /** Estimates the bytes of the missing files; null when nothing is known of the videos among them. */
  bytes(sizes: ExpectedSizes): number | null {
    let bytes = 0;
    for (const [at, count] of this.#videos.entries()) {
      if (count === 0) continue;
      const ending = VIDEO_ENDINGS[at % VIDEO_ENDINGS.length] ?? "";
      const size = sizes.of(videoClass(TYPE_LETTERS[Math.floor(at / VIDEO_ENDINGS.length)] ?? "", ending));
      if (size === null) return null;
      bytes += count * size;
    }
    for (const kind of COMPANION_MARKS) bytes += this.#files[kind] * (sizes.of(kind) ?? 0);
    return Math.round(bytes);
  }

  /** The place in the list of the recording that waits longest; -1 when none does. */
  get oldestWaiting(): number {
    return this.#states.findIndex((state, at) => (state & ~UNREADABLE) === STATES.waiting && at < this.#judged);
  }

  #endOf(from: number): number {
    const moment = this.#list.momentAt(from);
    let to = from + 1;
    while (to < this.#list.size && this.#list.momentAt(to) === moment) to++;
    return to;
  }

  /** Judges the recordings of one moment. */
  #count(from: number, to: number): void {
    const moment = this.#list.momentAt(from);
    let isFirst = true;
    // A low-resolution copy has the thumbnail of its recording.
    let thumbnailOf = "";
    for (let at = from; at < to; at++) {
      const ending = VIDEO_ENDINGS[this.#list.endingAt(at)] ?? "";
      const rule = this.#judge.ruleAgainst(moment, ending);
      let missing = 0;
      if (rule === null) {
        const lacking = this.#list.marksAt(at) & COMPANION_BITS;
        missing = this.#judge.missingOf(moment, this.#endingsAt(at), isFirst, lacking);
        isFirst = false;
        // While it is unsure if the recording is the one of that name at home, nothing of it counts as at home.
        if (this.#list.has(at, "unsure") && !this.#home.isDeleted(moment)) missing |= KIND_BITS.mp4;
      }
      const state = this.#stateOf(at, rule, (missing & KIND_BITS.mp4) === 0);
      if (state !== "home" && state !== "waiting") missing = 0;
      if ((missing & KIND_BITS.thm) !== 0) {
        if (thumbnailOf === ending.charAt(0)) missing &= ~KIND_BITS.thm;
        thumbnailOf = ending.charAt(0);
      }
      const isUnknown = missing > 0 && this.#home.isUnknown(moment);
      this.#states[at] = STATES[state] | (isUnknown ? UNREADABLE : 0);
      this.#missing[at] = isUnknown ? 0 : missing;
      this.#add(at, 1);
    }
  }

  #stateOf(at: number, rule: RuleAgainst | null, isHome: boolean): keyof typeof STATES {
    const isUnsure = this.#list.has(at, "unsure");
    if (rule !== null) return rule === "unwanted" && !isUnsure && this.#list.has(at, "gone") ? "gone" : rule;
    if (isUnsure) return "waiting";
    if (isHome) return "home";
    if (this.#list.has(at, "gone")) return "gone";
    return this.#list.has(at, "growing") ? "growing" : "waiting";
  }

  #endingsAt(at: number): Endings {
    const ending = this.#list.endingAt(at);
    const known = this.#endings[ending] ?? endingsOf(this.#list.nameAt(at), new Map());
    this.#endings[ending] = known;
    return known;
  }

  #add(at: number, by: 1 | -1): void {
    this.#revision++;
    const state = this.#states[at] ?? 0;
    this.#totals[state] = (this.#totals[state] ?? 0) + by;
    const missing = this.#missing[at] ?? 0;
    if (missing === 0) return;
    for (const kind of ARTIFACT_KINDS) if ((missing & KIND_BITS[kind]) !== 0) this.#files[kind] += by;
    if ((missing & KIND_BITS.mp4) === 0) return;
    const of = letterOfMoment(this.#list.momentAt(at)) * VIDEO_ENDINGS.length + this.#list.endingAt(at);
    this.#videos[of] = (this.#videos[of] ?? 0) + by;
  }
}

/** The listed videos, by moment and ending. */
function* videosOf(list: CameraList): Generator<readonly [moment: number, ending: string]> {
  for (let at = 0; at < list.size; at++) yield [list.momentAt(at), VIDEO_ENDINGS[list.endingAt(at)] ?? ""];
}
