import type { ZoneTime } from "../text/zone_time.ts";
import type { ShownPlan } from "./plan_schema.ts";

/** A part of the picture's width, in percent. */
export interface Bar {
  readonly x: number;
  readonly width: number;
}

/** The coming days of a camera: when it is usually at home, how much of that is needed, and until when. */
export interface PlanPicture {
  /** Midnights, with the day that begins. */
  readonly days: readonly { readonly x: number; readonly name: string }[];
  readonly home: readonly Bar[];
  readonly need: readonly Bar[];
  /** Place from which recordings that wait are overwritten; null when that is not in the picture. */
  readonly overwritten: number | null;
}

/** In percent: a visit of minutes is seen, too. */
const LEAST_WIDTH = 0.4;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const USUAL_DAYS = 4;
const MOST_DAYS = 7;

/** Returns the span of days that shows all that is to be seen of these plans, in milliseconds. */
export function pictureSpan(plans: readonly Pick<ShownPlan, "overwritten_from">[], now: number): number {
  const ends = plans.flatMap(({ overwritten_from: from }) =>
    from === null ? [] : [Date.parse(from) + 12 * HOUR_MS - now],
  );
  return Math.min(MOST_DAYS * DAY_MS, Math.max(USUAL_DAYS * DAY_MS, ...ends));
}

/** Draws a plan from now on. @param span of the picture in milliseconds */
export function planPicture(
  plan: Pick<ShownPlan, "next_visits" | "visit" | "usual_stay_seconds" | "needs_seconds" | "overwritten_from">,
  { now, zone, span }: { readonly now: number; readonly zone: ZoneTime; readonly span: number },
): PlanPicture {
  const placeOf = (at: number) => ((at - now) / span) * 100;
  const bar = (from: number, to: number): Bar => {
    const x = Math.max(0, placeOf(from));
    return { x, width: Math.max(LEAST_WIDTH, Math.min(100, placeOf(to)) - x) };
  };
  const visits = visitsOf(plan, now).filter(({ from }) => from < now + span);
  const need: Bar[] = [];
  let left = (plan.needs_seconds ?? 0) * 1000;
  for (const { from, to } of visits) {
    if (left <= 0) break;
    need.push(bar(from, Math.min(to, from + left)));
    left -= to - from;
  }
  const overwritten = plan.overwritten_from === null ? null : Date.parse(plan.overwritten_from);
  return {
    days: midnights(now, span, zone).map((at) => ({ x: placeOf(at), name: zone.day(at, now).split(" ")[0] ?? "" })),
    home: visits.map(({ from, to }) => bar(from, to)),
    need,
    overwritten: overwritten === null || overwritten > now + span ? null : Math.max(0, placeOf(overwritten)),
  };
}

/** The visits to come, with what is left of the one that goes on. */
function visitsOf(
  { next_visits: next, visit, usual_stay_seconds: stay }: Parameters<typeof planPicture>[0],
  now: number,
): { from: number; to: number }[] {
  const visits = next.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }));
  const end = visit === null || stay === null ? now : Date.parse(visit.from) + stay * 1000;
  return end > now ? [{ from: now, to: end }, ...visits] : visits;
}

function midnights(now: number, span: number, zone: ZoneTime): number[] {
  const found: number[] = [];
  const wall = now + zone.offset(now);
  for (let day = Math.floor(wall / DAY_MS) + 1; ; day++) {
    const at = day * DAY_MS - zone.offset(day * DAY_MS - zone.offset(day * DAY_MS));
    if (at >= now + span) return found;
    found.push(at);
  }
}
