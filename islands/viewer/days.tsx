/** @jsxImportSource preact */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { ViewerDay } from "../../server/domain/api.ts";
import { cameraDay } from "../../server/domain/camera_time.ts";
import { counted } from "../../server/domain/format.ts";
import { keyOf } from "../../server/domain/viewing.ts";
import { Icon } from "../parts/icon.tsx";
import { useAlive } from "./alive.ts";
import { FocusHandover, toDay } from "./focus_handover.tsx";
import { revealChosen } from "./list_scroll.ts";
import type { ViewerParts } from "./parts.ts";
import { RecordingRow } from "./recording_row.tsx";
import { TypeChips } from "./type_chips.tsx";

interface DaysProps extends ViewerParts {
  readonly listRef: RefObject<HTMLElement | null>;
}

/** The list: days, and in the open ones their recordings. */
export function Days({ listRef, ...parts }: DaysProps) {
  const { browsing } = parts;
  const days = browsing.days.value;
  const { key } = browsing;
  useEffect(() => revealChosen(listRef.current), [key]);
  return (
    <section class="trips" id="recordings" aria-labelledby="recordings-title" tabindex={-1} ref={listRef}>
      <div class="trips-head">
        <div class="row row-between">
          <h2 id="recordings-title">Recordings</h2>
          <p class="small quiet">
            {counted(
              days.reduce((sum, { count }) => sum + count, 0),
              "moment",
            )}
            , {counted(days.length, "day")}
          </p>
        </div>
        <TypeChips {...parts} />
      </div>
      {days.map((day) => (
        <Day key={day.date} day={day} {...parts} />
      ))}
    </section>
  );
}

function Day({ day: { date, count }, ...parts }: ViewerParts & { readonly day: ViewerDay }) {
  const { browsing, thisYear } = parts;
  const isOpen = browsing.open.value.includes(date);
  const isAlive = useAlive();
  const face = (
    <>
      <Icon name={isOpen ? "i-down" : "i-right"} />
      {cameraDay(date, thisYear)}
      <span>{counted(count, "moment")}</span>
    </>
  );
  return (
    <>
      <h3>
        {isAlive ? (
          <button
            class="day"
            type="button"
            aria-expanded={isOpen}
            data-date={date}
            onClick={() => browsing.toggleDay(date)}
          >
            {face}
          </button>
        ) : (
          <a class="day" href={`/viewer?date=${date}`} data-date={date}>
            {face}
          </a>
        )}
      </h3>
      {isOpen && <DayBody date={date} {...parts} />}
    </>
  );
}

function DayBody({ date, browsing, actions }: ViewerParts & { readonly date: string }) {
  const { recordings, problem } = browsing.stateOf(date);
  const { key } = browsing;
  if (problem !== null)
    return (
      <div class="day-says" role="status">
        <p>This day could not be read. {problem}</p>
        <FocusHandover key="unread" to={toDay(date)}>
          <button class="b" type="button" onClick={() => void browsing.load(date).catch(() => {})}>
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
  const wanted = recordings.filter((recording) => browsing.isWanted(recording));
  if (wanted.length === 0)
    return (
      <div class="day-says">
        <p>{recordings.length === 0 ? "Nothing is left of this day." : "Nothing of the chosen types on this day."}</p>
        {recordings.length > 0 && (
          <FocusHandover key="other-types" to={toDay(date)}>
            <button
              class="b"
              type="button"
              onClick={() => {
                browsing.types.value = [];
              }}
            >
              Show all types
            </button>
          </FocusHandover>
        )}
      </div>
    );
  return (
    <ul class="day-body">
      {wanted.map((recording) => {
        const its = keyOf(recording);
        return (
          <li key={its}>
            <RecordingRow recording={recording} isChosen={its === key} choose={() => void actions.show(its, true)} />
          </li>
        );
      })}
    </ul>
  );
}
