/** @jsxImportSource preact */

import { counted, formatSeconds } from "../../../server/domain/text/format.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import { weekdayOf } from "../../../server/domain/viewer/calendar_month.ts";
import type { Calendar } from "../../../server/domain/viewer/viewer_schema.ts";

export type CalendarDay = Calendar["days"][number];

export const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
export const MONTHS: readonly string[] = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];
interface DayCellProps {
  readonly date: string;
  /** Recordings of the day, if there are any. */
  readonly day: CalendarDay | undefined;
  /** The driving seconds of a full bar. */
  readonly most: number;
  readonly isChosen: boolean;
  readonly isToday: boolean;
  readonly isFocused: boolean;
  /** Format of times and dates. */
  readonly format: TimeFormat;
  readonly show: () => void;
}

/** A day of the calendar: how much was driven, and whether there was an event. */
export function DayCell({ date, day, most, isChosen, isToday, isFocused, format, show }: DayCellProps) {
  const number = Number(date.slice(8));
  const common = {
    "data-date": date,
    tabIndex: isFocused ? 0 : -1,
    "aria-current": isToday ? "date" : undefined,
    "aria-pressed": isChosen,
  } as const;
  const month = MONTHS[Number(date.slice(5, 7)) - 1];
  const inOrder = format.order === "dmy" ? `${number} ${month}` : `${month} ${number}`;
  const name = `${WEEKDAYS[weekdayOf(date)]} ${inOrder}`;
  return (
    <td>
      {day === undefined ? (
        <button class="cal-d cal-off" type="button" aria-label={`${name}, no clips`} aria-disabled="true" {...common}>
          {number}
        </button>
      ) : (
        <button class="cal-d" type="button" aria-label={`${name}, ${contentOf(day)}`} onClick={show} {...common}>
          {number}
          <span class="cal-ms">
            {day.events > 0 && (
              <svg class="cal-m cal-e" viewBox="0 0 10 10" aria-hidden="true">
                <path d="M5 0L10 9H0Z" />
              </svg>
            )}
          </span>
          <svg class="cal-bar" aria-hidden="true">
            <rect class="cb-t" width="100%" height="100%" rx="2" />
            {day.driving_seconds > 0 && (
              <rect class="cb-f" width={`${Math.max(5, (day.driving_seconds / most) * 100)}%`} height="100%" rx="2" />
            )}
          </svg>
        </button>
      )}
    </td>
  );
}

function contentOf({ driving_seconds: seconds, events, count }: CalendarDay): string {
  const driving = seconds > 0 ? `${formatSeconds(seconds)} driven` : `not driven, ${counted(count, "clip")}`;
  return events > 0 ? `${driving}, ${counted(events, "event")}` : driving;
}
