import type { Clock } from "../../clock.ts";
import { KEEP_CHOICES, type KeepQuestion, keepQuestion } from "../../domain/retention/keep_choice.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Library } from "../../store/library/library.ts";
import type { DeletionConsent } from "./deletion_consent.ts";
import { videosOf } from "./due.ts";
import type { PendingDeletions } from "./pending_deletions.ts";
import { retentionRulesOf } from "./retention_rules.ts";

export interface FoundParts {
  readonly library: Pick<Library, "refreshIfOlder" | "recordingCount">;
  readonly deletions: Pick<PendingDeletions, "due">;
  readonly retention: { readonly consent: Pick<DeletionConsent, "noteLibrary" | "isAwaited"> };
  readonly clock: Clock;
  readonly settings: { readonly current: Settings };
}

/** Asks about recordings that were here before this service; null when there are none, or it was answered. */
export async function foundRecordings(parts: FoundParts): Promise<KeepQuestion | null> {
  const { library, deletions, clock, settings } = parts;
  await library.refreshIfOlder();
  if (library.recordingCount === 0) return null;
  const { consent } = parts.retention;
  await consent.noteLibrary();
  // Recordings that this service brought itself are kept as the settings say, without a question.
  if (!consent.isAwaited) return null;
  const { current } = settings;
  const older = new Map<string, number>();
  for (const [keep] of KEEP_CHOICES) {
    const chosen = { ...current, retention: { ...current.retention, keep } };
    const due = await deletions.due(retentionRulesOf({ current: chosen, unusable: [] }, clock.now()));
    older.set(keep, due === null ? 0 : videosOf([...due.age, ...due.room]));
  }
  return keepQuestion(library.recordingCount, older, current.retention.trash_days);
}
