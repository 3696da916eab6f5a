/** @jsxImportSource preact */

import { typeRank } from "../../../server/domain/recordings/recording_codes.ts";
import { dateOf } from "../../../server/domain/recordings/recording_name.ts";
import { counted, formatCount, formatSeconds } from "../../../server/domain/text/format.ts";
import { hereInWords } from "../../../server/domain/viewer/coming_text.ts";
import { distanceInWords, NO_FIX, type SpeedUnit, speedInWords } from "../../../server/domain/viewer/distance_text.ts";
import { namesakeInWords } from "../../../server/domain/viewer/namesake_text.ts";
import { tripTimesOnDay } from "../../../server/domain/viewer/trip_text.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { TripSummary, ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { isPlainClick } from "../../browser/plain_click.ts";
import { Icon } from "../../parts/icon.tsx";
import { lookOfType, typeInWords } from "../../parts/recording_type.tsx";
import { Shot } from "../../parts/shot.tsx";
import { waitingKeys } from "../coming/coming_clips.ts";
import { useFocusHandover } from "../focus_handover.tsx";
import type { Marks } from "../stores.ts";
import type { Parts } from "../viewer_parts.ts";
import { whoseInList } from "../whose.ts";
import { Batch } from "./batch.tsx";
import { ClipRow } from "./clip_row.tsx";
import { WhoseLine } from "./whose_line.tsx";

const CLIPS_AT_ONCE = 40;

interface TripItemProps extends Parts<"list" | "browsing" | "marks" | "actions" | "thisYear" | "format" | "speedUnit"> {
  readonly date: string;
  readonly summary: TripSummary;
  /** Those of the day, newest first; at least one. */
  readonly clips: readonly ViewerRecording[];
}

/** A trip of a day, and when it is open its clips. */
export function TripItem({ summary: trip, clips, date, ...parts }: TripItemProps) {
  const { actions, thisYear, format, speedUnit } = parts;
  const { recordings: list, choosing } = parts.list;
  const { coming } = parts.marks;
  const { key } = parts.browsing;
  const camera = whoseInList(parts.list.whose, trip.clips[0] ?? "");
  const [first = ""] = trip.clips;
  const isOpen = list.openTrips.value.includes(first);
  const at = clips.findIndex((one) => keyOf(one) === key);
  const keys = clips.map(keyOf);
  const namesake = namesakeInWords(first);
  const time = tripTimesOnDay(trip.start, trip.end, date, thisYear, format);
  const part = choosing.partOfKeys(keys);
  // It may have clips on another day, too.
  const all = clips.length === trip.clips.length ? clips : trip.clips.flatMap((one) => list.find(one) ?? []);
  // A trip that began the day before is gone on with where this day begins.
  const start = dateOf(first) === date ? first : (keys.at(-1) ?? first);
  return (
    <li class="trip-item">
      <div class="trip-line">
        {choosing.isOn.value && (
          <label class="pick">
            <input
              type="checkbox"
              checked={part === "all"}
              indeterminate={part === "some"}
              onChange={() => choosing.toggleKeys(keys)}
            />
            <span class="sr">Select the trip {time}</span>
          </label>
        )}
        <a
          class="trip"
          href={parts.browsing.pathOf(start)}
          aria-current={at >= 0 && !isOpen ? "true" : undefined}
          data-trip={first}
          onClick={(click) => {
            if (!isPlainClick(click)) return;
            click.preventDefault();
            // A clip on show goes on playing, and the trip's clips open or close.
            if (at >= 0) list.toggleTrip(first);
            else void actions.show(start, true);
          }}
        >
          <Shot thumb={trip.thumb} type={trip.kind === "parked" ? "P" : "N"} />
          <span>
            <b>{time}</b>
            {trip.name !== null && (
              <span class="rec-line" title={trip.name}>
                {trip.name}
              </span>
            )}
            <WhoseLine camera={camera}>
              <span class="small soft trip-facts">
                {factsOf(trip, speedUnit)}
                {trip.fastest_knots !== null && trip.kind === "drive" && (
                  <span class="trip-fastest"> · up to {speedInWords(trip.fastest_knots, speedUnit)}</span>
                )}
              </span>
            </WhoseLine>
            {namesake && <span class="rec-line">{namesake}</span>}
            <TypeMarks trip={trip} />
          </span>
        </a>
        <button
          class="trip-open needs-script"
          type="button"
          aria-expanded={isOpen}
          aria-label={`Clips of ${time}`}
          title={counted(clips.length, "clip")}
          onClick={() => list.toggleTrip(first)}
        >
          <Icon name={isOpen ? "i-down" : "i-right"} class="i i-s" />
        </button>
      </div>
      <TripComing first={first} waiting={waitingKeys(all)} time={time} coming={coming} />
      {isOpen && (
        <ol class="recs" aria-label={`Clips of ${time}, newest first`}>
          <Batch
            all={clips}
            at={at}
            size={CLIPS_AT_ONCE}
            names={["later clips", "earlier clips"]}
            isList
            draw={(clip) => <ClipRow key={keyOf(clip)} recording={clip} isSmall {...parts} />}
          />
        </ol>
      )}
    </li>
  );
}

