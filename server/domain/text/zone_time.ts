/** As `Date` counts them, from Sunday and from January on. */
const WEEKDAYS: readonly string[] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: readonly string[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const NBSP = "\u00a0";
const DAY_MS = 86_400_000;
/** Every zone differs from UTC by whole quarters of an hour, and changes its clocks at one. */
const QUARTER_MS = 900_000;
/** Quarters remembered: ten days, or as many different times as a page shows. */
const MOST_QUARTERS = 1000;

/** What the calendar and the clock on a wall show. */
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

/** What a wall in UTC shows at a moment in epoch milliseconds; times of the camera are reckoned as if they were UTC. */
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

/** `07:45` */
export function clockOf({ hour, minute }: Wall): string {
  return `${two(hour)}:${two(minute)}`;
}

/** `Sat 21 Nov`, with the year when it is not `thisYear`. */
export function dayOf(wall: Wall, thisYear: number): string {
  const words = `${WEEKDAYS[wall.weekday]} ${shortDateOf(wall)}`;
  return wall.year === thisYear ? words : `${words} ${wall.year}`;
}

/** `21 Nov` */
export function shortDateOf({ day, month }: Wall): string {
  return `${day}${NBSP}${MONTHS[month - 1]}`;
}

/** `21 Nov 2026` */
export function dateOf(wall: Wall): string {
  return `${shortDateOf(wall)} ${wall.year}`;
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
  #format: Intl.DateTimeFormat | null = null;
  /** By quarter of an hour. */
  readonly #offsets = new Map<number, number>();
  /** By offset: a zone has two names at most for most of its life. */
  readonly #names = new Map<number, string>();

  /** A zone that does not exist throws when it is first asked. */
  constructor(id: string) {
    this.id = id;
  }

  /** The zone that an island is given: as it is while a page is drawn, and by its name in the browser, see `toJSON`. */
  static from(zone: ZoneTime | string): ZoneTime {
    return typeof zone === "string" ? new ZoneTime(zone) : zone;
  }

  toJSON(): string {
    return this.id;
  }

  /** How many milliseconds the wall is ahead of UTC. @throws RangeError for a zone that does not exist */
  offset(ms: number): number {
    // The zone of the first start, which should not wait for the tables of all others.
    if (this.id === "UTC") return 0;
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

  /** `07:45` */
  clock(ms: number): string {
    return clockOf(this.wall(ms));
  }

  /** `21 Nov` */
  shortDate(ms: number): string {
    return shortDateOf(this.wall(ms));
  }

  /** `21 Nov 2026` */
  date(ms: number): string {
    return dateOf(this.wall(ms));
  }

  /** `2026-11-21` */
  isoDay(ms: number): string {
    return isoDay(ms + this.offset(ms));
  }

  /** `Nov`, in January `Jan 2027`. */
  month(ms: number): string {
    const { month, year } = this.wall(ms);
    return month === 1 ? `Jan ${year}` : (MONTHS[month - 1] ?? "");
  }

  /** `Sat 21 Nov`, with the year when it is not the year of `now`. */
  day(ms: number, now: number): string {
    return dayOf(this.wall(ms), this.wall(now).year);
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
    return `${this.moment(ms, now)}:${two(this.wall(ms).second)}`;
  }

  /** `2026-11-21 07:45:02 AEDT` */
  whole(ms: number): string {
    return `${this.isoDay(ms)} ${this.clock(ms)}:${two(this.wall(ms).second)} ${this.name(ms)}`;
  }

  /** What people there call the zone at that moment: `CEST`, `UTC`; where English has no short name, `Asia/Tokyo`. */
  name(ms: number): string {
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
    this.#format ??= new Intl.DateTimeFormat("en-US", {
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
    for (const { type, value } of this.#format.formatToParts(ms)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - ms;
  }
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
