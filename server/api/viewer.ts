import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/api/errors.ts";
import { DAY_RECORDINGS, DAYS, GPS, GSENSOR, JOURNEY } from "../domain/api/viewer_schema.ts";
import { isDay } from "../domain/recordings/camera_clock.ts";
import { MOST_GPS_BYTES, readGps } from "../domain/recordings/gps_file.ts";
import { MOST_GSENSOR_BYTES, readGsensor } from "../domain/recordings/gsensor_file.ts";
import { journeyOffsets } from "../domain/viewer/journey.ts";
import type { Only } from "../domain/viewer/viewer_address.ts";
import { type OnlyParts, onlyDay, onlyDays } from "../engine/retention/viewer_only.ts";
import { type EntryParts, viewerEntries } from "../engine/status/viewer_entries.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { findServedFile } from "../store/library/media_files.ts";
import { pathOf, type Segment } from "../store/library/recording_files.ts";
import { endpoint, KEY, query } from "./endpoint.ts";

type Parts = Pick<App, "segments">;

export const days = endpoint({
  summary: "The days that have recordings",
  shape: DAYS,
  says: "Newest first",
  async answer({ url }, app: OnlyParts) {
    const only = onlyOf(url);
    const days = only === null ? await app.segments.days() : await onlyDays(app, only);
    return { days: [...days] };
  },
});

export const recordings = endpoint({
  summary: "The recordings of a day",
  parameters: {
    date: query(
      "`YYYY-MM-DD`; the newest day when it is left out",
      v.pipe(v.string(), v.regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)),
    ),
  },
  shape: DAY_RECORDINGS,
  says: "At most one day, newest recording first",
  errors: ["INVALID_DATE"],
  async answer(context, app: OnlyParts & EntryParts) {
    const date = context.url.searchParams.get("date");
    if (date !== null && !isDay(date)) throw new AppError("INVALID_DATE", "The date must be YYYY-MM-DD", { date });
    const only = onlyOf(context.url);
    const day = only === null ? await app.segments.day(date) : await onlyDay(app, only, date);
    return { days: day ? [{ date: day.date, recordings: await viewerEntries(app, day.segments) }] : [] };
  },
});

export const journey = endpoint({
  summary: "The recording and those that follow it without a gap",
  description: "Of all types when the setting viewer.continuous_play is on.",
  parameters: { key: KEY },
  shape: JOURNEY,
  says: "By time",
  errors: ["RECORDING_NOT_FOUND"],
  async answer(context, app: EntryParts & Pick<App, "segments" | "settings">) {
    const key = recordingKey(context);
    const chain = await app.segments.journey(key, app.settings.current.viewer.continuous_play);
    if (chain.length === 0) throw recordingNotFound(key);
    const found = await viewerEntries(app, chain);
    const offsets = journeyOffsets(
      chain.map((segment, index) => ({ ...segment, durationSeconds: found[index]?.duration_seconds ?? null })),
    );
    return { segments: found.map((entry, index) => ({ ...entry, offset_seconds: offsets[index] ?? 0 })) };
  },
});

export const gps = endpoint({
  summary: "Where the car was",
  parameters: { key: KEY },
  shape: GPS,
  says: "By time; empty without satellites",
  errors: ["RECORDING_NOT_FOUND", "NO_GPS"],
  async answer(context, { segments: index }: Parts) {
    const key = recordingKey(context);
    const segment = await segmentOf(index, key);
    const file = segment.parts.gps && (await readStart(index, segment, segment.parts.gps, MOST_GPS_BYTES));
    if (!file) throw new AppError("NO_GPS", "This clip has no GPS data", { recording: key });
    return { points: readGps(file).points };
  },
});

export const gsensor = endpoint({
  summary: "How the car was accelerated",
  parameters: { key: KEY },
  shape: GSENSOR,
  says: "By time",
  errors: ["RECORDING_NOT_FOUND", "NO_GSENSOR"],
  async answer(context, { segments: index }: Parts) {
    const key = recordingKey(context);
    const segment = await segmentOf(index, key);
    const file = segment.parts.gsensor && (await readStart(index, segment, segment.parts.gsensor, MOST_GSENSOR_BYTES));
    if (!file) throw new AppError("NO_GSENSOR", "This clip has no G-sensor data", { recording: key });
    return { samples: readGsensor(file) };
  },
});

/** `?only=kept` or `?only=due`; anything else is passed over. */
function onlyOf({ searchParams }: URL): Only | null {
  const only = searchParams.get("only");
  return only === "kept" || only === "due" ? only : null;
}

/** `<base>_<type>` from the path. @throws AppError RECORDING_NOT_FOUND */
export function recordingKey({ params }: RequestContext): string {
  const key = params["key"] ?? "";
  if (!/^[0-9]{8}_[0-9]{6}_[A-Z]$/.test(key)) throw recordingNotFound(key);
  return key;
}

async function segmentOf(index: App["segments"], key: string): Promise<Segment> {
  const segment = await index.find(key);
  if (!segment) throw recordingNotFound(key);
  return segment;
}

export function recordingNotFound(key: string): AppError {
  return new AppError("RECORDING_NOT_FOUND", "There is no such clip", { recording: key });
}

/** The beginning of a file beside a segment's videos; null when it is gone. */
async function readStart(index: App["segments"], segment: Segment, ending: string, most: number) {
  const file = await findServedFile(index.root, pathOf(segment, ending));
  if (!file) return null;
  return await Bun.file(file.path).slice(0, most).bytes();
}
