import type { App } from "../app.ts";
import { CALENDAR, DAY_TRIPS } from "../domain/api/viewer_schema.ts";
import { filterOf } from "../domain/viewer/list_filter.ts";
import { keptCount, type ListParts, listedBy } from "../engine/retention/viewer_lists.ts";
import { tripSummaries } from "../engine/status/trip_summaries.ts";
import type { EntryParts } from "../engine/status/viewer_entries.ts";
import type { RecordingIndex } from "../store/library/recording_index.ts";
import { endpoint } from "./endpoint.ts";
import { DATE, FILTER } from "./list_parameters.ts";
import { dateAsked } from "./viewer.ts";

type TripListApp = ListParts &
  EntryParts &
  Pick<App, "settings"> & { readonly segments: Pick<RecordingIndex, "trips" | "facts"> };

export const trips = endpoint({
  summary: "The trips of a day",
  description: "A trip has clips of all types, without a break longer than the setting viewer.trip_gap_minutes.",
  parameters: { date: DATE, ...FILTER },
  shape: DAY_TRIPS,
  returns: "At most one day; of it the trips that have a clip of those asked for",
  errors: ["INVALID_DATE"],
  async answer({ url }, app: TripListApp) {
    const found = await app.segments.trips(dateAsked(url), app.settings.current.viewer.trip_gap_minutes);
    if (found === null) return { days: [] };
    const isListed = await listedBy(app, filterOf(url.searchParams));
    const isBefore = found.before?.clips.some(isListed) ?? false;
    const wanted = found.trips.filter(({ clips }) => clips.some(isListed));
    const [before, ...all] = await tripSummaries(app, [...(found.before && isBefore ? [found.before] : []), ...wanted]);
    const listed = isBefore ? all : before === undefined ? [] : [before, ...all];
    return { days: [{ date: found.date, before: (isBefore && before) || null, trips: listed.reverse() }] };
  },
});

export const calendar = endpoint({
  summary: "How much there is of which day, type and camera",
  shape: CALENDAR,
  returns: "Days newest first",
  async answer(_, app: ListParts & { readonly segments: Pick<RecordingIndex, "figures"> }) {
    const { days, types, cameras } = await app.segments.figures();
    return {
      days: days.map(({ date, clips, events, drivingSeconds }) => {
        return { date, count: clips, events, driving_seconds: drivingSeconds };
      }),
      ...{ types, cameras },
      kept: await keptCount(app),
    };
  },
});
