import { signal } from "@preact/signals";
import type { Amount } from "../../../server/domain/retention/deletion.ts";
import type { RetentionPreview } from "../../../server/domain/retention/deletion_schema.ts";
import { RULE_FIELDS } from "../../../server/domain/retention/keep_change.ts";
import { leavingTrash } from "../../../server/domain/retention/keep_consent.ts";
import { nextRunInWords, whenInWords } from "../../../server/domain/retention/retention_text.ts";
import { diskStopWarning } from "../../../server/domain/runs/disk_space.ts";
import { draftProblem } from "../../../server/domain/settings/form_problems.ts";
import { normalText } from "../../../server/domain/settings/form_values.ts";
import { counted } from "../../../server/domain/text/format.ts";
import type { Asked } from "../asked.ts";
import type { Entry } from "../entry.ts";
import { decidesDeleting, type KeepDrawnProps, type KeepState, type Shared } from "./shared.ts";

/** The one that the parts share: the first of them makes it. */
export function keepOf(props: KeepDrawnProps): KeepState {
  const { keep } = props.shared;
  keep.current ??= keepState(props);
  return keep.current;
}

function keepState({ shared, drawn }: KeepDrawnProps): KeepState {
  return {
    ...shared,
    standing: signal(drawn.standing),
    preview: signal({ answer: drawn.preview, isStale: false }),
    round: signal(0),
    drawnFor: previewOf(shared.at, ({ field }) => field.value),
    dialog: signal(null),
  };
}

/** Asks what the next run would delete, with what is typed or what is saved; null while something typed is wrong. */
export function previewPath(at: Shared["at"], of: "draft" | "saved"): `/api/${string}` | null {
  const isWrong = RULE_FIELDS.some((name) => {
    const { field, [of]: text } = at("retention", name);
    return draftProblem(field, text.value) !== null;
  });
  return isWrong ? null : previewOf(at, (entry) => entry[of].value);
}

function previewOf(at: Shared["at"], textOf: (entry: Entry) => string): `/api/${string}` {
  const asked = RULE_FIELDS.map((name) => {
    const entry = at("retention", name);
    return [name, normalText(entry.field, textOf(entry))];
  });
  const zone = at("schedule", "timezone");
  const text = textOf(zone).trim();
  // Days are counted in it.
  if (text !== zone.saved.value && zone.problem.value === null) asked.push(["timezone", text]);
  return `/api/retention/preview?${new URLSearchParams(asked)}`;
}

/** Days in the trash with what is typed; what is saved while that is wrong. */
export function trashDays({ at }: Pick<Shared, "at">): number {
  const { problem, draft, saved } = at("retention", "trash_days");
  return Number(problem.value === null ? draft.value : saved.value);
}

/** Consequence of a changed disk stop with the disk as full as it is; null when there is room below it. */
export function stopWarning({ at, standing }: KeepState): string | null {
  const { isChanged, problem, draft } = at("retention", "max_used_disk_percent");
  const { disk } = standing.value;
  if (disk === null || !isChanged.value || problem.value !== null) return null;
  return diskStopWarning(Number(draft.value), disk.used_percent);
}

/** Time of the next run with the typed values; null while none is known to come. */
export function nextRun({ at, runs, format }: Pick<Shared, "at" | "runs" | "format">): string | null {
  return nextRunInWords(runs.value, at("schedule", "paused").draft.value === "true", format);
}

/** Amount that leaves the trash for good at the next run because the days typed are fewer than those saved. */
export function leavingSooner(keep: KeepState): Amount {
  const { value: runs } = keep.runs;
  if (!runs.valid) return { recordings: 0, bytes: 0 };
  const less = Number(keep.at("retention", "trash_days").saved.value) - trashDays(keep);
  return leavingTrash(keep.standing.value.trash.parts, less, runs.next[0] ?? runs.now);
}

/** Recordings that the next run deletes because of the changes, for the save bar; empty for none, or while unknown. */
export function dueInWords(keep: KeepState, { answer, isStale }: Asked<RetentionPreview>): string {
  if (isStale || !answer.valid || answer.dry_run || !answer.recordings || !touchesRules(keep)) return "";
  const verb = answer.recordings === 1 ? "goes" : "go";
  return `${counted(answer.recordings, "recording")} ${verb} ${whenInWords(nextRun(keep))}`;
}

/** True when a setting that decides about deletion is changed. */
export function touchesRules({ entries }: Pick<Shared, "entries">): boolean {
  return entries.some((entry) => decidesDeleting(entry) && entry.isChanged.value);
}
