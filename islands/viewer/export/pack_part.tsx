/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { cameraDay } from "../../../server/domain/recordings/camera_clock.ts";
import { dateOf } from "../../../server/domain/recordings/recording_name.ts";
import { MAIN_CAMERA, splitKey } from "../../../server/domain/settings/camera_key.ts";
import { counted, formatBytes, formatSeconds } from "../../../server/domain/text/format.ts";
import { isHere } from "../../../server/domain/viewer/coming_text.ts";
import { exactClockAt } from "../../../server/domain/viewer/trip_text.ts";
import { cameraName, camerasInOrder, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../../parts/icon.tsx";
import { pageMayChange } from "../../browser/page_role.ts";
import { ForChange } from "../../parts/may_change.tsx";
import { Note } from "../../parts/note.tsx";
import { type PartProps, packQuery } from "./part_props.ts";

/** Until when the police want it. */
export function DeadlinePart({ pack, clips, thisYear, format }: PartProps) {
  const { value: told } = pack.answer;
  if (told === null || told.hand_in_by === null || told.days_left === null || told.hand_in_days === null) return null;
  const { days_left: left, hand_in_days: days, hand_in_by: last } = told;
  const day = (date: string) => cameraDay(date, thisYear, format);
  const recorded = dateOf(clips[0] ? keyOf(clips[0]) : "");
  const gone = Math.max(0, Math.min(1, (days - left) / days));
  const title =
    left > 0 ? `${counted(left, "day")} left to hand it in` : left === 0 ? "Hand it in today" : "The time is over";
  return (
    <Note level="attention" title={title}>
      <p>
        {left < 0
          ? `The last day was ${day(last)}. Hand it in all the same: some take it later.`
          : `Some police want it within ${counted(days, "day")}.`}
      </p>
      <svg class="save-days" aria-hidden="true">
        <rect class="is-left" width="100%" height="8" y="2" rx="4" />
        <rect class="is-gone" width={`${gone * 100}%`} height="8" y="2" rx="4" />
      </svg>
      <div class="save-scale">
        <span>Recorded {day(recorded)}</span>
        <span>Last day {day(last)}</span>
      </div>
    </Note>
  );
}

/** One archive with originals, films, track and a signed report. */
export function PackPart(props: PartProps) {
  const { pack, saving, query, directions, choice, trip, marks, format } = props;
  const { value: receiver } = saving.receiver;
  const { value: without } = choice.without;
  const told = pack.isReading.value ? null : pack.answer.value;
  const { value: problem } = pack.problem;
  const all = trip.trip.value?.segments.filter(isHere) ?? [];
  const isKept = all.every(({ kept }) => kept !== null);
  const keeps = useSignal(true);
  const isPolice = receiver === "police";
  const around = isPolice ? ", with 1 min before and after" : "";
  const [first] = props.clips;
  const camera = (first && splitKey(keyOf(first)).camera) ?? MAIN_CAMERA;
  const size = (bytes: number | undefined) => (bytes === undefined ? "" : formatBytes(bytes));
  return (
    <>
      {told?.is_long && (
        <Note level="attention" title={`This is ${formatSeconds(told.seconds)}`}>
          <p>Most police take 10 minutes at most. Mark a shorter part.</p>
        </Note>
      )}
      <p class="label">One pack (ZIP)</p>
      <ul class="save-list" aria-busy={pack.isReading.value}>
        <li>
          <div>
            <b>Originals</b>
            <span class="small">{told ? `${counted(told.originals.files, "file")}${around}` : "Reading…"}</span>
          </div>
          <span class="soft">{size(told?.originals.bytes)}</span>
        </li>
        <li>
          <div>
            <b>Films, pictures, track, report</b>
            <span class="small">Signed list of all files</span>
          </div>
          <span class="soft">{size(told ? told.films.bytes + told.pictures.bytes : undefined)}</span>
          {told?.cannot.map(({ direction, reason }) => (
            <span key={direction} class="small state is-attention">
              <Icon name="s-attention" />
              <span>
                {cameraName(direction)}: {reason}
              </span>
            </span>
          ))}
        </li>
      </ul>
      <p class="save-says" role="status">
        {problem ??
          (told && isPolice
            ? `It covers ${exactClockAt(told.starts_at, format)} to ${exactClockAt(told.ends_at, format)}.`
            : "")}
      </p>
      {directions.length > 1 && <CameraChips {...props} />}
      <p class="small soft save-says">
        Files without a checksum are read first: then a large pack takes a moment to begin.
      </p>
      <div class="save-foot">
        {isPolice && !isKept && (
          <ForChange>
            <label class="check">
              <input
                type="checkbox"
                checked={keeps.value}
                onChange={(event) => {
                  keeps.value = event.currentTarget.checked;
                }}
              />
              <span>
                Keep the whole trip <span class="small soft">They may ask for it{tripSize(all)}</span>
              </span>
            </label>
          </ForChange>
        )}
        <a
          class="b b-primary"
          href={`/api/viewer/export/pack?${query}&${packQuery(receiver, directions, without)}`}
          download
          onClick={() => {
            const [first] = all;
            if (pageMayChange(document) && isPolice && keeps.value && !isKept && first)
              void marks.keeping.keepTrip(keyOf(first));
          }}
        >
          <Icon name="i-shield" />
          Save the pack{told && `, about ${formatBytes(told.bytes)}`}
        </a>
        <p class="small soft">
          <a
            href={`/api/viewer/export/${camera}/report.html?${query}&${packQuery(receiver, directions, without)}`}
            target="_blank"
            rel="noopener"
          >
            See the report
          </a>
          . A long one takes a moment.
        </p>
      </div>
    </>
  );
}

/** Cameras of the pack; one of them stays. */
function CameraChips({ directions, choice }: PartProps) {
  const { value: without } = choice.without;
  const chosen = directions.filter((letter) => !without.includes(letter));
  return (
    <div class="save-spans" role="group" aria-label="Cameras">
      {camerasInOrder(directions).map((letter) => {
        const isIn = chosen.includes(letter);
        return (
          <button
            key={letter}
            class="chip"
            type="button"
            aria-pressed={isIn}
            aria-disabled={isIn && chosen.length === 1 ? "true" : undefined}
            onClick={() => {
              if (isIn && chosen.length === 1) return;
              choice.without.value = isIn ? [...without, letter] : without.filter((one) => one !== letter);
            }}
          >
            {cameraName(letter)}
          </button>
        );
      })}
    </div>
  );
}

function tripSize(clips: PartProps["clips"]): string {
  const sizes = clips.map(({ size_bytes: size }) => size);
  const known = sizes.filter((size) => size !== null);
  return known.length === sizes.length ? `: ${formatBytes(known.reduce((sum, size) => sum + size, 0))}` : "";
}
