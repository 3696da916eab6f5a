import type { Clock } from "../clock.ts";
import { parseDuration } from "../domain/duration.ts";
import { KEEP_CHOICES, type KeepQuestion, keepQuestion } from "../domain/keep_choice.ts";
import { retentionCutoff } from "../domain/plan.ts";
import type { Settings } from "../domain/settings.ts";
import type { Library } from "../store/library.ts";
import { isOurs } from "./retention.ts";
import { dayIn } from "./rules.ts";

interface FoundParts {
  readonly library: Pick<Library, "refreshIfOlder" | "recordingCount" | "moments">;
  readonly clock: Clock;
  readonly settings: { readonly current: Settings };
}

/** What to ask about the recordings that are here before the first run; null when there are none. */
export async function foundRecordings({ library, clock, settings }: FoundParts): Promise<KeepQuestion | null> {
  await library.refreshIfOlder();
  const { recordingCount } = library;
  if (recordingCount === 0) return null;
  const { schedule, retention } = settings.current;
  const today = dayIn(schedule.timezone, clock.now());
  const cutoffs = KEEP_CHOICES.map(([value]) => {
    const cutoff = retentionCutoff(today, parseDuration(value).ms) ?? "";
    return { value, before: cutoff.replaceAll("-", ""), older: 0 };
  });
  for (const { key, folder, endings } of library.moments()) {
    if (!isOurs(folder)) continue;
    const videos = endings.filter((ending) => ending.endsWith(".mp4")).length;
    const day = key.slice(0, 8);
    for (const cutoff of cutoffs) if (day < cutoff.before) cutoff.older += videos;
  }
  const older = new Map(cutoffs.map((cutoff) => [cutoff.value, cutoff.older]));
  return keepQuestion(recordingCount, older, retention.trash_days);
}
