import { LOG_FILTER_COOKIE, type LogFilter, logFilterQuery } from "../../server/domain/logs/log_filter.ts";
import { reached } from "../browser/address.ts";

const YEAR_SECONDS = 31_536_000;

/**
 * Puts the filter into the page's address, where a reload and a link find it, and into a cookie for the next visit:
 * both are seen by the server, so the first paint already has the right lines.
 */
export function rememberFilter(page: Document, filter: LogFilter): void {
  const query = logFilterQuery(filter);
  page.defaultView?.history.replaceState(null, "", reached(query.size > 0 ? `/logs?${query}` : "/logs", page));
  // A search is for this visit only.
  query.delete("q");
  const age = query.size > 0 ? YEAR_SECONDS : 0;
  page.cookie = `${LOG_FILTER_COOKIE}=${query}; path=${reached("/logs", page)}; max-age=${age}; samesite=lax`;
}
