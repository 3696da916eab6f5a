import { MONTHS, WEEKDAYS } from "./calendar_names.ts";
import { zoneName } from "./format.ts";
import { wallNumbers } from "./wall_numbers.ts";

const NBSP = "\u00a0";

/** What the calendar and the clock on a wall show. */
interface Wall {
  readonly year: number;
  /** 1..12 */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/**
 * The times of one zone, for whoever shows hundreds of them: making a formatter costs as much as using it a hundred
 * times, so there is one. All times come in epoch seconds, as runs have them.
 */
export class ZoneTime {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;
  /** By offset: a zone has two names at most for most of its life. */
  readonly #names = new Map<number, string>();

  constructor(zone: string) {
    this.zone = zone;
    this.#format = wallNumbers(zone);
  }

  wall(ts: number): Wall {
    const found = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
    for (const { type, value } of this.#format.formatToParts(ts * 1000))
      if (type in found) found[type as keyof Wall] = Number(value);
    return found;
  }

  /** How many seconds the wall is ahead of UTC. */
  offset(ts: number): number {
    const { year, month, day, hour, minute, second } = this.wall(ts);
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - Math.floor(ts);
  }

  /** `07:45` */
  clock(ts: number): string {
    const { hour, minute } = this.wall(ts);
    return `${two(hour)}:${two(minute)}`;
  }

  /** `21 Nov` */
  date(ts: number): string {
    const { day, month } = this.wall(ts);
    return `${day}${NBSP}${MONTHS[month - 1]}`;
  }

  /** `21 Nov 2026` */
  fullDate(ts: number): string {
    return `${this.date(ts)} ${this.wall(ts).year}`;
  }

  /** `Nov`, in January `Jan 2027`. */
  month(ts: number): string {
    const { month, year } = this.wall(ts);
    return month === 1 ? `Jan ${year}` : (MONTHS[month - 1] ?? "");
  }

  /** `Sat 21 Nov`, with the year when it is not the year of `now`. */
  day(ts: number, now: number): string {
    const { year, month, day } = this.wall(ts);
    const weekday = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? "";
    const words = `${weekday} ${day}${NBSP}${MONTHS[month - 1]}`;
    return year === this.wall(now).year ? words : `${words} ${year}`;
  }

  /** `Sat 21 Nov, 07:45` */
  moment(ts: number, now: number): string {
    return `${this.day(ts, now)}, ${this.clock(ts)}`;
  }

  /** `Sat 21 Nov, 07:45:02`, for what began in the same minute as something beside it. */
  exactMoment(ts: number, now: number): string {
    return `${this.moment(ts, now)}:${two(this.wall(ts).second)}`;
  }

  /** What the zone is called at that moment: `AEDT`. */
  name(ts: number): string {
    const offset = this.offset(ts);
    const known = this.#names.get(offset) ?? zoneName(ts * 1000, this.zone);
    this.#names.set(offset, known);
    return known;
  }

  /** `2026-11-21 07:45:02 AEDT` */
  whole(ts: number): string {
    const { year, month, day, hour, minute, second } = this.wall(ts);
    return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)} ${this.name(ts)}`;
  }
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
