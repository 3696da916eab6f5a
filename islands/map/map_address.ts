import { isDay } from "../../server/domain/recordings/camera_clock.ts";
import { KEEP_CLASSES } from "../../server/domain/retention/keep_times.ts";
import { NO_MAP_FILTER, type MapFilter } from "./map_filter.ts";
import { boxOfText, boxText, type EarthBox } from "./map_view.ts";
import type { DaySpan } from "./weeks.ts";

/** Ways of drawing drives. */
export type DrawnBy = "often" | "speed";

/** State of the page that its address has. */
export interface MapAddress {
  /** The part that is shown; null for all drives. */
  readonly shown: EarthBox | null;
  /** The drawn box. */
  readonly box: EarthBox | null;
  readonly span: DaySpan | null;
  readonly by: DrawnBy;
  readonly filter: MapFilter;
}

const MOST_FAST = 250;

/** Reads the address; what makes no sense is as if it was not there. */
export function addressOf(query: URLSearchParams): MapAddress {
  const from = query.get("from") ?? "";
  const to = query.get("to") ?? "";
  const days = query.get("days");
  const fast = Number(query.get("fast") ?? 0);
  return {
    shown: boxOfText(query.get("bbox")),
    box: boxOfText(query.get("box")),
    span: isDay(from) && isDay(to) && from <= to ? { from, to } : null,
    by: query.get("by") === "speed" ? "speed" : "often",
    filter: {
      days: days === "workdays" || days === "weekend" ? days : "all",
      from: minutesOf(query.get("after")) ?? NO_MAP_FILTER.from,
      to: minutesOf(query.get("before")) ?? NO_MAP_FILTER.to,
      whose: (query.get("whose") ?? "").split(",").filter((id) => id !== ""),
      kinds: KEEP_CLASSES.filter((kind) => (query.get("kind") ?? "").split(",").includes(kind)),
      fast: fast > 0 && fast <= MOST_FAST ? Math.round(fast) : 0,
    },
  };
}

/** The address of this state. */
export function pathOf({ shown, box, span, by, filter }: MapAddress): string {
  const parts = [
    shown && `bbox=${boxText(shown)}`,
    box && `box=${boxText(box)}`,
    span && `from=${span.from}&to=${span.to}`,
    by === "speed" && "by=speed",
    filter.days !== "all" && `days=${filter.days}`,
    filter.from !== NO_MAP_FILTER.from && `after=${timeText(filter.from)}`,
    filter.to !== NO_MAP_FILTER.to && `before=${timeText(filter.to)}`,
    filter.whose.length > 0 && `whose=${filter.whose.map(encodeURIComponent).join(",")}`,
    filter.kinds.length > 0 && `kind=${filter.kinds.join(",")}`,
    filter.fast > 0 && `fast=${filter.fast}`,
  ].filter((part) => typeof part === "string");
  return parts.length === 0 ? "/map" : `/map?${parts.join("&")}`;
}

/** Minutes of `17:40`; null for anything else. */
export function minutesOf(text: string | null): number | null {
  const [, hours = "", minutes = ""] = /^([0-9]{2}):([0-9]{2})$/.exec(text ?? "") ?? [];
  const all = Number(hours) * 60 + Number(minutes);
  return hours === "" || Number(minutes) > 59 || all > NO_MAP_FILTER.to ? null : all;
}

/** `17:40` */
export function timeText(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
