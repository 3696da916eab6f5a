import { formatNamed, nameOfFormat, type TimeFormat, USUAL_FORMAT } from "./time_format.ts";

/** Names as `Date` counts them, from Sunday and from January on. */
const WEEKDAYS: readonly string[] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: readonly string[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const NBSP = "\u00a0";
const DAY_MS = 86_400_000;
/** Every zone differs from UTC by whole quarters of an hour, and changes its clocks at one. */
const QUARTER_MS = 900_000;
/** Quarters remembered: ten days, or as many different times as a page shows. */
const MOST_QUARTERS = 1000;

/** Reading of the calendar and of the clock on a wall. */
export interface Wall {
  readonly year: number;
  /** 1..12 */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/**
 * Returns the reading of a wall in UTC at a moment in epoch milliseconds; times of the camera are reckoned as if they
 * were UTC.
 */
export function wallOf(ms: number): Wall {
  const at = new Date(ms);
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    weekday: at.getUTCDay(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
  };
}

/** `07:45`, `7:45 am` */
export function clockOf({ hour, minute }: Pick<Wall, "hour" | "minute">, format: TimeFormat = USUAL_FORMAT): string {
  return clockWords(hour, two(minute), format);
}

/** `07:45:02`, `7:45:02 am` */
export function exactClockOf({ hour, minute, second }: Wall, format: TimeFormat = USUAL_FORMAT): string {
  return clockWords(hour, `${two(minute)}:${two(second)}`, format);
}

/** Writes the time from one time of day to another: `08:00 to 08:40`; of one half of the day `8:00 to 8:40 am`. */
export function clockSpanOf(from: Wall, to: Wall, format: TimeFormat = USUAL_FORMAT): string {
  const first = clockOf(from, format);
  const last = clockOf(to, format);
  const isOneHalf = format.hours === 12 && from.hour < 12 === to.hour < 12;
  return `${isOneHalf ? first.slice(0, first.indexOf(NBSP)) : first} to ${last}`;
}

function clockWords(hour: number, rest: string, { hours }: TimeFormat): string {
  return hours === 24 ? `${two(hour)}:${rest}` : `${hour % 12 || 12}:${rest}${NBSP}${hour < 12 ? "am" : "pm"}`;
}

/** `Sat 21 Nov`, `Sat Nov 21`, with the year when it is not `thisYear`. */
export function dayOf(wall: Wall, thisYear: number, format: TimeFormat = USUAL_FORMAT): string {
  return `${WEEKDAYS[wall.weekday]} ${(wall.year === thisYear ? shortDateOf : dateOf)(wall, format)}`;
}

/** `21 Nov`, `Nov 21` */
export function shortDateOf({ day, month }: Wall, { order }: TimeFormat = USUAL_FORMAT): string {
  return order === "dmy" ? `${day}${NBSP}${MONTHS[month - 1]}` : `${MONTHS[month - 1]}${NBSP}${day}`;
}

/** `21 Nov 2026`, `Nov 21, 2026`, `2026 Nov 21` */
export function dateOf(wall: Wall, format: TimeFormat = USUAL_FORMAT): string {
  return withYear(shortDateOf(wall, format), wall.year, format);
}

/** A date, or days of one month, in a year: `6 to 8 Nov 2026`, `Nov 6 to 8, 2026`, `2026 Nov 6 to 8`. */
export function withYear(date: string, year: number, { order }: TimeFormat = USUAL_FORMAT): string {
  if (order === "ymd") return `${year} ${date}`;
  return order === "mdy" ? `${date}, ${year}` : `${date} ${year}`;
}

/** The day of a moment in UTC, or of the camera's: `2026-11-21`. */
export function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * The times of one zone, all in epoch milliseconds. Making a formatter costs as much as using it a hundred times, and
 * using it as much as all else a card does: what shows times is given one of these.
 */
export class ZoneTime {
  /** `Australia/Sydney` */
  readonly id: string;
  /** Format of its times. */
  readonly format: TimeFormat;
  /** The same zone in another format, which knows its clock changes already. */
  readonly #like: ZoneTime | null;
  #formatter: Intl.DateTimeFormat | null = null;
  /** Offsets by quarter of an hour. */
  readonly #offsets = new Map<number, number>();
  /** Names by offset: a zone has two names at most for most of its life. */
  readonly #names = new Map<number, string>();

  /** A zone that does not exist throws when it is first asked. */
  constructor(id: string, format: TimeFormat = USUAL_FORMAT, like: ZoneTime | null = null) {
    this.id = id;
    this.format = format;
    this.#like = like;
  }

  /** The zone that an island is given: as it is while a page is drawn, and by its name in the browser, see `toJSON`. */
  static from(zone: ZoneTime | string): ZoneTime {
    if (typeof zone !== "string") return zone;
    const [id = "", ...format] = zone.split(" ");
    return new ZoneTime(id, formatNamed(format.join(" ")));
  }

  /** The same zone, its times in another format. */
  as(format: TimeFormat): ZoneTime {
    const { hours, order } = this.format;
    if (format.hours === hours && format.order === order) return this;
    return new ZoneTime(this.id, format, this.#like ?? this);
  }

  /** `Australia/Sydney`, with the format of its times where that is not the usual one: `America/Chicago 12 mdy`. */
  toJSON(): string {
    return [this.id, nameOfFormat(this.format)].join(" ").trimEnd();
  }

  /** Returns the milliseconds by which the wall is ahead of UTC. @throws RangeError for a zone that does not exist */
  offset(ms: number): number {
    // The zone of the first start, which should not wait for the tables of all others.
    if (this.id === "UTC") return 0;
    if (this.#like) return this.#like.offset(ms);
    const quarter = Math.floor(ms / QUARTER_MS);
    const known = this.#offsets.get(quarter);
    if (known !== undefined) return known;
    const offset = this.#offsetAt(quarter * QUARTER_MS);
    if (this.#offsets.size >= MOST_QUARTERS) this.#offsets.clear();
    this.#offsets.set(quarter, offset);
    return offset;
  }

  wall(ms: number): Wall {
    return wallOf(ms + this.offset(ms));
  }

  /** Days are counted on the wall: those of a clock change are not 24 hours long. */
  dayNumber(ms: number): number {
    return Math.floor((ms + this.offset(ms)) / DAY_MS);
  }

  /** `07:45`, `7:45 am` */
  clock(ms: number): string {
    return clockOf(this.wall(ms), this.format);
  }

  /** `07:45 to 08:20`, `7:45 to 8:20 am` */
  clockSpan(from: number, to: number): string {
    return clockSpanOf(this.wall(from), this.wall(to), this.format);
  }

  /** `07:45:02`, `7:45:02 am` */
  exactClock(ms: number): string {
    return exactClockOf(this.wall(ms), this.format);
  }

  /** `21 Nov`, `Nov 21` */
  shortDate(ms: number): string {
    return shortDateOf(this.wall(ms), this.format);
  }

  /** `21 Nov 2026`, `Nov 21, 2026` */
  date(ms: number): string {
    return dateOf(this.wall(ms), this.format);
  }

  /** `2026-11-21` */
  isoDay(ms: number): string {
    return isoDay(ms + this.offset(ms));
  }

  /** `Nov`, in January `Jan 2027`. */
  month(ms: number): string {
    const { month, year } = this.wall(ms);
    if (month > 1) return MONTHS[month - 1] ?? "";
    return this.format.order === "ymd" ? `${year} Jan` : `Jan ${year}`;
  }

  /** `Sat` */
  weekday(ms: number): string {
    return WEEKDAYS[this.wall(ms).weekday] ?? "";
  }

  /** `Sat 21 Nov`, `Sat Nov 21`, with the year when it is not the year of `now`. */
  day(ms: number, now: number): string {
    return dayOf(this.wall(ms), this.wall(now).year, this.format);
  }

  /** The day as people say it: `Today, Sat 21 Nov`, `Tomorrow, …`, `Yesterday, …`, else the day alone. */
  dayInWords(ms: number, now: number): string {
    const word = ["Yesterday, ", "Today, ", "Tomorrow, "][this.dayNumber(ms) - this.dayNumber(now) + 1] ?? "";
    return word + this.day(ms, now);
  }

  /** `Sat 21 Nov, 07:45` */
  moment(ms: number, now: number): string {
    return `${this.day(ms, now)}, ${this.clock(ms)}`;
  }

  /** `Sat 21 Nov, 07:45:02`, for what began in the same minute as something beside it. */
  exactMoment(ms: number, now: number): string {
    return `${this.day(ms, now)}, ${this.exactClock(ms)}`;
  }

  /** `2026-11-21 07:45:02 AEDT`; with twelve hours `Nov 21, 2026, 7:45:02 am AEDT`. */
  whole(ms: number): string {
    const day = this.format.hours === 24 ? this.isoDay(ms) : `${this.date(ms)},`;
    return `${day} ${this.exactClock(ms)} ${this.name(ms)}`;
  }

  /** Returns the zone's short name at that moment: `CEST`, `UTC`; `Asia/Tokyo` when English has none. */
  name(ms: number): string {
    if (this.#like) return this.#like.name(ms);
    const offset = this.offset(ms);
    const known = this.#names.get(offset) ?? this.#nameAt(ms);
    this.#names.set(offset, known);
    return known;
  }

  #nameAt(ms: number): string {
    if (this.id === "UTC") return this.id;
    // Each knows the short names of its own part of the world, and says `GMT+2` for the others.
    for (const locale of ["en-GB", "en-US", "en-AU"]) {
      const format = new Intl.DateTimeFormat(locale, { timeZone: this.id, timeZoneName: "short" });
      const name = format.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
      if (/^[A-Z]+$/.test(name)) return name;
    }
    return this.id;
  }

  #offsetAt(ms: number): number {
    this.#formatter ??= new Intl.DateTimeFormat("en-US", {
      timeZone: this.id,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.#formatter.formatToParts(ms)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - ms;
  }
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** The moment that a card shows, and the zone of its times: cards have no clock of their own. */
export interface CardTime {
  /** Epoch milliseconds. */
  now: number;
  zone: ZoneTime;
}
