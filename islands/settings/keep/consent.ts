import type { RetentionState } from "../../../server/domain/retention/deletion.ts";
import type { RetentionPreview } from "../../../server/domain/retention/deletion_schema.ts";
import { isStricter, RULE_FIELDS, type Rules } from "../../../server/domain/retention/keep_change.ts";
import { type Question, questionBefore } from "../../../server/domain/retention/keep_consent.ts";
import { draftValue } from "../../../server/domain/settings/form_values.ts";
import { send } from "../../browser/client.ts";
import { leavingSooner, nextRun, previewPath, stopWarning, touchesRules, trashDays } from "./keep_state.ts";
import type { KeepState } from "./shared.ts";

/**
 * Question to ask before the changes are saved; null when they delete nothing more and leave room for downloads.
 * @throws Refusal when the service cannot say what they delete
 */
export async function questionBeforeSaving(keep: KeepState): Promise<Question | null> {
  const question = touchesRules(keep) ? await questionOf(keep) : null;
  const warning = stopWarning(keep);
  if (warning === null) return question;
  const sentences = [warning, "At this limit scheduled runs stop. They empty the trash to make room."];
  if (question !== null) return { ...question, sentences: [...question.sentences, ...sentences] };
  return { title: "Stop all downloads?", sentences, action: "Save anyway" };
}

/**
 * Question to ask before the changes are saved; null when they delete nothing more.
 * @throws Refusal when the service cannot say what they delete
 */
async function questionOf(keep: KeepState): Promise<Question | null> {
  const draft = previewPath(keep.at, "draft");
  const saved = previewPath(keep.at, "saved");
  // Invalid values are never saved.
  if (draft === null || saved === null) return null;
  const [next, now, state] = await Promise.all([
    send<RetentionPreview>(`GET ${draft}`),
    send<RetentionPreview>(`GET ${saved}`),
    send<RetentionState>("GET /api/retention"),
  ]);
  if (!next.valid || !now.valid) return null;
  const consequence = {
    saved: now,
    next,
    isStricter: isStricter(rulesOf(keep, "saved"), rulesOf(keep, "draft")),
    held: state.held,
    kept: state.kept.recordings ?? 0,
    trashDays: trashDays(keep),
    savedTrashDays: Number(keep.at("retention", "trash_days").saved.value),
    leaving: leavingSooner(keep),
    at: nextRun(keep),
  };
  return questionBefore(consequence, keep.format);
}

function rulesOf({ at }: KeepState, of: "draft" | "saved"): Rules {
  const values = RULE_FIELDS.map((name) => {
    const { field, [of]: text } = at("retention", name);
    return [name, draftValue(field, text.value)];
  });
  // Each is of the type its own field says.
  return Object.fromEntries(values) as Rules;
}
