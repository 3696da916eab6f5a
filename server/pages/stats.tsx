/** @jsxImportSource preact */

import { StatsNav } from "../../islands/parts/stats_nav.tsx";
import StatsCharts from "../../islands/stats_charts.tsx";
import type { App } from "../app.ts";
import { timeInWords } from "../domain/retention/keep_text.ts";
import { statsView } from "../domain/runs/statistics_text.ts";
import { ALL_CAMERAS } from "../domain/settings/camera_key.ts";
import { statistics } from "../engine/status/statistics.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { CameraSwitch } from "./camera_switch.tsx";
import { Document, PageFoot, page } from "./document.tsx";
import { Island } from "./island.tsx";
import { RunsSection, runsAsked } from "./runs_table.tsx";
import { statsOfAll } from "./stats_of_all.tsx";

/**
 * `GET /stats?range=24h|7d|30d|all`: how the runs went, in figures, charts and a table. Unless asked otherwise a week, or
 * more where there is nothing in it.
 */
export async function stats(context: RequestContext, app: App): Promise<Response> {
  const asked = runsAsked(context, app);
  if (context.camera === ALL_CAMERAS && app.cameras.all.length > 1) return await statsOfAll(context, app, asked.range);
  const { zone } = app;
  const { keep } = app.settings.current.retention;
  const kept = keep === "" ? "" : timeInWords(keep);
  const view = statsView(await statistics(app, asked.range), zone, kept);
  return html(
    page(
      <Document context={context} app={app} title="Stats" path="/stats" islands={["stats_charts"]}>
        <CameraSwitch app={app} path="/stats" hasAll />
        <div class="section-head">
          <StatsNav current="/stats" />
        </div>
        <Island name="stats_charts" of={StatsCharts} props={{ view, kept, time_zone: zone }} />
        <RunsSection app={app} asked={asked} />
        <PageFoot app={app} />
      </Document>,
    ),
  );
}
