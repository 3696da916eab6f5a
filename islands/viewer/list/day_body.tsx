/** @jsxImportSource preact */
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { FocusHandover, toDay } from "../focus_handover.tsx";
import type { Parts } from "../viewer_parts.ts";
import { Batch } from "./batch.tsx";
import { ClipRow } from "./clip_row.tsx";
import { TripItem } from "./trip_row.tsx";

const ROWS_AT_ONCE = 60;

/** The trips of an open day, or under a filter its clips; or why they are not there. */
export function DayBody({
  date,
  ...parts
}: Parts<"list" | "browsing" | "marks" | "actions" | "thisYear" | "format" | "speedUnit"> & { readonly date: string }) {
  const { recordings: list } = parts.list;
  const { key } = parts.browsing;
  const { recordings, trips, problem } = list.stateOf(date);
  if (problem !== null)
    return (
      <div class="day-says" role="status">
        <p>This day could not be read. {problem}</p>
        <FocusHandover key="unread" to={toDay(date)}>
          <button class="b" type="button" onClick={() => void list.load(date).catch(() => {})}>
            Try again
          </button>
        </FocusHandover>
      </div>
    );
  if (recordings === null)
    return (
      <p class="day-says" role="status">
        Reading this day…
      </p>
    );
  if (recordings.length === 0)
    return (
      <div class="day-says">
        <p>Nothing is left of this day.</p>
      </div>
    );
  if (trips === null)
    return (
      <ul class="day-body">
        <Batch
          all={recordings}
          at={recordings.findIndex((one) => keyOf(one) === key)}
          size={ROWS_AT_ONCE}
          names={["later clips", "earlier clips"]}
          isList
          draw={(recording) => <ClipRow key={keyOf(recording)} recording={recording} {...parts} />}
        />
      </ul>
    );
  // A trip may have clips on two days, and lose clips before it is asked for again.
  const byKey = new Map(recordings.map((one) => [keyOf(one), one]));
  const ofDay = trips
    .map((trip) => ({ trip, clips: trip.clips.flatMap((clip) => byKey.get(clip) ?? []).reverse() }))
    .filter(({ clips }) => clips.length > 0);
  return (
    <ul class="day-body day-trips">
      <Batch
        all={ofDay}
        at={ofDay.findIndex(({ clips }) => clips.some((one) => keyOf(one) === key))}
        size={ROWS_AT_ONCE}
        names={["later trips", "earlier trips"]}
        isList
        draw={({ trip, clips }) => {
          const [only] = clips;
          // A trip of one clip says no more than the clip.
          return only && clips.length === 1 && trip.clips.length === 1 ? (
            <ClipRow key={keyOf(only)} recording={only} {...parts} />
          ) : (
            <TripItem key={trip.clips[0]} summary={trip} clips={clips} date={date} {...parts} />
          );
        }}
      />
    </ul>
  );
}
