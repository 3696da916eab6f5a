import { counted, formatCount } from "../text/format.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { dateOf, wallOf } from "../text/zone_time.ts";
import { type Amount, amountInWords, type HeldDeletion, type TrashDayHead } from "./deletion.ts";
import { KEEP_CLASSES } from "./keep_times.ts";
import { allHere, goingInWords, type ValidPreview } from "./retention_text.ts";

/** Decides if a user is asked before changed settings delete more, and makes the question. */

const DAY_MS = 86_400_000;

/** True when other settings delete anything that these would leave. */
export function deletesMore(saved: ValidPreview, next: ValidPreview): boolean {
  const before = saved.forecast;
  const after = next.forecast;
  if ((next.recordings ?? 0) > (saved.recordings ?? 0)) return true;
  if (before === null || after === null) return false;
  return KEEP_CLASSES.some((kind) => after.kinds[kind].due.recordings > before.kinds[kind].due.recordings);
}

/** A day's part of the trash, as far as it matters when it leaves. */
export type TrashPart = Pick<TrashDayHead, "amount" | "purge_from" | "purge_to">;

/**
 * Amount that leaves the trash for good until `at` in addition, when recordings wait so many days less in it. A day
 * that leaves in parts counts as a whole.
 */
export function leavingTrash(parts: readonly TrashPart[], daysLess: number, at: number): Amount {
  const earlier = Math.max(0, daysLess) * DAY_MS;
  const leaving = parts.filter(
    ({ purge_from, purge_to }) => Date.parse(purge_to) > at && Date.parse(purge_from) - earlier <= at,
  );
  return {
    recordings: leaving.reduce((sum, { amount }) => sum + amount.recordings, 0),
    bytes: leaving.reduce((sum, { amount }) => sum + amount.bytes, 0),
  };
}

/** Change that is about to be saved, as far as it deletes. */
export interface Consequence {
  /** Previews with the saved settings, and with those about to be saved. */
  readonly saved: ValidPreview;
  readonly next: ValidPreview;
  /** Some keep time is shorter, or some limit lower, than before. */
  readonly isStricter: boolean;
  readonly held: HeldDeletion | null;
  /** Recordings that are never deleted. */
  readonly kept: number;
  /** Days that recordings will wait in the trash, and those that they wait now. */
  readonly trashDays: number;
  readonly savedTrashDays: number;
  /** Recordings that leave the trash for good. */
  readonly leaving: Amount;
  /** Time of the next run; null when none is known to come. */
  readonly at: string | null;
}

export interface Question {
  readonly title: string;
  readonly sentences: readonly string[];
  /** The text of the button that saves. */
  readonly action: string;
}

/** Returns the question to a user before the change is saved; null when the change deletes nothing more. */
export function questionBefore(change: Consequence, format: TimeFormat = USUAL_FORMAT): Question | null {
  const { saved, next, held, trashDays, savedTrashDays, leaving, at } = change;
  const isCounted = next.recordings !== null;
  const due = { recordings: next.dry_run ? 0 : (next.recordings ?? 0), bytes: next.bytes };
  const isFinal = trashDays === 0 && savedTrashDays > 0;
  const deletes = due.recordings > 0 && (held !== null || isFinal || deletesMore(saved, next));
  const when = at === null ? "At the next run" : `At the next run, ${at},`;
  const sentences: string[] = [];
  if (deletes) {
    const oldest = next.oldest === null ? "" : `, the oldest from ${dateOf(wallOf(Date.parse(next.oldest)), format)}`;
    sentences.push(
      `${when} ${amountInWords(due)} ${goingInWords(due.recordings, trashDays)}${oldest}.`,
      ...staying(change, due.recordings),
      trashDays === 0
        ? "The trash is off: there is no way back."
        : `They can be restored from the trash for ${counted(trashDays, "day")}.`,
    );
    if (held !== null) sentences.push("Deletion is waiting for your approval. Saving approves it.");
  } else if (!isCounted && change.isStricter)
    sentences.push(
      "How many recordings go is not known now: the recordings folder cannot be read, or is still being measured.",
      "As soon as that is done, scheduled runs delete by what you save here.",
    );
  if (leaving.recordings > 0 && !next.dry_run) {
    const verb = leaving.recordings === 1 ? "leaves" : "leave";
    sentences.push(`${deletes ? "Besides," : when} ${amountInWords(leaving)} ${verb} the trash for good.`);
  }
  if (sentences.length === 0) return null;
  if (deletes)
    return {
      title: `Delete ${counted(due.recordings, "recording")}?`,
      sentences,
      action: `Save, delete ${formatCount(due.recordings)}`,
    };
  return leaving.recordings > 0 && !next.dry_run
    ? {
        title: "Let the trash go sooner?",
        sentences,
        action: `Save, delete ${formatCount(leaving.recordings)} for good`,
      }
    : { title: "Save without knowing what goes?", sentences, action: "Save anyway" };
}

function staying({ next, kept }: Consequence, due: number): string[] {
  const all = allHere(next);
  if (all === null) return [];
  const stay = Math.max(0, all.recordings - due);
  const verb = stay === 1 ? "stays" : "stay";
  return [`${counted(stay, "recording")} ${verb}${kept === 0 ? "" : `, ${formatCount(kept)} of them kept for ever`}.`];
}
