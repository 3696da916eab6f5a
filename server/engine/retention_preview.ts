import { stat } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import type { Clock } from "../clock.ts";
import type { RetentionPreview } from "../domain/api.ts";
import { SECTIONS, type Settings } from "../domain/settings.ts";
import { each } from "../store/directory.ts";
import type { Library } from "../store/library.ts";
import { outdatedMoments } from "./retention.ts";
import { cutoffOf } from "./rules.ts";

/** How long somebody who types waits for sizes; a slow disk is left in peace after that. */
const SIZES_MS = 100;
const MOST_SIZES = 5000;
/** Files looked at at once. */
const WIDTH = 8;

export interface RetentionPreviewParts {
  readonly library: Library;
  readonly clock: Clock;
  readonly settings: { readonly current: Settings };
  /** As they were at the start: a dry run lasts until the next one. */
  readonly boot: Settings;
}

/** What a scheduled sync would delete at this moment if `keep` were the setting. Nothing is touched. */
export async function previewRetention(parts: RetentionPreviewParts, keep: string): Promise<RetentionPreview> {
  const { library, clock, settings, boot } = parts;
  const { check, label } = SECTIONS.retention.fields.keep;
  const checked = v.safeParse(check, keep);
  if (!checked.success) return { valid: false, problem: `${label} ${checked.issues[0].message}.` };
  const cutoff = cutoffOf(checked.output, clock.now(), settings.current.schedule.timezone);
  const answer = { valid: true, cutoff, dry_run: boot.system.dry_run } as const;
  // The page shows the answer until something else is typed: what came or went just before the question counts.
  await library.refresh();
  if (!library.available)
    return { ...answer, recordings: null, bytes: null, oldest: null, newest: null, forecast: null };
  const videos: string[] = [];
  for (const { folder, key, endings } of outdatedMoments(library, cutoff))
    for (const ending of endings) if (ending.endsWith(".mp4")) videos.push(join(library.root, folder, key + ending));
  return {
    ...answer,
    recordings: videos.length,
    bytes: await sizeOf(videos, clock),
    oldest: null,
    newest: null,
    forecast: null,
  };
}

/** All files together; null when there are too many, the disk is slow or one cannot be looked at. */
async function sizeOf(paths: readonly string[], clock: Clock): Promise<number | null> {
  if (paths.length > MOST_SIZES) return null;
  const until = clock.elapsed() + SIZES_MS;
  let bytes: number | null = 0;
  const add = async (path: string) => {
    if (bytes === null) return;
    const found = clock.elapsed() > until ? null : await stat(path).catch(() => null);
    bytes = found === null || bytes === null ? null : bytes + found.size;
  };
  await each(paths, add, WIDTH);
  return bytes;
}
