import { cameraDay, clipName, shortClock } from "../../domain/recordings/camera_clock.ts";
import { secondsOf } from "../../domain/recordings/recording_name.ts";
import { isEvent } from "../../domain/retention/keep_times.ts";
import { withCamera } from "../../domain/settings/camera_address.ts";
import { counted } from "../../domain/text/format.ts";
import { clockOf, wallOf, type ZoneTime } from "../../domain/text/zone_time.ts";
import { summed } from "../../domain/viewer/days_of_cameras.ts";
import { filterQuery, NO_FILTER } from "../../domain/viewer/list_filter.ts";
import { meansKept, soughtKinds } from "../../domain/viewer/search_kinds.ts";
import type { SearchResult } from "../../domain/viewer/search_schema.ts";
import { type SoughtPart, soughtTimes } from "../../domain/viewer/sought_parts.ts";
import type { SoughtTime } from "../../domain/viewer/time_search.ts";
import { viewerPath } from "../../domain/viewer/viewer_address.ts";
import type { SegmentDays } from "../../store/clips/segment_days.ts";
import type { Segment } from "../../store/library/recording_files.ts";
import { nextTurn } from "../../turns.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import { foundNotes } from "./found_notes.ts";
import type { ViewedRecordings } from "./viewed_recordings.ts";
import { keptCount, type ListParts } from "./viewer_lists.ts";

interface Parts {
  readonly retention: { readonly kept: Pick<RetentionParts["kept"], "shown"> };
  readonly viewed: Pick<ViewedRecordings, "find" | "days" | "day" | "inDays">;
  readonly zone: ZoneTime;
  readonly clock: { now(): number };
}

type KindParts = ListParts & { readonly viewed: Pick<ViewedRecordings, "figures"> };

type Found = Omit<SearchResult, "camera">;

/** Days that are told of a time of any day. */
const MOST_OF_ANY = 3;
/** Days that are looked at before others may run. */
const DAYS_AT_ONCE = 100;
/** A clip is taken to be as long as most are. */
const USUAL_SECONDS = 60;
const DAY_SECONDS = 86_400;
const KINDS_TOLD = 4;

/** Everything of a camera that was meant by what was typed so far: times and notes, the likeliest of each first. */
export async function clipsFound(app: Parts, typed: string, most: number): Promise<Found[]> {
  if (typed.trim() === "") return [];
  return [...(await timesFound(app, typed)), ...(await notesFound(app, typed, most))];
}

async function timesFound(app: Parts, typed: string): Promise<Found[]> {
  const { zone, clock } = app;
  const days = { today: zone.isoDay(clock.now()), order: zone.format.order };
  const { times, weekdays, parts } = soughtTimes(typed, days);
  const found: Found[] = [];
  for (const date of weekdays) {
    const isOf = (day: string) => day <= date && weekdayOf(day) === weekdayOf(date);
    const last = (await app.viewed.days()).find((day) => isOf(day.date));
    if (last) found.push(...(await dayFound(app, last.date)));
  }
  for (const time of times) found.push(...(await timeFound(app, time)));
  for (const part of parts) found.push(...(await partFound(app, part)));
  return found;
}

/** Clips of a day, the oldest first. */
async function clipsOf({ viewed }: Parts, date: string): Promise<readonly Segment[]> {
  return (await viewed.day(date))?.segments.toReversed() ?? [];
}

/** Seconds since the midnight of its day at which a clip begins. */
const startOf = ({ key }: Segment) => secondsOf(key) % DAY_SECONDS;

async function timeFound(app: Parts, { date, seconds }: SoughtTime): Promise<Found[]> {
  if (seconds === null) return date === null ? [] : await dayFound(app, date);
  const clockText = clockOf(wallOf(seconds * 1000), app.zone.format);
  if (date !== null) {
    const clips = await clipsOf(app, date);
    const at = clips.findLast((clip) => startOf(clip) <= seconds);
    const isIn = at !== undefined && seconds - startOf(at) < USUAL_SECONDS;
    const near = isIn ? at : (clips.find((clip) => startOf(clip) > seconds) ?? at);
    if (near === undefined) return [];
    const told = shortClock(near.key, app.zone.format);
    const detail = isIn ? "" : `Nothing then. The ${startOf(near) > seconds ? "next" : "last"} clip is of ${told}`;
    return [
      timeResult(
        `${dayName(app, date)}, ${clockText}`,
        detail,
        viewerPath(near.key, isIn ? seconds - startOf(near) : 0),
      ),
    ];
  }
  return await onAnyDay(app, (day, { segments }) => {
    const clip = segments[firstBefore(segments, seconds + 1)];
    if (clip === undefined || seconds - startOf(clip) >= USUAL_SECONDS) return null;
    return timeResult(`${dayName(app, day)}, ${clockText}`, "", viewerPath(clip.key, seconds - startOf(clip)));
  });
}

