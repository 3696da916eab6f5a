/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { counted, formatSeconds } from "../../../server/domain/text/format.ts";
import {
  addDays,
  addMonths,
  type Month,
  monthOfDay,
  weekdayOf,
  weeksOf,
} from "../../../server/domain/viewer/calendar_month.ts";
import { dayOfKey } from "../../../server/domain/viewer/viewer_address.ts";
import { sentenceOfError } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import { useOpenDialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import type { Parts } from "../viewer_parts.ts";
import { type CalendarDay, DayCell, MONTHS, WEEKDAYS } from "./calendar_day.tsx";

/** Day that each key leads to, from the one that has the focus. */
const KEYS: Readonly<Record<string, (date: string) => string>> = {
  ArrowLeft: (date) => addDays(date, -1),
  ArrowRight: (date) => addDays(date, 1),
  ArrowUp: (date) => addDays(date, -7),
  ArrowDown: (date) => addDays(date, 7),
  PageUp: (date) => addMonths(date, -1),
  PageDown: (date) => addMonths(date, 1),
  "Shift+PageUp": (date) => addMonths(date, -12),
  "Shift+PageDown": (date) => addMonths(date, 12),
  Home: (date) => addDays(date, -weekdayOf(date)),
  End: (date) => addDays(date, 6 - weekdayOf(date)),
};

interface CalendarDialogProps extends Parts<"list" | "browsing" | "format" | "today"> {
  readonly closed: () => void;
}

/** The days with clips, a month at a time: how much was driven, and on which days there were events. */
export function CalendarDialog({ closed, browsing, list: { totals, finding }, today, format }: CalendarDialogProps) {
  const dialog = useOpenDialog(closed);
  const chosen = dayOfKey(browsing.key ?? "");
  const focused = useSignal(chosen ?? today);
  const grid = useRef<HTMLTableElement>(null);
  const isMoving = useRef(false);
  const known = totals.days.value;
  const problem = useSignal<string | null>(null);
  useEffect(() => {
    totals.refresh().catch((error: unknown) => {
      problem.value = sentenceOfError(error);
    });
  }, []);
  const month = monthOfDay(focused.value);
  const days = new Map((known ?? []).map((day) => [day.date, day]));
  const newest = known?.[0]?.date ?? today;
  const oldest = known?.at(-1)?.date ?? today;
  const last = newest > today ? newest : today;
  const isIn = (date: string) => date >= `${monthOfDay(oldest)}-01` && monthOfDay(date) <= monthOfDay(last);
  const go = (date: string) => {
    if (isIn(date)) focused.value = date;
  };
  // A year on from a late month may lie beyond the newest.
  const goToYear = (year: number) => {
    const date = addMonths(focused.value, (year - yearOf(focused.value)) * 12);
    focused.value = isIn(date) ? date : date < oldest ? oldest : last;
  };
  const years = [...new Set([focused.value, ...days.keys()].map(yearOf))].sort((one, other) => other - one);
  const focusDay = () => grid.current?.querySelector<HTMLElement>(`[data-date="${focused.value}"]`)?.focus();
  useEffect(() => {
    // The buttons beside the grid keep the focus: they are pressed again and again.
    if (isMoving.current) focusDay();
    isMoving.current = false;
  }, [focused.value]);
  useEffect(() => {
    if (known !== null) focusDay();
  }, [known === null]);
  const show = (date: string) => {
    dialog.current?.close();
    finding.day(date).catch((error: unknown) => showToast(document, "failed", sentenceOfError(error)));
  };
  const inMonth = [...days.values()].filter(({ date }) => monthOfDay(date) === month);
  const most = Math.max(1, ...inMonth.map(({ driving_seconds: seconds }) => seconds));
  const target = days.has(today) ? today : newest;
  return (
    <dialog class="dialog cal force-dark" data-modal="calendar" aria-labelledby="calendar-title" ref={dialog}>
      <form method="dialog">
        <div class="cal-head">
          <MonthButton to={addMonths(focused.value, -1)} icon="i-left" keyName="Page Up" isIn={isIn} go={go} />
          <h2 id="calendar-title" aria-live="polite">
            {nameOfMonth(month)}
          </h2>
          <MonthButton to={addMonths(focused.value, 1)} icon="i-right" keyName="Page Down" isIn={isIn} go={go} />
        </div>
        <table
          aria-labelledby="calendar-title"
          aria-busy={known === null ? "true" : undefined}
          ref={grid}
          onKeyDown={(event) => {
            const move = KEYS[event.shiftKey ? `Shift+${event.key}` : event.key];
            if (!move) return;
            event.preventDefault();
            isMoving.current = true;
            go(move(focused.value));
          }}
        >
          <thead>
            <tr>
              {WEEKDAYS.map((name) => (
                <th key={name} scope="col">
                  <abbr title={name}>{name.slice(0, 2)}</abbr>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeksOf(month).map((week) => (
              <tr key={week.find((date) => date !== null)}>
                {week.map((date, at) =>
                  date === null ? (
                    <td key={WEEKDAYS[at]} />
                  ) : (
                    <DayCell
                      key={date}
                      date={date}
                      format={format}
                      day={days.get(date)}
                      most={most}
                      isChosen={date === chosen}
                      isToday={date === today}
                      isFocused={date === focused.value}
                      show={() => show(date)}
                    />
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
        {problem.value === null ? <Sum days={inMonth} most={most} /> : <p class="error">{problem.value}</p>}
        <div class="row cal-foot">
          {years.length > 1 ? (
            <label class="cal-years">
              <span class="small">Year</span>
              <select
                class="in cal-year"
                title="Shift and Page Up"
                value={yearOf(focused.value)}
                onChange={({ currentTarget }) => goToYear(Number(currentTarget.value))}
              >
                {years.map((year) => (
                  <option key={year} value={year}>
                    {year}
                  </option>
                ))}
              </select>
            </label>
          ) : (
            <span class="small quiet only-wide">
              <kbd>←</kbd> <kbd>↑</kbd> days, <kbd>Page Up</kbd> months
            </span>
          )}
          <button class="b" type="button" onClick={() => show(target)}>
            {target === today ? "Today" : "Newest day"}
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface MonthButtonProps {
  readonly to: string;
  readonly icon: "i-left" | "i-right";
  readonly keyName: string;
  readonly isIn: (date: string) => boolean;
  readonly go: (date: string) => void;
}

function MonthButton({ to, icon, keyName, isIn, go }: MonthButtonProps) {
  const name = nameOfMonth(monthOfDay(to));
  return (
    <button
      class="b b-icon"
      type="button"
      title={`${name} (${keyName})`}
      aria-label={name}
      disabled={!isIn(to)}
      onClick={() => go(to)}
    >
      <Icon name={icon} />
    </button>
  );
}

function Sum({ days, most }: { readonly days: readonly CalendarDay[]; readonly most: number }) {
  const driven = days.filter(({ driving_seconds: seconds }) => seconds > 0);
  const seconds = driven.reduce((sum, day) => sum + day.driving_seconds, 0);
  const events = days.reduce((sum, day) => sum + day.events, 0);
  const clips = days.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <p class="cal-sum">
        {seconds > 0 ? (
          <>
            <b class="strong">{formatSeconds(seconds)}</b> on {counted(driven.length, "day")},{" "}
            {counted(events, "event")}
          </>
        ) : clips > 0 ? (
          `${counted(clips, "clip")} from around the parked car`
        ) : (
          "No clips"
        )}
      </p>
      <ul class="keys cal-keys">
        <li>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <rect class="cb-t" y="3" width="20" height="4" rx="2" />
            <rect class="cb-f" y="3" width="12" height="4" rx="2" />
          </svg>
          Driving{driven.length > 0 && `, most ${formatSeconds(most)}`}
        </li>
        <li>
          <svg viewBox="0 0 10 10" class="key-s" aria-hidden="true">
            <path class="cal-e" d="M5 0L10 9H0Z" />
          </svg>
          Event
        </li>
      </ul>
    </>
  );
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

function nameOfMonth(month: Month): string {
  return `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}
