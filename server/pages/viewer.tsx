/** @jsxImportSource preact */

import type { ViewerProps } from "../../islands/viewer/browsing.ts";
import Viewer from "../../islands/viewer.tsx";
import type { App } from "../app.ts";
import type { ViewerDay } from "../domain/api.ts";
import { isDay } from "../domain/camera_time.ts";
import { formatClock, formatSeconds, zoneName } from "../domain/format.ts";
import type { OverviewFacts } from "../domain/overview.ts";
import { dayOfKey, distinct, keyOf, type Neighbours, type Shown, type Wanted, wantedOf } from "../domain/viewing.ts";
import { overviewFacts } from "../engine/overview.ts";
import { viewerEntries } from "../engine/viewer_entries.ts";
import { html } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";
import type { PageKeys } from "./key_list.tsx";

const KEYS: PageKeys = [
  ["Space", "Play or pause; so does K"],
  ["← →", "5 seconds back or on"],
  ["J L", "Slower or faster"],
  [", .", "One frame back or on"],
  ["P N", "Previous or next recording"],
  ["M", "Sound on or off"],
  ["F", "Full screen"],
  ["1 2 3 4", "Make this camera large"],
];

/** `GET /viewer?key=&t=&date=`: a recording's cameras in one clock, and the days to choose from. */
export async function viewer(visit: Visit, app: App): Promise<Response> {
  const props = await viewerProps(app, wantedOf(visit.url.searchParams));
  const isThere = props.shown.kind === "recording" || props.shown.kind === "nothing";
  return html(
    page(
      <Document visit={visit} app={app} title="Viewer" path="/viewer" class="viewer" islands={["viewer"]} keys={KEYS}>
        {props.day && (
          <a class="skip" href="#recordings">
            Skip to recordings
          </a>
        )}
        <Island
          name="viewer"
          of={Viewer}
          props={props}
          class={`vw vw-plain force-dark${props.day ? "" : " vw-bare"}`}
        />
        <div class="vw-foot force-dark">
          <PageFoot app={app}>
            <span>Times of recordings are those of the camera's own clock</span>
          </PageFoot>
        </div>
      </Document>,
    ),
    { status: isThere ? 200 : 404 },
  );
}

/** What the viewer shows for an address: one day's recordings, and of other days only that they are there. */
async function viewerProps(app: App, wanted: Wanted): Promise<ViewerProps> {
  const { segments, clock, timeZone, settings } = app;
  const days = await segments.days();
  const day = await dayFor(app, wanted, days);
  return {
    days,
    day,
    shown: shownOf(wanted, day),
    neighbours: await neighboursOf(app, wanted, day, days),
    allTypes: settings.current.viewer.continuous_play,
    thisYear: Number(new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric" }).format(clock.now())),
    nothing: days.length === 0 ? whyNothing(overviewFacts(app)) : "",
  };
}

/** The day that is open: the one asked for, else the newest. */
async function dayFor(app: App, wanted: Wanted, days: readonly ViewerDay[]): Promise<ViewerProps["day"]> {
  const { segments } = app;
  const asked = wanted.kind === "day" ? wanted.date : wanted.kind === "recording" ? dayOfKey(wanted.key) : null;
  const isKnown = asked !== null && isDay(asked) && days.some(({ date }) => date === asked);
  const day = await segments.day(isKnown ? asked : null);
  return day && { date: day.date, recordings: distinct(await viewerEntries(app, day.segments)) };
}

function shownOf(wanted: Wanted, day: ViewerProps["day"]): Shown {
  if (wanted.kind === "recording") {
    const recording = day?.recordings.find((one) => keyOf(one) === wanted.key);
    return recording ? { kind: "recording", recording, start: wanted.start } : { kind: "gone", key: wanted.key };
  }
  if (wanted.kind === "day" && wanted.date !== day?.date) return { kind: "empty_day", date: wanted.date };
  const newest = day?.recordings[0];
  return newest ? { kind: "recording", recording: newest, start: 0 } : { kind: "nothing" };
}

/** What was recorded before and after, for links that work without script; at the ends of a day, on the next one. */
async function neighboursOf(
  { segments }: App,
  wanted: Wanted,
  day: ViewerProps["day"],
  days: readonly ViewerDay[],
): Promise<Neighbours> {
  const shown = shownOf(wanted, day);
  if (shown.kind !== "recording" || !day) return { earlier: null, later: null };
  const keys = day.recordings.map(keyOf);
  const at = keys.indexOf(keyOf(shown.recording));
  const dayAt = days.findIndex(({ date }) => date === day.date);
  const [older, newer] = [days[dayAt + 1], days[dayAt - 1]];
  const newestOf = async (other: ViewerDay) => (await segments.day(other.date))?.segments[0]?.key ?? null;
  const oldestOf = async (other: ViewerDay) => (await segments.day(other.date))?.segments.at(-1)?.key ?? null;
  return {
    earlier: keys[at + 1] ?? (older ? await newestOf(older) : null),
    later: keys[at - 1] ?? (newer ? await oldestOf(newer) : null),
  };
}

/** Why there is nothing to see yet, and what comes next. */
function whyNothing({ address, paused, next_at: next, now, time_zone: zone }: OverviewFacts): string {
  if (address === "") return "Dashdock does not know your camera yet. Give it the camera's address on the dashboard.";
  if (paused || next === null)
    return "The schedule is paused. Start a sync on the dashboard, and the first recordings appear here.";
  const at = `${formatClock(next, zone)} ${zoneName(next, zone)}, in ${formatSeconds(Math.max(0, next - now) / 1000)}`;
  return `The next sync comes at ${at}. As soon as the first recordings are home they appear here.`;
}