async function dayFound(app: Parts, date: string): Promise<Found[]> {
  const clips = await clipsOf(app, date);
  const [first] = clips;
  return first === undefined
    ? []
    : [timeResult(dayName(app, date), counted(clips.length, "clip"), viewerPath(first.key))];
}

async function partFound(app: Parts, part: SoughtPart): Promise<Found[]> {
  const onDay = (date: string, { segments, days }: OfDay) => {
    const from = firstBefore(segments, part.to);
    const to = firstBefore(segments, part.from);
    // A night goes on after midnight.
    const next = part.to <= DAY_SECONDS ? [] : (days.day(dayAfter(date))?.segments ?? []);
    const ofNext = next.length - firstBefore(next, part.to - DAY_SECONDS);
    const first = to > from ? segments[to - 1] : ofNext > 0 ? next.at(-1) : undefined;
    if (first === undefined) return null;
    const detail = `${counted(to - from + ofNext, "clip")} from ${shortClock(first.key, app.zone.format)}`;
    return timeResult(`${dayName(app, date)}, ${part.name}`, detail, viewerPath(first.key));
  };
  if (part.date === null) return await onAnyDay(app, onDay);
  const days = await app.viewed.inDays();
  const found = onDay(part.date, { segments: days.day(part.date)?.segments ?? [], days });
  return found === null ? [] : [found];
}

/** A day's clips, newest first, among all. */
interface OfDay {
  readonly segments: readonly Segment[];
  readonly days: SegmentDays;
}

/** The newest days on which something is found; all days are looked at. */
async function onAnyDay(app: Parts, onDay: (date: string, of: OfDay) => Found | null): Promise<Found[]> {
  const days = await app.viewed.inDays();
  const found: Found[] = [];
  for (const [at, { date }] of days.counts.entries()) {
    if (at % DAYS_AT_ONCE === DAYS_AT_ONCE - 1) await nextTurn();
    const one = onDay(date, { segments: days.of(days.dates[at] ?? 0), days });
    if (one !== null) found.push(one);
    if (found.length === MOST_OF_ANY) break;
  }
  return found;
}

/** Index of the newest clip of a day that begins before a time; the length when all begin later. */
function firstBefore(newestFirst: readonly Segment[], seconds: number): number {
  let [from, to] = [0, newestFirst.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const clip = newestFirst[middle];
    if (clip !== undefined && startOf(clip) >= seconds) from = middle + 1;
    else to = middle;
  }
  return from;
}

function weekdayOf(date: string): number {
  return new Date(Date.parse(date)).getUTCDay();
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

function timeResult(title: string, detail: string, href: string): Found {
  return { group: "time", title, detail, href };
}

function dayName({ zone, clock }: Parts, date: string): string {
  return cameraDay(date, zone.wall(clock.now()).year, zone.format);
}

/** Kinds of clips of some cameras together. @param camera whose list they lead to; null for that of all */
export async function kindsFound(apps: readonly KindParts[], typed: string, camera: string | null): Promise<Found[]> {
  const types = summed(await Promise.all(apps.map(async ({ viewed }) => (await viewed.figures()).types)));
  const kinds = soughtKinds(typed, types, isEvent);
  if (meansKept(typed)) {
    const counts = await Promise.all(apps.map(keptCount));
    const count = counts.reduce((sum, one) => sum + one, 0);
    if (count > 0) kinds.push({ title: "Kept", count, filter: { ...NO_FILTER, only: "kept" } });
  }
  return kinds.slice(0, KINDS_TOLD).map(({ title, count, filter }) => {
    const href = withCamera(`/viewer?${filterQuery(filter).slice(1)}`, camera);
    return { group: "kind", title, detail: counted(count, "clip"), href };
  });
}

async function notesFound(app: Parts, typed: string, most: number): Promise<Found[]> {
  const { zone, clock } = app;
  const { year } = zone.wall(clock.now());
  return (await foundNotes(app, typed, most)).map(({ key, note }) => {
    return { group: "note", title: `${clipName(key, year, zone.format)}: ${note}`, detail: "", href: viewerPath(key) };
  });
}
