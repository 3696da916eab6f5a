import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { gpsSteps } from "../domain/recordings/gps_file.ts";
import { readGsensor } from "../domain/recordings/gsensor_file.ts";
import { GPS, GSENSOR } from "../domain/recordings/sensor_schema.ts";
import { newestFirst, ofNewestDay } from "../domain/viewer/days_of_cameras.ts";
import { journeyOffsets } from "../domain/viewer/journey.ts";
import { JourneyClock } from "../domain/viewer/journey_clock.ts";
import { keyOf } from "../domain/viewer/viewer_address.ts";
import { DAY_RECORDINGS, DAYS, JOURNEY, TRIP } from "../domain/viewer/viewer_schema.ts";
import { clockOffset } from "../engine/viewer/clock_offset.ts";
import { type FolderParts, requireKnown } from "../engine/viewer/last_known.ts";
import { type NamingParts, nameOfTrip } from "../engine/viewer/trip_summaries.ts";
import { type EntryParts, viewerEntries } from "../engine/viewer/viewer_entries.ts";
import { type ListParts, listDay, listDays } from "../engine/viewer/viewer_lists.ts";
import { maySeePlaces } from "../http/auth/may_see_places.ts";
import { readCompanion } from "../store/library/companions.ts";
import { inTurns } from "../turns.ts";
import { endpoint } from "./endpoint.ts";
import { DATE, FILTER } from "./list_parameters.ts";
import { NO_SUCH_CLIP, OF_RECORDING } from "./recording_keys.ts";

type Parts = Pick<App, "segments" | "viewed">;

export const days = endpoint({
  summary: "The days that have recordings",
  query: v.object(FILTER),
  shape: DAYS,
  returns: "Newest first",
  errors: ["FOLDER_NOT_AVAILABLE"],
  async answer({ query }, app: ListParts & FolderParts) {
    const days = [...(await listDays(app, query))];
    if (days.length === 0) requireKnown(app);
    return { days };
  },
  all: (answers) => ({ days: newestFirst(answers.flatMap(({ answer }) => answer.days)) }),
});

export const recordings = endpoint({
  summary: "The recordings of a day",
  query: v.object({ date: DATE, ...FILTER }),
  shape: DAY_RECORDINGS,
  returns: "At most one day, newest recording first",
  errors: ["FOLDER_NOT_AVAILABLE"],
  async answer({ query }, app: ListParts & EntryParts & FolderParts) {
    const day = await listDay(app, query, query.date);
    if (day === null) requireKnown(app);
    return { days: day ? [{ date: day.date, recordings: await viewerEntries(app, day.segments) }] : [] };
  },
  all: (answers) => ({ days: ofNewestDay(answers.flatMap(({ answer }) => answer.days)) }),
});

export const journey = endpoint({
  summary: "The recording and those that follow it without a gap",
  description: "Of all types when the setting viewer.continuous_play is on.",
  params: OF_RECORDING,
  shape: JOURNEY,
  returns: "By time",
  async answer({ params: { key } }, app: EntryParts & Pick<App, "viewed" | "settings">) {
    const chain = await app.viewed.journey(key, app.settings.current.viewer.continuous_play);
    if (chain.length === 0) throw recordingNotFound(key);
    const found = await viewerEntries(app, chain);
    const offsets = journeyOffsets(
      chain.map((segment, index) => ({ ...segment, durationSeconds: found[index]?.duration_seconds ?? null })),
    );
    return { segments: found.map((entry, index) => ({ ...entry, offset_seconds: offsets[index] ?? 0 })) };
  },
});

export const trip = endpoint({
  summary: "The trip that a recording belongs to",
  description: "Recordings of all types without a break longer than the setting viewer.trip_gap_minutes.",
  params: OF_RECORDING,
  shape: TRIP,
  returns: "With all of its recordings, by time",
  async answer(
    { context, params: { key } },
    app: EntryParts & NamingParts & Pick<App, "viewed" | "settings" | "telemetry" | "zone">,
  ) {
    const found = await app.viewed.trip(key, app.settings.current.viewer.trip_gap_minutes);
    if (found === null) throw recordingNotFound(key);
    const entries = await viewerEntries(app, found.trip.clips);
    const clock = new JourneyClock(
      entries.map((entry) => ({ ...entry, key: keyOf(entry) })),
      app.zone,
    );
    const { clips } = found.trip;
    const facts = await app.segments.telemetryFacts(clips);
    return {
      kind: found.trip.kind,
      name: maySeePlaces(context) ? await nameOfTrip(app, clips, facts, clock) : null,
      length_seconds: clock.length,
      segments: entries.map((entry) => ({ ...entry, offset_seconds: clock.offsetOf(keyOf(entry)) ?? 0 })),
      earlier: found.earlier?.key ?? null,
      later: found.later?.key ?? null,
      clock_offset_seconds: await clockOffset(clips, facts, app),
    };
  },
});

export const gps = endpoint({
  summary: "Where the car was",
  params: OF_RECORDING,
  shape: GPS,
  returns: "By time; empty without satellites",
  errors: ["NO_GPS"],
  async answer({ params: { key } }, app: Parts) {
    const file = await readPart(key, app, "gps");
    if (!file) throw new AppError("NO_GPS", "This clip has no GPS data", { recording: key });
    return { points: (await inTurns(gpsSteps(file))).points };
  },
});

export const gsensor = endpoint({
  summary: "How the car was accelerated",
  params: OF_RECORDING,
  shape: GSENSOR,
  returns: "By time",
  errors: ["NO_GSENSOR"],
  async answer({ params: { key } }, app: Parts) {
    const file = await readPart(key, app, "gsensor");
    if (!file) throw new AppError("NO_GSENSOR", "This clip has no G-sensor data", { recording: key });
    return { samples: readGsensor(file) };
  },
});

/** The error of a key that no recording has. */
export function recordingNotFound(key: string): AppError {
  return new AppError("RECORDING_NOT_FOUND", NO_SUCH_CLIP, { recording: key });
}

/** The first bytes of a clip's telemetry; null when there is none. @throws AppError RECORDING_NOT_FOUND */
async function readPart(key: string, { segments, viewed }: Parts, part: "gps" | "gsensor") {
  const segment = await viewed.find(key);
  if (!segment) throw recordingNotFound(key);
  return await readCompanion(segments.root, segment, part);
}
