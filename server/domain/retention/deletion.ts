import type { StatusLevel } from "../status/status_level.ts";
import type { KeepClass } from "./keep_times.ts";

/** Deleting as everybody is told of it: what waits for consent, what was deleted, and what lies in the trash. */

/** `age`: past its keep time. `room`: above a limit. `hand`: by somebody in the viewer. */
export const DELETION_CAUSES = ["age", "room", "hand"] as const;
export type DeletionCause = (typeof DELETION_CAUSES)[number];

/** Why a deletion waits for somebody to say so (contract §5.4). */
export const HELD_REASONS = ["adopted", "clock", "many"] as const;
export type HeldReason = (typeof HELD_REASONS)[number];

/** Recordings together. A recording is one moment of one direction; bytes are those of its videos. */
export interface Amount {
  readonly recordings: number;
  /** Null while it would take long to find out. */
  readonly bytes: number | null;
}

/** An amount of recordings and the days they are of. */
export interface DatedAmount extends Amount {
  /** `YYYY-MM-DD`, in camera wall time. */
  readonly oldest: string;
  readonly newest: string;
}

/** What the next scheduled run would delete, if somebody said so. */
export interface HeldDeletion extends DatedAmount {
  readonly reason: HeldReason;
  /** ISO 8601 UTC. */
  readonly since: string;
}

/** What one pass, or one person, deleted. */
export interface DeletionReceipt extends DatedAmount {
  /** Names it for `POST /api/retention/seen` and `POST /api/trash/restore`. */
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly bytes: number;
  readonly cause: DeletionCause;
  /** Who did it by hand; null for a rule. */
  readonly by: string | null;
  /** ISO 8601 UTC: until when it can be undone; null when it cannot be. */
  readonly until: string | null;
}

/** What lies in the trash and leaves it by age. */
export interface TrashAmount {
  readonly recordings: number;
  readonly bytes: number;
  /** How long recordings wait there; 0 for not at all. */
  readonly days: number;
}

/** Everything about deleting that somebody has to know now. */
export interface RetentionState {
  readonly held: HeldDeletion | null;
  /** What was held and somebody has said may go: the next scheduled run deletes it; null again after that. */
  readonly confirmed: DatedAmount | null;
  readonly last: DeletionReceipt | null;
  readonly trash: TrashAmount;
  /** What was deleted by a rule and nobody has acknowledged yet, latest first, at most a few. */
  readonly unseen: DeletionReceipt[];
  /** Why nothing is deleted just now, as a sentence; null when nothing is in the way. */
  readonly problem: string | null;
  /** Recordings that are never deleted. */
  readonly kept: Amount;
}

/** The mark that keeps a recording from every rule. */
export interface Kept {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly note: string | null;
}

/** One moment in the trash. */
export interface TrashedRecording {
  /** `YYYYMMDD_HHMMSS_T` */
  readonly key: string;
  /** ISO 8601 UTC. */
  readonly deleted_at: string;
  /** ISO 8601 UTC: from when on the next scheduled run removes it for good. */
  readonly purge_at: string;
  /** Of its videos. */
  readonly bytes: number;
  readonly cause: DeletionCause;
  readonly by: string | null;
  /** Why, such as `Older than 2 weeks`. */
  readonly why: string;
  /** How many of its cameras' videos are there. */
  readonly recordings: number;
  /** Address of a picture of it. */
  readonly thumb: string | null;
}

/** What was deleted on one day of the schedule's zone, newest first; with `count` of all that day has. */
export interface TrashDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly recordings: TrashedRecording[];
}

/** A day of the trash page: what it has in all, and its first entries. */
export interface TrashDayHead extends TrashDay {
  /** Entries in all, videos in all and their bytes. */
  readonly entries: number;
  readonly amount: { readonly recordings: number; readonly bytes: number };
  /** ISO 8601 UTC: when the first and the last of them leave. */
  readonly purge_from: string;
  readonly purge_to: string;
}

/** The trash as its page shows it first. */
export interface TrashOverview extends TrashAmount {
  /** Newest deletion first. */
  readonly by_day: TrashDayHead[];
  /** Entries in all: moments, not videos. */
  readonly entries: number;
  /** What leaves next by age; null when the trash is empty. */
  readonly next: { readonly at: string; readonly recordings: number } | null;
}

/** A recording that is marked as kept, as lists show it. */
export interface KeptRecording {
  /** `YYYYMMDD_HHMMSS_T` */
  readonly key: string;
  readonly kept: Kept;
  /** Videos kept with it, those of the recordings around it among them, and their bytes; null while unknown. */
  readonly recordings: number;
  readonly bytes: number | null;
  readonly thumb: string | null;
}

/** What is marked as kept, newest recording first: the first few, and how much it is in all. */
export interface KeptList {
  readonly entries: KeptRecording[];
  /** Marks in all. */
  readonly count: number;
  readonly amount: Amount;
}

/** What could not be done with one recording, and why, as a sentence. */
export interface RecordingFailure {
  readonly key: string;
  readonly reason: string;
}

/** Of one kind of recordings: what there is, and what the next scheduled run would delete of it. */
export interface KindForecast {
  /** `YYYY-MM-DD`, the first day that is kept; null when all are. */
  readonly cutoff: string | null;
  readonly here: Amount;
  readonly due: Amount;
  /** By bar: recordings that stay, and those that go. */
  readonly stays: number[];
  readonly goes: number[];
}

/** What the next scheduled run would delete, as a picture over time. */
export interface DeletionForecast {
  /** `YYYY-MM-DD`: the first days of equally long bars, oldest first; empty when there is nothing. */
  readonly bars: string[];
  /** The day after the last bar. */
  readonly end: string | null;
  readonly kinds: Readonly<Record<KeepClass, KindForecast>>;
}

/** Something about deleting that has to be known, or decided. */
export interface DeletionNote {
  /** `held`: waits for an answer. `confirmed`: goes with the next run. `problem`: nothing is deleted just now. */
  readonly about: "problem" | "held" | "confirmed";
  readonly mood: StatusLevel;
  /** Ends with a full stop or a question mark. */
  readonly sentence: string;
  readonly detail: string;
}
