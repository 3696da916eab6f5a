/** @jsxImportSource preact */
import Fleet from "../../islands/fleet.tsx";
import type { App } from "../app.ts";
import { type FleetCamera, MOST_LARGE } from "../domain/status/fleet.ts";
import { cameraStateFrom, refusedCameraState } from "../engine/status/camera_state.ts";
import { fleetFigures } from "../engine/status/shared_storage.ts";
import { inFormatOf } from "../http/request/app_in_format.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { Document, PageFoot, page } from "./document.tsx";
import { overviewOf, planOfAll, recentOfAll, runsOfAll, snapshotOf, storageOfAll } from "./fragments.tsx";
import { Island } from "./island.tsx";

/** `GET /` with several cameras: one sentence over all, a row for each, and the newest clips of all. */
export async function fleet(context: RequestContext, app: App): Promise<Response> {
  const apps = app.cameras.all.map((one) => inFormatOf(context, one));
  const refused = app.cameras.refused.map(({ configured, problem }) => refusedCameraState(configured, problem));
  const isShort = apps.length + refused.length > MOST_LARGE;
  const [cameras, figures, recent, plan, storage] = await Promise.all([
    Promise.all(apps.map(fleetCamera)),
    fleetFigures(apps),
    recentOfAll(context, app),
    isShort ? null : planOfAll(context, app),
    isShort ? null : storageOfAll(context, app),
  ]);
  return html(
    page(
      <Document context={context} app={app} title="Dashboard" path="/" isAboutAll islands={["fleet"]}>
        <Island name="fleet" of={Fleet} props={{ cameras, refused, figures, zone: app.zone }} />
        <div class="cluster fleet-runs">
          {plan}
          {storage}
          {runsOfAll(context, app)}
        </div>
        {recent}
        <PageFoot app={app} />
      </Document>,
    ),
  );
}

async function fleetCamera(app: App, place: number): Promise<FleetCamera> {
  const snapshot = snapshotOf(app);
  const overview = await overviewOf(app);
  const { id, name, letter, model, destination, state } = await cameraStateFrom(app, overview);
  return { id, name, letter, place, model, destination, state, overview, snapshot };
}
