import type { LeavingCause, LeftOutRule, RecordingState, StateCause } from "./recording_state.ts";

/** Reason that a listed recording has not come though it was asked for: the camera's doing, or the disk's. */
export const TROUBLES = ["failing", "disk"] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Number of good lists in a row that have to lack a recording before it counts as gone from the card. */
export const LISTS_THAT_DECIDE = 2;

/** Facts about a recording that are known so far. */
export interface KnownState {
  readonly state: RecordingState;
  readonly cause: StateCause | null;
  readonly rule: LeftOutRule | null;
  /** It has been at home at some time. */
  readonly wasHome: boolean;
  /** Number of good lists in a row that lacked it; it is not counted on while its card is not in the camera. */
  readonly missing: number;
  readonly trouble: Trouble | null;
}

/**
 * The decision about a recording that the camera lists: it is to come, a rule leaves it out, or it was deleted here.
 */
export type Standing = "wanted" | "deleted" | LeftOutRule;

/** Facts by which a recording is judged. */
export interface RecordingFacts {
  readonly isHome: boolean;
  readonly isDamaged: boolean;
  /** A folder that cannot be read may hold it. */
  readonly isUnreadable: boolean;
  readonly isInTrash: boolean;
  /** A user does not wait any more for it: the camera could not deliver it. */
  readonly isGivenUp: boolean;
  /** Null when the camera does not list it, or that is not known. */
  readonly standing: Standing | null;
  /** The way in which it left the recordings folder, as far as that is known. */
  readonly leftBy: LeavingCause | null;
}

export interface Judgement {
  readonly state: RecordingState;
  readonly cause: StateCause | null;
  readonly rule: LeftOutRule | null;
}

/** A recording of which nothing was known before. */
export const NEW_RECORDING: KnownState = {
  state: "coming",
  cause: null,
  rule: null,
  wasHome: false,
  missing: 0,
  trouble: null,
};

/** Judges what has become of a recording. The cause of a loss is found apart from this: `cause` is null then. */
export function judge(known: KnownState, facts: RecordingFacts): Judgement {
  if (facts.isHome) return plain(facts.isDamaged ? "damaged" : "home");
  const mayBeHome = known.wasHome || known.state === "coming" || known.state === "unknown";
  if (facts.isUnreadable && mayBeHome) return plain("unknown");
  if (facts.isInTrash) return { state: "trash", cause: facts.leftBy, rule: null };
  const isGivenUp = facts.isGivenUp && known.trouble === "failing";
  if (facts.standing === "wanted" && isGivenUp) return { state: "lost", cause: "failing", rule: null };
  if (facts.standing === "wanted") return { state: "coming", cause: troubleOf(known), rule: null };
  if (facts.standing === "deleted" || known.wasHome) return left(known, facts);
  if (facts.standing !== null) return { state: "left_out", cause: null, rule: facts.standing };
  if (known.state !== "coming" && known.state !== "unknown") return known;
  if (known.missing >= LISTS_THAT_DECIDE) return plain("lost");
  return { state: "coming", cause: known.state === "coming" ? known.cause : troubleOf(known), rule: null };
}

function left(known: KnownState, { leftBy }: RecordingFacts): Judgement {
  const isKnown = known.state === "deleted" || known.state === "trash";
  const before = isKnown ? known.cause : null;
  return { state: "deleted", cause: leftBy ?? before ?? (known.wasHome ? "outside" : "hand"), rule: null };
}

function troubleOf({ trouble }: KnownState): StateCause | null {
  return trouble;
}

function plain(state: RecordingState): Judgement {
  return { state, cause: null, rule: null };
}
