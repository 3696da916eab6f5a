/** @jsxImportSource preact */
import JobPanel from "../../islands/job_panel.tsx";
import { Icon } from "../../islands/parts/icon.tsx";
import type { App } from "../app.ts";
import { ALL_CAMERAS } from "../domain/settings/camera_key.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html, redirect } from "../http/request/respond.ts";
import { addressStep } from "./address_step.tsx";
import { CameraSwitch } from "./camera_switch.tsx";
import { Document, PageFoot, page } from "./document.tsx";
import { fleet } from "./fleet.tsx";
import { cameraCard, FRAGMENTS, overviewOf, receiptsCard, snapshotOf } from "./fragments.tsx";
import { Island } from "./island.tsx";
import { startOf } from "./start.tsx";

/** `GET /`: the state in a sentence, what the job does, and a card for each thing to know. */
export async function dashboard(context: RequestContext, app: App): Promise<Response> {
  if (context.url.searchParams.has("start"))
    return app.settings.current.connection.address === "" ? addressStep(context, app) : redirect("/");
  const { all, refused } = app.cameras;
  if (all.length + refused.length > 1 && (context.camera === null || context.camera === ALL_CAMERAS))
    return await fleet(context, app);
  const { folder, lastRun, nextRun, storage, plan, dayOfRuns, recent, hints } = FRAGMENTS;
  // Before the overview: if the job goes on meanwhile, the stream sends what this snapshot does not have.
  const snapshot = snapshotOf(app);
  const cards = [folder, lastRun, nextRun, storage, plan, dayOfRuns, recent, hints].map(({ show }) => show(app));
  const [state, missing, last, next, disk, inTime, strip, recordings, said] = await Promise.all([
    overviewOf(app),
    ...cards,
  ]);
  const camera = await cameraCard(app);
  const isAsked = app.settings.current.connection.address === "" && context.user?.role !== "viewer";
  const start = isAsked ? await startOf(app) : null;
  return html(
    page(
      <Document
        context={context}
        app={app}
        title="Dashboard"
        path="/"
        islands={start ? ["job_panel", "camera_address"] : ["job_panel"]}
      >
        <CameraSwitch app={app} path="/" hasAll />
        <Island name="job_panel" of={JobPanel} props={{ snapshot, overview: state, zone: app.zone }} />
        {missing}
        {receiptsCard(state, app.zone)}
        {start === null && <NoScript />}
        {start}
        <div class="cluster cluster-4">
          {inTime}
          {last}
          {next}
          {disk}
          {camera}
          {strip}
        </div>
        {recordings}
        {/* Last, with a link from the camera's cell: a hint that comes with a run moves nothing that is being read. */}
        {said}
        <PageFoot app={app} />
      </Document>,
    ),
  );
}

/** Tells what does not work without scripts; the first use has a sentence of its own for that. */
function NoScript() {
  return (
    <noscript>
      <p class="note is-attention note-below">
        <Icon name="s-attention" />
        <b class="strong">The buttons of this page need JavaScript</b>
        <span>Without it this page shows how things stood when it was opened.</span>
      </p>
    </noscript>
  );
}
