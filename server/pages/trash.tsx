/** @jsxImportSource preact */

import { renderToString } from "preact-render-to-string";
import * as v from "valibot";
import { Icon } from "../../islands/parts/icon.tsx";
import type { TrashProps } from "../../islands/trash/trash_props.ts";
import TrashList from "../../islands/trash_list.tsx";
import TrashOfThousands from "../../islands/trash_of_thousands.tsx";
import type { App } from "../app.ts";
import { TRASH_DAY } from "../domain/retention/deletion_schema.ts";
import { keyedBy } from "../domain/settings/keys_in_answers.ts";
import { FALLBACK_SCHEDULE, timeZoneProblem } from "../domain/settings/schedule.ts";
import { knownAt } from "../domain/status/last_known.ts";
import { counted } from "../domain/text/format.ts";
import { ZoneTime } from "../domain/text/zone_time.ts";
import { trashByRecordedDay, trashOverview } from "../engine/retention/trash_by_hand.ts";
import { isFolderUnknown } from "../engine/viewer/last_known.ts";
import { readQuery } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { CameraSwitch } from "./camera_switch.tsx";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";

/** Entries that are drawn of each day. */
const ENTRIES = 3;
/** Days that are drawn, and the most that can be asked for: a trash may reach back a year. */
const DAYS = 30;
const MOST_DAYS = 1000;
const ASKED = v.object({
  days: v.fallback(
    v.pipe(v.string(), v.transform(Number), v.number(), v.toMinValue(DAYS), v.toMaxValue(MOST_DAYS)),
    DAYS,
  ),
  by: v.fallback(v.nullable(v.literal("recording")), null),
});
/**
 * More clips are shown by the day they were recorded on, to be filtered: people do not find them by the day of
 * deletion.
 */
const MOST_BY_DELETION = 300;

const keyedRecordings = keyedBy(TRASH_DAY.entries.recordings);

/** `GET /trash`: what was deleted and can be restored, what leaves first on top. */
export async function trash(context: RequestContext, app: App): Promise<Response> {
  const props = await trashProps(app, DAYS, false);
  const island = props.isRecorded ? "trash_of_thousands" : "trash_list";
  return html(
    page(
      <Document context={context} app={app} title="Trash" path="/settings" islands={[island]}>
        <a class="back" href="/settings#retention">
          <Icon name="i-left" />
          Keep and delete
        </a>
        <CameraSwitch app={app} path="/trash" />
        <Island name={island} of={props.isRecorded ? TrashOfThousands : TrashList} props={props} />
        <PageFoot app={app} zone={ZoneTime.from(props.zone)}>
          <span>Times of clips are those of the camera’s own clock</span>
        </PageFoot>
      </Document>,
    ),
  );
}

/** `GET /hx/trash?days=&by=recording`: what the page's island goes on with, without the page. */
export async function trashFragment(context: RequestContext, app: App): Promise<Response> {
  const { days, by } = readQuery(context, ASKED);
  const props = await trashProps(app, days, by === "recording");
  return html(renderToString(<div id="trash" data-props={JSON.stringify(props)} />));
}

/** @param wasRecorded the page shows days of recording already, and goes on with them however few are left */
async function trashProps(app: App, most: number, wasRecorded: boolean): Promise<TrashProps> {
  const { by_day: bare, ...totals } = await trashOverview(app, ENTRIES);
  const by_day = bare.map((day) => ({
    ...day,
    recordings: keyedRecordings(app.camera.id, day.recordings),
  }));
  const isRecorded = wasRecorded || totals.entries > MOST_BY_DELETION;
  // The clips come when the page has its script.
  const days = isRecorded ? await trashByRecordedDay(app) : by_day.toReversed();
  await app.destination.check();
  return {
    totals,
    unknown: days.length === 0 && isFolderUnknown(app) ? unknownTrash(app) : null,
    isRecorded,
    days: isRecorded ? days : days.slice(0, most),
    moreDays: isRecorded ? 0 : Math.max(0, days.length - most),
    // After the trash was read, which finds out whether it can be.
    problem: await app.deletions.problem(),
    isPaused: app.settings.current.schedule.paused,
    now: app.clock.now(),
    zone: zoneOf(app),
  };
}

function unknownTrash({ lastKnown: { known }, clock, zone }: App): string {
  const gone = "The recordings folder is not available.";
  if (known === null || known.trash_recordings === null) return gone;
  const before = `${counted(known.trash_recordings, "recording")} at ${knownAt(known.at, { now: clock.now(), zone })}`;
  return `${gone} The trash held ${before}.`;
}

/** Days of deletion are those of the schedule's zone; where that is not known, of the scheduler's own fallback. */
function zoneOf({ settings, zone: shown }: App): ZoneTime {
  const { timezone } = settings.current.schedule;
  if (timezone === shown.id) return shown;
  return new ZoneTime(timeZoneProblem(timezone) === null ? timezone : FALLBACK_SCHEDULE.timezone, shown.format);
}