interface TripComingProps extends Pick<Marks, "coming"> {
  /** The key with which the trip begins. */
  readonly first: string;
  /** Keys of the clips that wait on the camera. */
  readonly waiting: readonly string[];
  readonly time: string;
}

/** Below the row of a trip of which clips are still on the camera: asks for all of them before all others. */
function TripComing(props: TripComingProps) {
  return props.waiting.length === 0 ? null : <TripRequest {...props} />;
}

function TripRequest({ first, waiting, time, coming }: TripComingProps) {
  const place = useFocusHandover<HTMLButtonElement>(() => document.querySelector(`#recordings [data-trip="${first}"]`));
  const ask = waiting.length === 1 ? "Get the last one now" : `Get these ${formatCount(waiting.length)} now`;
  const words = coming.saidOf(waiting) ?? ask;
  return (
    <button
      ref={place}
      class="list-more text-b needs-script"
      type="button"
      aria-label={`${words}: clips of ${time} that are still on the camera`}
      aria-busy={coming.isPending(waiting) ? "true" : undefined}
      onClick={() => void coming.getNow(waiting)}
    >
      {words}
    </button>
  );
}

function factsOf(
  { kind, length_seconds: length, distance_meters: distance, fixes, ...trip }: TripSummary,
  unit: SpeedUnit,
): string {
  if (kind === "parked") return `Parked · ${counted(trip.clips.length, "movement")}`;
  const facts = [
    formatSeconds(Math.max(60, Math.round(length / 60) * 60)),
    distance !== null ? distanceInWords(distance, unit) : fixes === 0 ? NO_FIX : trip.is_complete ? "" : "…",
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

/** Special kinds of a trip's clips; for a plain trip their number. */
function TypeMarks({ trip: { types, kept, here, coming, clips } }: { readonly trip: TripSummary }) {
  const letters = Object.keys(types).sort((one, other) => typeRank(one) - typeRank(other));
  const remarkable = letters.filter((letter) => letter !== "N");
  return (
    <span class="marks">
      {(remarkable.length > 0 ? remarkable : letters).map((letter) => {
        const [look, icon] = lookOfType(letter);
        return (
          <span key={letter} class={`type ${look}`} title={typeInWords(letter)}>
            <Icon name={icon} />
            <span class="sr">{typeInWords(letter)} </span>
            {formatCount(types[letter] ?? 0)}
          </span>
        );
      })}
      {here < clips.length && (
        <span class="type">
          <span class={coming > 0 ? "state is-busy" : undefined}>
            {coming > 0 && <Icon name="s-busy" />}
            {hereInWords(here, clips.length)}
          </span>
        </span>
      )}
      {kept > 0 && (
        <span class="type" title="Kept">
          <Icon name="i-kept" />
          <span class="sr">Kept </span>
          {formatCount(kept)}
        </span>
      )}
    </span>
  );
}
