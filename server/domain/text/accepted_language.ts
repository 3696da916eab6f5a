import { type DateOrder, type TimeFormat, USUAL_FORMAT } from "./time_format.ts";

/** A browser names a handful; languages after these are not read. */
const MOST_LANGUAGES = 10;
const ORDERS: readonly string[] = ["dmy", "mdy", "ymd"] satisfies DateOrder[];

/**
 * Returns the format of times and dates for the language that a browser asks for. In the header `Accept-Language` that
 * is the most wanted one of those that are known. Without one it is the usual format.
 */
export function timeFormatOf(header: string | null): TimeFormat {
  const [language] = languagesOf(header ?? "");
  if (language === undefined) return USUAL_FORMAT;
  const shape = { hour: "numeric", day: "numeric", month: "short", year: "numeric" } as const;
  const format = new Intl.DateTimeFormat(language, { ...shape, calendar: "gregory", timeZone: "UTC" });
  const parts = format.formatToParts(0).map(({ type }) => type.charAt(0));
  const order = ["d", "m", "y"].sort((one, other) => parts.indexOf(one) - parts.indexOf(other)).join("");
  return {
    hours: format.resolvedOptions().hour12 === true ? 12 : 24,
    order: ORDERS.includes(order) ? (order as DateOrder) : USUAL_FORMAT.order,
  };
}

/** Known languages, the most wanted first; of those wanted alike the first one named. */
function languagesOf(header: string): string[] {
  return header
    .split(",", MOST_LANGUAGES)
    .map((item) => {
      const [tag = "", ...parameters] = item.split(";").map((part) => part.trim());
      const weight = parameters.find((part) => /^q=/i.test(part))?.slice(2) ?? "1";
      return { tag, weight: /^(0(\.[0-9]{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 };
    })
    .filter(({ tag, weight }) => weight > 0 && isKnown(tag))
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

function isKnown(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    // Not the form of a language, such as `*`.
    return false;
  }
}
