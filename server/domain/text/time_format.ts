/** Format of times of day and dates in the reader's language. The words stay English. */
export interface TimeFormat {
  readonly hours: 12 | 24;
  readonly order: DateOrder;
}

/** Order of day, month and year in a date. */
export type DateOrder = "dmy" | "mdy" | "ymd";

/** Format when the reader's language is not known: `Sat 21 Nov, 14:41`. */
export const USUAL_FORMAT: TimeFormat = { hours: 24, order: "dmy" };

/** A format as a page carries it to its scripts: `12 mdy`; undefined for the usual one. */
export function nameOfFormat({ hours, order }: TimeFormat): string | undefined {
  return hours === USUAL_FORMAT.hours && order === USUAL_FORMAT.order ? undefined : `${hours} ${order}`;
}

/** The format with this name, see `nameOfFormat`. */
export function formatNamed(name: string | undefined): TimeFormat {
  const [, hours, order] = /^(12|24) (dmy|mdy|ymd)$/.exec(name ?? "") ?? [];
  return order === undefined ? USUAL_FORMAT : { hours: hours === "12" ? 12 : 24, order: order as DateOrder };
}
