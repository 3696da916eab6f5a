/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { dayAt, type HeatDay, type HeatMap, type HeatPlace } from "../../server/domain/coverage/heat_map.ts";
import { isPlainClick } from "../browser/plain_click.ts";
import { Icon } from "../parts/icon.tsx";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
/** From so many weeks on the map takes the whole width of the page. */
export const LONG_MAP = 27;

interface HeatMapProps {
  readonly map: HeatMap;
  /** `13 weeks` */
  readonly length: string;
  /** The day that is opened. */
  readonly chosen: string | null;
  /** The address of the page, to which the day is added. */
  readonly path: string;
  readonly choose: (date: string) => void;
}

/** The days of some weeks, one link each: one stop of the tab key, and arrows from day to day. */
export function HeatMapDays({ map: { weeks }, length, chosen, path, choose }: HeatMapProps) {
  const place = useRef<HTMLDivElement>(null);
  const places = weeks.flatMap((week) => week.days);
  /** The day that the tab key leads to; without a script it leads to each. */
  const stop = useSignal<string | null>(null);
  useEffect(() => {
    stop.value = chosen ?? dayAt(places, lastDay(places))?.date ?? null;
  }, [chosen]);
  const move = (event: KeyboardEvent) => {
    const { current: grid } = place;
    const { date } = (event.target as HTMLElement).dataset;
    const from = places.findIndex((_, at) => dayAt(places, at)?.date === date);
    if (grid === null || from < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const isColumns = getComputedStyle(grid).gridAutoFlow.startsWith("column");
    const to = dayAt(places, targetOf(event.key, from, places, isColumns));
    if (!to) return;
    event.preventDefault();
    stop.value = to.date;
    grid.querySelector<HTMLElement>(`[data-date="${to.date}"]`)?.focus();
  };
  return (
    <div
      class={weeks.length < LONG_MAP ? "hm" : "hm hm-long"}
      role="group"
      aria-label={`${length}, arrows move between days`}
      ref={place}
      onKeyDown={move}
    >
      <span />
      {WEEKDAYS.map((name) => (
        <span key={name} class="hm-wd" aria-hidden="true">
          {name}
        </span>
      ))}
      {weeks.map((week, at) => (
        <Week
          key={at}
          name={week.name}
          isNamed={weeks.length < LONG_MAP ? at % 2 === 0 : beginsMonth(week.days)}
          days={week.days}
          draw={(day) => (
            <Day
              key={day.date}
              day={day}
              isChosen={day.date === chosen}
              tabIndex={stop.value === null ? undefined : day.date === stop.value ? 0 : -1}
              href={`${path}date=${day.date}`}
              choose={choose}
            />
          )}
        />
      ))}
    </div>
  );
}

interface WeekProps {
  readonly name: string;
  /** Where weeks are columns there is room for some names only. */
  readonly isNamed: boolean;
  readonly days: readonly HeatPlace[];
  readonly draw: (day: HeatDay) => preact.JSX.Element;
}

function Week({ name, isNamed, days, draw }: WeekProps) {
  // On a phone a week takes a row, which one without a day does not need.
  const look = lastDay(days) < 0 ? " hm-empty" : "";
  return (
    <>
      <span class={`hm-wk${isNamed ? "" : " hm-odd"}${look}`} aria-hidden="true">
        {name}
      </span>
      {days.map((place, at) =>
        typeof place === "object" && place !== null ? (
          draw(place)
        ) : (
          <span key={WEEKDAYS[at]} class={`hm-d ${place === null ? "hm-none" : "hm-before"}${look}`} />
        ),
      )}
    </>
  );
}

interface DayProps {
  readonly day: HeatDay;
  readonly isChosen: boolean;
  readonly tabIndex: number | undefined;
  readonly href: string;
  readonly choose: (date: string) => void;
}

function Day({ day: { date, heat, isLost, isToday, label }, isChosen, tabIndex, href, choose }: DayProps) {
  const words = isToday ? `${label}, today` : label;
  const look = [`hm-d hm-${heat}`, isLost && "hm-lost", isToday && "hm-today"].filter(Boolean).join(" ");
  return (
    <a
      class={look}
      href={href}
      data-date={date}
      tabIndex={tabIndex}
      title={words}
      aria-label={words}
      aria-current={isChosen ? "true" : undefined}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        choose(date);
      }}
    >
      {isLost && <Icon name="i-close" />}
    </a>
  );
}

/** Meanings of the colours, below the map. */
export function HeatKeys({ map: { weeks, steps, hasLost } }: Pick<HeatMapProps, "map">) {
  return (
    <ul class="keys">
      {steps.map((name, heat) => (
        <li key={name}>
          <span class={`hm-d hm-key hm-${heat}`} />
          {name}
        </li>
      ))}
      {weeks.some(({ days }) => days.includes("untracked")) && (
        <li>
          <span class="hm-d hm-key hm-before" />
          Not tracked yet
        </li>
      )}
      {hasLost && (
        <li>
          <span class="hm-d hm-key hm-lost">
            <Icon name="i-close" />
          </span>
          Something lost
        </li>
      )}
    </ul>
  );
}

/** The place that a key leads to. Weeks are columns on a desk, and rows on a phone. */
function targetOf(key: string, from: number, places: readonly HeatPlace[], isColumns: boolean): number {
  const [beside, below] = isColumns ? [7, 1] : [1, 7];
  switch (key) {
    case "ArrowRight":
      return from + beside;
    case "ArrowLeft":
      return from - beside;
    case "ArrowDown":
      return from + below;
    case "ArrowUp":
      return from - below;
    case "Home":
      return places.findIndex((_, at) => dayAt(places, at) !== null);
    case "End":
      return lastDay(places);
    default:
      return -1;
  }
}

/** Where the last day is; -1 without any. */
function lastDay(places: readonly HeatPlace[]): number {
  return places.findLastIndex((_, at) => dayAt(places, at) !== null);
}

/** True for a week that begins within the first seven days of a month. */
function beginsMonth(days: readonly HeatPlace[]): boolean {
  const at = lastDay(days);
  const date = Number(dayAt(days, at)?.date.slice(8));
  return date - at >= 1 && date - at <= 7;
}
