import * as v from "valibot";
import { dayOfMoment, dayText, hasNoAge } from "../../domain/recordings/moment_number.ts";
import type { DeletionForecast, KindForecast } from "../../domain/retention/deletion.ts";
import type { RetentionPreview } from "../../domain/retention/deletion_schema.ts";
import { classOfMoment } from "../../domain/retention/due_recordings.ts";
import { KEEP_CLASSES, type KeepClass } from "../../domain/retention/keep_times.ts";
import { timeZoneProblem } from "../../domain/settings/schedule.ts";
import { fieldsOf, type Settings } from "../../domain/settings/settings.ts";
import { isoDay } from "../../domain/text/zone_time.ts";
import type { LibraryMoment } from "../../store/destination/trash_moves.ts";
import { allMoments, type Due, daysOf } from "./due.ts";
import { type PendingDeletions, SAVE_MS } from "./pending_deletions.ts";
import type { RetentionParts } from "./retention_parts.ts";
import { dayIn, type RetentionRules, type RetentionSettings, retentionRulesOf } from "./retention_rules.ts";

/** As many bars as a phone shows apart. */
const BARS = 30;
const DAY_MS = 86_400_000;

export interface RetentionPreviewParts {
  readonly retention: RetentionParts;
  readonly deletions: PendingDeletions;
  readonly settings: RetentionSettings & { readonly current: Settings };
  /** As they were at the start: a dry run lasts until the next one. */
  readonly boot: Pick<Settings, "system">;
}

/** Settings of retention, and the zone in which days are counted, as a query has them; what it leaves out is as set. */
export type RetentionDraft = Readonly<Record<string, string | null>>;

/** Lists what a scheduled sync would delete at this moment if these were the settings. Nothing is touched. */
export async function previewRetention(parts: RetentionPreviewParts, draft: RetentionDraft): Promise<RetentionPreview> {
  const { retention, deletions, settings, boot } = parts;
  const read = readDraft(settings.current, draft);
  if ("problem" in read) return { valid: false, problem: read.problem };
  const timezone = draft["timezone"] ?? settings.current.schedule.timezone;
  const wrongZone = timeZoneProblem(timezone);
  if (wrongZone !== null) return { valid: false, problem: `Time zone: ${wrongZone}.` };
  const schedule = { ...settings.current.schedule, timezone };
  const { library, clock } = retention;
  // A value that is being set now is usable, even if the file has something unusable.
  const unusable = settings.unusable.filter(({ key }) => typeof draft[key] !== "string");
  const rules = retentionRulesOf(
    { current: { ...settings.current, schedule, retention: read.retention }, unusable },
    clock.now(),
  );
  const answer = { valid: true, cutoff: rules.cutoffs.normal, dry_run: boot.system.dry_run } as const;
  // The page shows the answer until something else is typed: what came or went just before the question counts.
  await library.refresh();
  const due = await deletions.due(rules, SAVE_MS);
  if (due === null) return { ...answer, recordings: null, bytes: null, oldest: null, newest: null, forecast: null };
  const going = [...due.age, ...due.room];
  const days = daysOf(going.filter(({ set }) => set.videos > 0));
  const today = dayIn(timezone, clock.now());
  const amount = await deletions.amountOf(going);
  return {
    ...answer,
    ...amount,
    oldest: days?.oldest ?? null,
    newest: days?.newest ?? null,
    forecast: await forecastOf(parts, { due, rules, today }),
  };
}

/** @returns the settings with the draft in them, or what is wrong with it, as a sentence */
function readDraft(
  { retention }: Pick<Settings, "retention">,
  draft: RetentionDraft,
): { retention: Settings["retention"] } | { problem: string } {
  let drawn: Record<string, unknown> = { ...retention };
  for (const [key, field] of fieldsOf("retention")) {
    const text = draft[key];
    if (typeof text !== "string") continue;
    const isNumber = field.widget.kind === "number";
    const value = !isNumber ? text : text.trim() === "" ? null : Number(text);
    const checked = v.safeParse(field.check, value);
    if (!checked.success) return { problem: `${field.label} ${checked.issues[0].message}.` };
    drawn = { ...drawn, [key]: checked.output };
  }
  return { retention: drawn as Settings["retention"] };
}

async function forecastOf(
  { deletions, retention }: RetentionPreviewParts,
  { due, rules, today }: { due: Due; rules: RetentionRules; today: string },
): Promise<DeletionForecast> {
  const all = allMoments(retention.library);
  const going = new Set([...due.age, ...due.room].map(({ moment, folder }) => `${moment} ${folder}`));
  const byKind = new Map<KeepClass, { here: LibraryMoment[]; due: LibraryMoment[] }>(
    KEEP_CLASSES.map((kind) => [kind, { here: [], due: [] }]),
  );
  let oldest = today;
  for (const one of all) {
    const kind = byKind.get(classOfMoment(one.moment));
    kind?.here.push(one);
    if (going.size > 0 && going.has(`${one.moment} ${one.folder}`)) kind?.due.push(one);
    if (hasNoAge(one.moment)) continue;
    const day = dayText(dayOfMoment(one.moment));
    if (day < oldest) oldest = day;
  }
  const bars = barsFrom(oldest, today);
  const kinds: Partial<Record<KeepClass, KindForecast>> = {};
  for (const [kind, found] of byKind) {
    const goes = countBars(found.due, bars);
    const here = countBars(found.here, bars);
    kinds[kind] = {
      cutoff: rules.cutoffs[kind],
      here: await deletions.amountOf(found.here),
      due: await deletions.amountOf(found.due),
      stays: here.map((count, at) => count - (goes[at] ?? 0)),
      goes,
    };
  }
  const { firsts, end } = bars;
  return {
    bars: all.length === 0 ? [] : firsts,
    end: all.length === 0 ? null : end,
    kinds: kinds as DeletionForecast["kinds"],
  };
}

interface Bars {
  /** `YYYY-MM-DD`, the first day of each. */
  readonly firsts: string[];
  readonly end: string;
  /** Days since 1970 of the first bar, and days in each. */
  readonly from: number;
  readonly width: number;
}

/** Bars of the same whole number of days, the last one with today in it. */
function barsFrom(oldest: string, today: string): Bars {
  const first = Date.parse(oldest) / DAY_MS;
  const last = Date.parse(today) / DAY_MS;
  const days = Math.max(BARS, last - first + 1);
  const width = Math.ceil(days / BARS);
  const count = Math.ceil(days / width);
  const from = last + 1 - count * width;
  const firsts = Array.from({ length: count }, (_, at) => isoDay((from + at * width) * DAY_MS));
  return { firsts, end: isoDay((last + 1) * DAY_MS), from, width };
}

function countBars(moments: readonly LibraryMoment[], { firsts, from, width }: Bars): number[] {
  const counts = firsts.map(() => 0);
  for (const { moment, set } of moments) {
    if (hasNoAge(moment)) continue;
    const at = Math.floor((Date.parse(dayText(dayOfMoment(moment))) / DAY_MS - from) / width);
    // A camera whose clock is ahead belongs to the last bar.
    const bar = Math.min(Math.max(at, 0), counts.length - 1);
    counts[bar] = (counts[bar] ?? 0) + set.videos;
  }
  return counts;
}
