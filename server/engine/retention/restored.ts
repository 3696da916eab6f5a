import { momentNumber } from "../../domain/recordings/moment_number.ts";
import type { TrashCause } from "../../domain/retention/deletion_cause.ts";
import { classOfMoment } from "../../domain/retention/due_recordings.ts";
import type { RestoredRecording, RestoredRecordings } from "../../store/destination/restored_recordings.ts";
import type { RetentionRules } from "./retention_rules.ts";

/** Least time that the rule leaves a restored recording alone, even when the rule changes. */
const LEAST_MS = 7 * 86_400_000;

type Restored = ReadonlyMap<number, RestoredRecording>;

/**
 * Finds the restored recordings that a rule leaves alone. It spares those that it took itself, and those that a person
 * deleted.
 */
export function sparedFrom(rule: "age" | "room", restored: Restored, rules: RetentionRules, now: number): Set<number> {
  const spared = new Set<number>();
  for (const [moment, one] of restored) if (isSpared(rule, moment, one, rules, now)) spared.add(moment);
  return spared;
}

/** Another text when a rule may leave others alone than before. */
export async function restoredKey(restored: Pick<RestoredRecordings, "all" | "version">, now: number): Promise<string> {
  const all = await restored.all();
  return `${restored.version} ${all.values().reduce((count, { at }) => count + Number(now < at + LEAST_MS), 0)}`;
}

/** Remembers that these come back, from what deleted them; before they do, so that no pass takes them again. */
export async function noteRestored(
  restored: Pick<RestoredRecordings, "add">,
  entries: readonly { readonly key: string; readonly batch: { readonly cause: TrashCause } }[],
  rules: RetentionRules,
  now: number,
): Promise<void> {
  const noted = entries.map(({ key, batch: { cause } }): [number, RestoredRecording] => {
    const moment = momentNumber(key);
    // A user who takes back a damaged file wants to have it.
    const by = cause === "damaged" ? "hand" : cause;
    return [moment, { at: now, cause: by, age: ageRule(moment, rules), room: roomRule(rules) }];
  });
  if (noted.length === 0) return;
  const isSparedYet = (moment: number, one: RestoredRecording) =>
    isSpared("age", moment, one, rules, now) || isSpared("room", moment, one, rules, now);
  await restored.add(new Map(noted), isSparedYet);
}

function isSpared(
  rule: "age" | "room",
  moment: number,
  one: RestoredRecording,
  rules: RetentionRules,
  now: number,
): boolean {
  if (one.cause !== rule && one.cause !== "hand") return false;
  return now < one.at + LEAST_MS || one[rule] === (rule === "age" ? ageRule(moment, rules) : roomRule(rules));
}

function ageRule(moment: number, { keep }: RetentionRules): string {
  return keep[classOfMoment(moment)] ?? "";
}

function roomRule({ maxBytes, maxPercent }: RetentionRules): string {
  return `${maxBytes} ${maxPercent}`;
}
