import type * as v from "valibot";
import type { AMOUNT, KEPT } from "../answers/answer_fields.ts";
import { counted, formatBytes } from "../text/format.ts";
import type {
  DATED_AMOUNT,
  DELETION_FORECAST,
  DELETION_NOTE,
  FAILURE,
  HELD,
  KIND,
  RECEIPT,
  RETENTION_STATE,
  TRASH_AMOUNT,
  TRASH_DAY,
  TRASHED_RECORDING,
} from "./deletion_schema.ts";

/**
 * Types for deleted recordings, those that wait for consent, and those in the trash; `deletion_schema.ts` describes
 * each.
 */

export type Amount = v.InferOutput<typeof AMOUNT>;

/** Amounts of several cameras as one; null while one of them is not known. */
export function amountsTogether(amounts: readonly (Amount | null)[]): Amount | null {
  let sum: Amount | null = { recordings: 0, bytes: 0 };
  for (const one of amounts) {
    if (one === null || sum === null) return null;
    const bytes: number | null = one.bytes === null || sum.bytes === null ? null : sum.bytes + one.bytes;
    sum = { recordings: sum.recordings + one.recordings, bytes };
  }
  return sum;
}

/** `96 recordings, 14.2 GB`; the number alone while the bytes are not known. */
export function amountInWords({ recordings, bytes }: Amount): string {
  return withBytes(counted(recordings, "recording"), bytes);
}

/** `12 recordings are restored. Rules leave them alone for at least a week, and until you change them.` */
export function backInWords(recordings: number): string {
  return `${counted(recordings, "recording")} ${recordings === 1 ? "is" : "are"} restored. ${sparedInWords(recordings)}`;
}

/** Says how long rules leave restored recordings alone. */
export function sparedInWords(count: number): string {
  return `Rules leave ${count === 1 ? "it" : "them"} alone for at least a week, and until you change them.`;
}

/** Words and the size of what they name, which is left out while it is not known. */
export function withBytes(words: string, bytes: number | null): string {
  return bytes === null ? words : `${words}, ${formatBytes(bytes)}`;
}

export type DatedAmount = v.InferOutput<typeof DATED_AMOUNT>;

/** Recordings that the next scheduled run deletes once a user agrees. */
export type HeldDeletion = v.InferOutput<typeof HELD>;

export type DeletionReceipt = v.InferOutput<typeof RECEIPT>;

/** Recordings in the trash that leave it by age. */
export type TrashAmount = v.InferOutput<typeof TRASH_AMOUNT>;

/** The trash as a page shows it: null while the recordings folder is not available. */
export type ShownTrash = RetentionState["trash"];

export type RetentionState = v.InferOutput<typeof RETENTION_STATE>;

/** The mark that keeps a recording from every rule. */
export type Kept = v.InferOutput<typeof KEPT>;

/** One moment in the trash. */
export type TrashedRecording = v.InferOutput<typeof TRASHED_RECORDING>;

/** Recordings deleted on one day of the schedule's zone, newest first; `count` is the number of all that day has. */
export type TrashDay = v.InferOutput<typeof TRASH_DAY>;

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
  /** Recordings that leave next by age; null when the trash is empty. */
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

/** Recordings marked as kept, newest recording first: the first few, and the number and size of all. */
export interface KeptList {
  readonly entries: KeptRecording[];
  /** Marks in all. */
  readonly count: number;
  readonly amount: Amount;
}

/** Recording that failed, and the reason. */
export type RecordingFailure = v.InferOutput<typeof FAILURE>;

export type KindForecast = v.InferOutput<typeof KIND>;

export type DeletionForecast = v.InferOutput<typeof DELETION_FORECAST>;

export type DeletionNote = v.InferOutput<typeof DELETION_NOTE>;
