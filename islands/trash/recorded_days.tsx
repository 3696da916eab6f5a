/** @jsxImportSource preact */
import { useMemo } from "preact/hooks";
import { cameraDay } from "../../server/domain/recordings/camera_clock.ts";
import { KEEP_CLASSES } from "../../server/domain/retention/keep_times.ts";
import type { RecordedDay } from "../../server/domain/retention/trash_days.ts";
import { headingOfDay, type ReadAt } from "../../server/domain/retention/trash_text.ts";
import { counted, formatBytes, formatCount } from "../../server/domain/text/format.ts";
import { sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";
import { Icon } from "../parts/icon.tsx";
import { KIND_LOOKS } from "../parts/recording_type.tsx";
import { useHydrated } from "../viewer/player/use_hydrated.ts";
import { STEP } from "./contents.ts";
import type { RecordedView } from "./recorded_view.ts";
import { Row } from "./row.tsx";
import type { Trash } from "./trash.ts";

interface RecordedDaysProps {
  readonly trash: Trash;
  readonly view: RecordedView;
  readonly readAt: ReadAt;
}

/** The days on which what lies in the trash was recorded, each with its clips when it is open. */
export function RecordedDays({ trash, view, readAt }: RecordedDaysProps) {
  const days = view.days.value;
  const shown = view.daysShown.value;
  const clips = (list: readonly RecordedDay[]) => list.reduce((sum, { entries }) => sum + entries, 0);
  const later = days.slice(shown);
  return (
    <section class="section" aria-labelledby="trash-days">
      <div class="section-head">
        <h2 id="trash-days">
          {days.length === 0
            ? "No clip is of this kind"
            : `${counted(clips(days), "clip")} on ${counted(days.length, "day")}`}
        </h2>
        <RangeHint />
      </div>
      <ul class="tdays">
        {days.slice(0, shown).map((day) => (
          <OneDay key={day.date} day={day} trash={trash} view={view} readAt={readAt} />
        ))}
        {later.length > 0 && (
          <li class="tday-more needs-script" key="more">
            <button class="b" type="button" onClick={() => view.moreDays()}>
              Show {counted(Math.min(later.length, shown), "more day")} ({counted(clips(later), "clip")} left)
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Tells how to select a range with the pointer that this device has. */
function RangeHint() {
  const isTouched = useHydrated() && matchMedia("(pointer: coarse)").matches;
  return (
    <span class="small quiet needs-script">
      {isTouched ? "Press long and drag to select a range." : "Shift-click selects a range."}
    </span>
  );
}

function OneDay({ day, trash, view, readAt }: RecordedDaysProps & { readonly day: RecordedDay }) {
  const { date, entries, amount, kinds } = day;
  const part = view.partOf(day);
  const isOpen = view.open.value.has(date);
  const isHydrated = useHydrated();
  const name = cameraDay(date, readAt.zone.wall(readAt.now).year, readAt.zone.format);
  const told = (work: Promise<void>) =>
    void work.catch((error) => showToast(document, "failed", sentenceOfError(error)));
  const open = () => told(view.toggleOpen(date));
  const choose = (on: boolean, isRange: boolean) => told(view.chooseDay(date, on, isRange));
  return (
    <li class={part === "all" ? "tday is-on" : "tday"} data-day={date}>
      <div class="tday-h">
        <label class="pick needs-script">
          <input
            type="checkbox"
            checked={part === "all"}
            indeterminate={part === "some"}
            onClick={(event) => choose(event.currentTarget.checked, event.shiftKey)}
          />
          <span class="sr">
            Select {name}, {counted(entries, "clip")}
          </span>
        </label>
        <h3>
          {isHydrated ? (
            <button class="tday-b" type="button" aria-expanded={isOpen} onClick={open}>
              <Icon name={isOpen ? "i-down" : "i-right"} />
              <b>{name}</b>
            </button>
          ) : (
            <span class="tday-b">
              <Icon name="i-right" />
              <b>{name}</b>
            </span>
          )}
        </h3>
        <span class="tday-k">
          {KEEP_CLASSES.filter((kind) => kinds[kind] > 0).map((kind) => {
            const [look, icon] = KIND_LOOKS[kind];
            return (
              <span key={kind} class={`type ${look}`} title={kindName(kind)}>
                <Icon name={icon} />
                <span class="sr">{kindName(kind)} </span>
                {formatCount(kinds[kind])}
              </span>
            );
          })}
        </span>
        <span class="tday-n">
          <b>{counted(entries, "clip")}</b> <span class="soft">{formatBytes(amount.bytes)}</span>
        </span>
        <span class="tday-x">{headingOfDay(day, readAt)}</span>
      </div>
      {isOpen && <Rows day={day} trash={trash} view={view} readAt={readAt} />}
    </li>
  );
}

function Rows({ day, trash, view, readAt }: RecordedDaysProps & { readonly day: RecordedDay }) {
  // Rows speak of days only.
  const today = useMemo(() => readAt, [readAt.zone.id, readAt.zone.dayNumber(readAt.now)]);
  if (day.recordings.length < day.entries)
    return (
      <p class="tday-more" role="status">
        Reading this day…
      </p>
    );
  const shown = view.rowsOf(day.date);
  const left = day.entries - shown;
  return (
    <>
      <ul class="trash-list">
        {day.recordings.slice(0, shown).map((recording) => (
          <Row key={recording.key} trash={trash} date={day.date} recording={recording} readAt={today} isOfDay />
        ))}
      </ul>
      {left > 0 && (
        <p class="tday-more">
          <button class="b" type="button" onClick={() => view.moreRows(day.date)}>
            {left <= STEP ? `Show ${formatCount(left)} more` : `Show ${STEP} more (${formatCount(left)} left)`}
          </button>
        </p>
      )}
    </>
  );
}

export function kindName(kind: (typeof KEEP_CLASSES)[number]): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
