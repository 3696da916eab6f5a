import type { DatedAmount, DeletionNote, HeldDeletion } from "../retention/deletion.ts";
import { usualAge } from "../retention/keep_text.ts";
import { daySpan } from "../text/day_span.ts";
import { asSentence, capitalized, counted, formatBytes, formatCount } from "../text/format.ts";
import type { OverviewFacts } from "./overview.ts";

type Facts = Pick<
  OverviewFacts,
  "retention" | "keep" | "recordings" | "now" | "zone" | "paused" | "next_at" | "address"
>;

/** Returns the notes about deleting beside receipts, the most pressing first. */
export function deletionNotes(facts: Facts): DeletionNote[] {
  const { problem, held, confirmed } = facts.retention;
  const notes: DeletionNote[] = [];
  if (problem !== null) notes.push({ about: "problem", mood: "attention", sentence: asSentence(problem), detail: "" });
  const lost = facts.retention.lost_marks;
  if (held !== null) {
    const about = held.reason === "marks" ? "marks" : "held";
    notes.push({ about, mood: "attention", ...QUESTIONS[held.reason](held, facts) });
  }
  if (lost > 0 && held?.reason !== "marks") notes.push({ about: "marks", mood: "attention", ...missingMarks(facts) });
  if (confirmed !== null) notes.push({ about: "confirmed", mood: "waiting", ...announced(confirmed, facts) });
  return notes;
}

function missingMarks({ retention }: Pick<Facts, "retention">): Words {
  const lost = retention.lost_marks;
  return {
    sentence: `The ${lost === 1 ? "mark" : "marks"} of ${counted(lost, "kept recording")} ${lost === 1 ? "is" : "are"} missing. Put ${lost === 1 ? "it" : "them"} back?`,
    detail:
      "The list of kept recordings in the recordings folder is gone or damaged. Dashdock still knows what was in it.",
  };
}

type Words = Pick<DeletionNote, "sentence" | "detail">;

const QUESTIONS: Readonly<Record<HeldDeletion["reason"], (held: HeldDeletion, facts: Facts) => Words>> = {
  marks(held, facts) {
    const amount = `${counted(held.recordings, "recording")}, ${datedAmountInWords(held, facts)}`;
    const { sentence, detail } = missingMarks(facts);
    return { sentence, detail: `${detail} Without the marks, the next run would delete ${amount}.` };
  },
  adopted(held, facts) {
    const [were, they, them] = held.recordings === 1 ? ["was", "It", "it"] : ["were", "They", "them"];
    const asked = "and you have not said how long to keep recordings; until you do, nothing is deleted.";
    return {
      sentence: `${what(held, facts)} Keep ${them}?`,
      detail: `${capitalized(datedAmountInWords(held, facts))}. ${they} ${were} here before Dashdock, ${asked}`,
    };
  },
  clock(held, facts) {
    const amount = `${counted(held.recordings, "recording")}, ${datedAmountInWords(held, facts)}`;
    return {
      sentence: "Nothing is deleted: the clock of this machine may be wrong.",
      detail: `It went to an implausible time; now it says ${clockInWords(facts)}. If that is right, the next run would delete ${amount}. Deletion is waiting for your approval.`,
    };
  },
  many(held, facts) {
    const all = Math.max(facts.recordings, held.recordings);
    return {
      sentence: `The next run would delete ${formatCount(held.recordings)} of ${counted(all, "recording")}, more than usual.`,
      detail: `${capitalized(datedAmountInWords(held, facts))}. Deletion is waiting for your approval.`,
    };
  },
};

function what({ recordings }: HeldDeletion, { keep }: Facts): string {
  const age = keep.max_gb === null && keep.max_percent === null ? usualAge(keep) : null;
  const amount = `${counted(recordings, "recording")} here`;
  return age === null ? `The next run would delete ${amount}.` : `${amount} ${are(recordings)} older than ${age}.`;
}

function announced(confirmed: DatedAmount, facts: Facts): Words {
  const { recordings } = confirmed;
  const { days } = facts.retention.trash;
  const amount = `${capitalized(datedAmountInWords(confirmed, facts))}.`;
  const [goes, It, it] = recordings === 1 ? ["goes", "It", "it"] : ["go", "They", "them"];
  const run = withNextRun(facts);
  if (days === 0) {
    const sentence = `${counted(recordings, "recording")} ${are(recordings)} deleted for good ${run}.`;
    return { sentence, detail: `${amount} There is no trash to restore ${it} from.` };
  }
  const sentence = `${counted(recordings, "recording")} ${goes} to the trash ${run}.`;
  return { sentence, detail: `${amount} ${It} can be restored from there for ${counted(days, "day")}.` };
}

/** Sentences for a user before held recordings may be deleted: their amount, and if they can be restored. */
export function confirmationInWords(held: HeldDeletion, facts: Omit<Facts, "keep" | "recordings">): string[] {
  const { days } = facts.retention.trash;
  const [They, goes, are, they] = held.recordings === 1 ? ["It", "goes", "is", "it"] : ["They", "go", "are", "they"];
  const run = withNextRun(facts);
  const amount = capitalized(`${datedAmountInWords(held, facts)}.`);
  const before: string[] = [];
  if (held.reason === "clock") before.push(`Only if it is ${clockInWords(facts)} now: that is what the clock says.`);
  if (held.reason === "marks")
    before.push("This gives up the marks that are missing. Recordings that had one may be among these.");
  return days === 0
    ? [...before, `${amount} There is no trash: ${they} ${are} deleted for good ${run}.`]
    : [
        ...before,
        `${amount} ${They} ${goes} to the trash ${run}, and can be restored for ${counted(days, "day")}. After that ${they} ${are} deleted for good.`,
      ];
}

/** `with the next run, 08:00`, with the day when it is not today. */
export function withNextRun({
  paused,
  next_at: at,
  now,
  zone,
  address,
}: Omit<Facts, "retention" | "keep" | "recordings">): string {
  if (paused || at === null || address === "") return "with the next scheduled run";
  const day = zone.dayInWords(at, now);
  const clock = zone.clock(at);
  if (day.startsWith("Today")) return `with the next run, ${clock}`;
  return `with the next run, ${day.startsWith("Tomorrow") ? "tomorrow" : day} ${clock}`;
}

/** Says the amount and its days: `1.4 TB, from 3 Jan 2024 to 8 Nov 2026`; without the size while that is unknown. */
export function datedAmountInWords(
  { bytes, oldest, newest }: DatedAmount,
  { now, zone }: Pick<Facts, "now" | "zone">,
): string {
  const days = daySpan(oldest, newest, now, zone.format);
  const span = days.includes(" to ") ? `from ${days}` : `of ${days}`;
  return bytes === null ? span : `${formatBytes(bytes)}, ${span}`;
}

function clockInWords({ now, zone }: Pick<Facts, "now" | "zone">): string {
  return `${zone.date(now)}, ${zone.clock(now)} ${zone.name(now)}`;
}

function are(count: number): string {
  return count === 1 ? "is" : "are";
}
