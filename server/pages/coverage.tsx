/** @jsxImportSource preact */
import { renderToString } from "preact-render-to-string";
import * as v from "valibot";
import type { CoverageProps, CoverageSteps } from "../../islands/coverage/coverage_props.ts";
import CoverageIsland from "../../islands/coverage.tsx";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import type { Coverage } from "../domain/coverage/coverage_schema.ts";
import { dayAfter } from "../domain/coverage/coverage_span.ts";
import { type CoveragePeriod, coverageView, daysFrom, unusableView } from "../domain/coverage/coverage_view.ts";
import { dayView } from "../domain/coverage/day_view.ts";
import { newestDay } from "../domain/coverage/heat_map.ts";
import { type AskedQuestion, questionView } from "../domain/coverage/question_text.ts";
import { isDay } from "../domain/recordings/camera_clock.ts";
import { ALL_CAMERAS } from "../domain/settings/camera_key.ts";
import { coverageOf, coverageOfDay, today } from "../engine/coverage/coverage.ts";
import { readQuery } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { CameraSwitch } from "./camera_switch.tsx";
import { coverageOfAll } from "./coverage_of_all.tsx";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";

const DAY = v.fallback(v.nullable(v.pipe(v.string(), v.check(isDay))), null);
const ASKED = v.object({ from: DAY, to: DAY, date: DAY });
const WEEKS = 13;
const WEEKS_OF_A_YEAR = 52;
const IN_A_WEEK = 7;
const MOST_DAYS = 400;

/** `GET /stats/coverage?date=&from=&to=`: whether something the camera recorded was lost, by day, and why. */
export async function coveragePage(context: RequestContext, app: App): Promise<Response> {
  if (context.camera === ALL_CAMERAS && app.cameras.all.length > 1)
    return await coverageOfAll(context, app, periodOf(readQuery(context, ASKED), today(app)));
  const props = await coverageProps(context, app);
  return html(
    page(
      <Document context={context} app={app} title="Stats" path="/stats" islands={["coverage"]} sheet="coverage.css">
        <CameraSwitch app={app} path="/stats/coverage" hasAll />
        <Island name="coverage" of={CoverageIsland} props={props} />
        <PageFoot app={app}>
          <span>Times of recordings are those of the camera’s own clock</span>
        </PageFoot>
      </Document>,
    ),
  );
}

/** `GET /hx/stats/coverage`: what the page's island goes on with, without the page. */
export async function coverageFragment(context: RequestContext, app: App): Promise<Response> {
  const props = await coverageProps(context, app);
  return html(renderToString(<div id="coverage" data-props={JSON.stringify(props)} />));
}

/** Reads `?from=`, `?to=` and `?date=`; what makes no sense is as if it had not been asked. */
async function coverageProps(context: RequestContext, app: App): Promise<CoverageProps> {
  const { clock, zone, settings } = app;
  const now = clock.now();
  const asked = readQuery(context, ASKED);
  const asksFor = periodOf(asked, today(app));
  const hasAddress = settings.current.connection.address !== "";
  const path = pathOf(asksFor, isUsual(asksFor));
  const order = settings.current.sync.priority;
  let found: Coverage;
  let asks: AskedQuestion | null;
  try {
    found = await coverageOf(app, { ...asksFor, to: withTomorrow(asksFor) });
    asks = await app.ledger.question();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const view = unusableView(error.message, { period: asksFor, zone, now });
    return { view, day: null, steps: NO_STEPS, path, file: null, question: null, order, action: null };
  }
  const { since, days } = found;
  const period = { ...asksFor, to: later(asksFor.to, days.at(-1)?.date ?? "") };
  const { trouble } = app.ledger;
  const view = coverageView({ coverage: found, period, isAsked: asks !== null, hasAddress, trouble, zone, now });
  const date = asked.date ?? dayToOpen(found, period);
  const day = since === null ? null : ((await coverageOfDay(app, date)) ?? { date, recordings: [], causes: [] });
  const newest = newestDay(days, period.to, period.today);
  const counts = days.find((one) => one.date === date);
  return {
    view,
    day: day && dayView({ day, visits: app.ledger.visits(startOf(date, zone)), counts, since, newest, now, zone }),
    steps: since === null ? NO_STEPS : stepsOf(asksFor, since),
    path,
    file: since === null ? null : `/stats/coverage.csv?from=${period.from}&to=${period.to}`,
    question: asks && questionView(asks, { now, zone }),
    order,
    action: since === null ? (hasAddress ? FIRST_SYNC : FIRST_ADDRESS) : null,
  };
}

