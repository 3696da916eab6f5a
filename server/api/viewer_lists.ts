import * as v from "valibot";
import type { App } from "../app.ts";
import { newestFirst, ofNewestDay, summed } from "../domain/viewer/days_of_cameras.ts";
import { CALENDAR, DAY_TRIPS, type DayTrips } from "../domain/viewer/viewer_schema.ts";
import { type FolderParts, requireKnown } from "../engine/viewer/last_known.ts";
import { dayTrips, type TripListParts } from "../engine/viewer/trip_summaries.ts";
import type { ViewedRecordings } from "../engine/viewer/viewed_recordings.ts";
import { keptCount, type ListParts } from "../engine/viewer/viewer_lists.ts";
import { maySeePlaces } from "../http/auth/may_see_places.ts";
import { endpoint } from "./endpoint.ts";
import { DATE, FILTER } from "./list_parameters.ts";

export const trips = endpoint({
  summary: "The trips of a day",
  description: "A trip has clips of all types, without a break longer than the setting viewer.trip_gap_minutes.",
  query: v.object({ date: DATE, ...FILTER }),
  shape: DAY_TRIPS,
  returns: "At most one day; of it the trips that have a clip of those asked for",
  errors: ["FOLDER_NOT_AVAILABLE"],
  async answer({ context, query }, app: TripListParts & FolderParts & Pick<App, "settings">) {
    const gapMinutes = app.settings.current.viewer.trip_gap_minutes;
    const day = await dayTrips(app, query.date, query, gapMinutes);
    if (day === null) requireKnown(app);
    return { days: day === null ? [] : [maySeePlaces(context) ? day : withoutNames(day)] };
  },
  all: (answers) => ({ days: ofNewestDay(answers.flatMap(({ answer }) => answer.days)) }),
});

export const calendar = endpoint({
  summary: "How much there is of which day, type and camera",
  shape: CALENDAR,
  returns: "Days newest first",
  errors: ["FOLDER_NOT_AVAILABLE"],
  async answer(_, app: ListParts & FolderParts & { readonly viewed: Pick<ViewedRecordings, "figures"> }) {
    const { days, types, cameras } = await app.viewed.figures();
    if (days.length === 0) requireKnown(app);
    return {
      days: days.map(({ date, clips, events, drivingSeconds }) => {
        return { date, count: clips, events, driving_seconds: drivingSeconds };
      }),
      types,
      cameras,
      kept: await keptCount(app),
    };
  },
  all: (answers) => ({
    days: newestFirst(answers.flatMap(({ answer }) => answer.days)),
    types: summed(answers.map(({ answer }) => answer.types)),
    cameras: summed(answers.map(({ answer }) => answer.cameras)),
    kept: answers.reduce((sum, { answer }) => sum + answer.kept, 0),
  }),
});

/** The trips of a day for those who may not know where the car was. */
function withoutNames({ before, trips, ...day }: DayTrips["days"][number]): DayTrips["days"][number] {
  return {
    ...day,
    before: before && { ...before, name: null },
    trips: trips.map((trip) => ({ ...trip, name: null })),
  };
}
