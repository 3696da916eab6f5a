import { LEVELS, type Level } from "./log_line.ts";

/** Lines of the log that a page shows, and the way it shows them. */
export interface LogFilter {
  /** Lines of this level and those above it. */
  readonly from: Level;
  /** Lines with this text, in whatever case; empty for all. */
  readonly find: string;
  /** Lines of this logger; empty for all. */
  readonly logger: string;
  /** Times in UTC instead of the zone of the service. */
  readonly isUtc: boolean;
  /** Long lines go on in the next row instead of being cut off. */
  readonly isWrapped: boolean;
  /** The page opens at the first line from this moment, ISO 8601 UTC, instead of at the end; empty for the end. */
  readonly at: string;
}

/** Names by which an address or a cookie has a filter. */
export const LOG_QUERY = ["level", "q", "logger", "at", "times", "wrap"] as const;
/** Texts of an address or a cookie; null for those that are left out. */
export type LogQuery = Readonly<Record<(typeof LOG_QUERY)[number], string | null>>;

/** Leaves nothing out. */
export const WHOLE_LOG: LogFilter = { from: "DEBUG", find: "", logger: "", isUtc: false, isWrapped: true, at: "" };

/** The cookie with a browser's last filter, which the server applies to the first paint. */
export const LOG_FILTER_COOKIE = "dashdock_logs";

const LONGEST_FIND = 200;

/**
 * Reads the filter that an address asks for. A part that the address leaves out is as it was last time in this
 * browser. But an address that chooses lines chooses them alone, else a link would show different lines to each
 * reader.
 */
export function readLogFilter(address: LogQuery, kept: LogQuery): LogFilter {
  const { level: ofLevel, q, logger, at } = address;
  const isChoosing = [ofLevel, q, logger, at].some((text) => text !== null);
  const lines = isChoosing ? address : kept;
  const level = (lines.level ?? "").toUpperCase();
  return {
    from: level in LEVELS ? (level as Level) : WHOLE_LOG.from,
    find: (q ?? "").slice(0, LONGEST_FIND),
    logger: lines.logger ?? "",
    isUtc: (address.times ?? kept.times) === "utc",
    isWrapped: (address.wrap ?? kept.wrap) !== "off",
    at: momentOf(at ?? ""),
  };
}

/** The filter as the query of an address, without defaults, and without `at`, which is only where the page opens. */
export function logFilterQuery({ from, find, logger, isUtc, isWrapped }: LogFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (from !== WHOLE_LOG.from) query.set("level", from.toLowerCase());
  if (find !== "") query.set("q", find);
  if (logger !== "") query.set("logger", logger);
  if (isUtc) query.set("times", "utc");
  if (!isWrapped) query.set("wrap", "off");
  return query;
}

/** Epoch milliseconds or an ISO time as the ISO time that lines have; empty when it is neither. */
function momentOf(text: string): string {
  const ms = /^[0-9]{9,15}$/.test(text) ? Number(text) : Date.parse(text);
  // A year of four digits is what compares as text.
  return ms >= 0 && ms < 253_402_300_800_000 ? new Date(ms).toISOString() : "";
}