const FIRST_ADDRESS = { label: "Set the camera’s address", href: "/" } as const;
const FIRST_SYNC = { label: "Sync now from the dashboard", href: "/" } as const;
const NO_STEPS: CoverageSteps = { earlier: null, later: null, length: null };

type Asked = v.InferOutput<typeof ASKED>;
type Span = Pick<CoveragePeriod, "from" | "to">;

/** The days that are asked for; else thirteen weeks, which end with this one or have the day that is asked for. */
function periodOf(asked: Asked, today: string): CoveragePeriod {
  return { ...spanOf(asked, today), today };
}

function spanOf({ from, to, date }: Asked, today: string): Span {
  const end = earlier(to ?? today, today);
  if (from !== null && from <= end) return { from: later(from, dayAfter(end, 1 - MOST_DAYS)), to: end };
  const usual = { from: dayAfter(mondayOf(end), (1 - WEEKS) * IN_A_WEEK), to: end };
  if (to !== null || date === null || date >= usual.from || date > today) return usual;
  const back = Math.ceil(daysFrom(date, usual.from) / (WEEKS * IN_A_WEEK)) * WEEKS * IN_A_WEEK;
  return { from: dayAfter(usual.from, -back), to: dayAfter(usual.from, WEEKS * IN_A_WEEK - 1 - back) };
}

/** The last day that is read: a camera whose clock is ahead may have recorded tomorrow. */
function withTomorrow({ to, today }: CoveragePeriod): string {
  return to === today ? dayAfter(to, 1) : to;
}

/** The period that is shown without being asked for. */
function isUsual({ from, to, today }: CoveragePeriod): boolean {
  return to === today && from === dayAfter(mondayOf(today), (1 - WEEKS) * IN_A_WEEK);
}

function pathOf({ from, to }: Span, usual: boolean): string {
  return usual ? "/stats/coverage?" : `/stats/coverage?from=${from}&to=${to}&`;
}

/** The newest day on which something was lost, else the newest with a recording, else the last one. */
function dayToOpen({ days }: Coverage, { to }: Span): string {
  const newest = days.findLast(({ lost }) => lost > 0) ?? days.findLast(({ recorded }) => recorded > 0);
  return newest?.date ?? days.at(-1)?.date ?? to;
}

/** The ways to the time before and after, and to a year. */
function stepsOf(period: CoveragePeriod, since: string): CoverageSteps {
  const { from, to, today } = period;
  const length = daysFrom(from, to) + 1;
  const whole = Math.ceil(length / IN_A_WEEK) * IN_A_WEEK;
  const next = { from: dayAfter(from, whole), to: earlier(dayAfter(from, 2 * whole - 1), today) };
  const before = { from: dayAfter(from, -whole), to: dayAfter(from, -1) };
  const year = { from: dayAfter(mondayOf(today), -WEEKS_OF_A_YEAR * IN_A_WEEK), to: today };
  const href = (span: Span) => pathOf(span, isUsual({ ...span, today })).replace(/[?&]$/, "");
  const isYear = length > 2 * WEEKS * IN_A_WEEK;
  return {
    earlier: since < from ? href(before) : null,
    later: to < today ? href(next) : null,
    length: isYear
      ? { name: `${WEEKS} weeks`, href: "/stats/coverage" }
      : since < from || to < today
        ? { name: "A year", href: href(year) }
        : null,
  };
}

/** Midnight of a day in the zone, epoch milliseconds; on the night of a change of clocks an hour more or less. */
function startOf(date: string, zone: App["zone"]): number {
  const midnight = Date.parse(date);
  return midnight - zone.offset(midnight);
}

function mondayOf(date: string): string {
  return dayAfter(date, -((new Date(date).getUTCDay() + 6) % IN_A_WEEK));
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
