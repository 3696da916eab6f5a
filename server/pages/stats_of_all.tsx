/** @jsxImportSource preact */
import { RunsOfCameras } from "../../islands/cards/runs_of_cameras.tsx";
import { Whose } from "../../islands/parts/plate.tsx";
import { StatsNav } from "../../islands/parts/stats_nav.tsx";
import { RANGE_NAMES } from "../../islands/stats/range_switch.tsx";
import type { App } from "../app.ts";
import type { Range } from "../domain/runs/run.ts";
import type { RunSummary } from "../domain/runs/run_summary.ts";
import { wentWell } from "../domain/runs/statistics_text.ts";
import { counted, formatBytes, formatCount } from "../domain/text/format.ts";
import { dayOfRuns } from "../engine/status/card_reads.ts";
import { storageHealth } from "../engine/status/health.ts";
import { recordingBytes } from "../engine/status/shared_storage.ts";
import { statistics } from "../engine/status/statistics.ts";
import { inFormatOf } from "../http/request/app_in_format.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { CameraSwitch } from "./camera_switch.tsx";
import { Document, PageFoot, page } from "./document.tsx";

/** `GET /stats?camera=all`: the runs of all cameras in figures, by camera and together, and what each keeps. */
export async function statsOfAll(context: RequestContext, app: App, range: Range): Promise<Response> {
  const apps = app.cameras.all.map((one) => inFormatOf(context, one));
  const rows = await Promise.all(apps.map((one, place) => rowOf(one, place, range)));
  return html(
    page(
      <Document context={context} app={app} title="Stats" path="/stats" isAboutAll>
        <CameraSwitch app={app} path="/stats" hasAll isAll />
        <div class="section-head">
          <StatsNav current="/stats" isAll />
        </div>
        <Ranges range={range} />
        <Runs rows={rows} />
        <Kept rows={rows} />
        <div class="cluster fleet-runs">
          <RunsOfCameras rows={rows} />
        </div>
        <PageFoot app={app} />
      </Document>,
    ),
  );
}

type Row = Awaited<ReturnType<typeof rowOf>>;

async function rowOf(app: App, place: number, range: Range) {
  const [{ summary }, storage] = await Promise.all([statistics(app, range), storageHealth(app)]);
  const bytes = storage.available ? await recordingBytes(app.retention) : null;
  return { camera: { ...app.camera, place }, summary, storage, bytes, day: dayOfRuns(app) };
}

function Ranges({ range }: { readonly range: Range }) {
  return (
    <div class="seg" role="group" aria-label="Range">
      {(Object.keys(RANGE_NAMES) as Range[]).map((name) => (
        <a key={name} href={`/stats?camera=all&range=${name}`} aria-current={name === range ? "true" : undefined}>
          {RANGE_NAMES[name]}
        </a>
      ))}
    </div>
  );
}

function Runs({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <section class="section" aria-labelledby="runs-of-all">
      <div class="section-head">
        <h2 id="runs-of-all">Runs</h2>
      </div>
      <div class="table-wrap">
        <table class="table" aria-labelledby="runs-of-all">
          <thead>
            <tr>
              <th scope="col">Camera</th>
              {["Runs", "Successful", "Files", "Size"].map((name) => (
                <th key={name} scope="col" class="n">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ camera, summary }) => (
              <RunsRow key={camera.id} summary={summary}>
                <a href={`/stats?camera=${camera.id}`}>
                  <Whose camera={camera} />
                </a>
              </RunsRow>
            ))}
            <RunsRow summary={together(rows.map(({ summary }) => summary))}>All cameras</RunsRow>
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface RunsRowProps {
  readonly summary: RunSummary;
  readonly children: preact.ComponentChildren;
}

function RunsRow({ summary, children }: RunsRowProps) {
  const well = wentWell(summary);
  const reached = summary.offline === 0 ? "" : `, ${formatCount(summary.offline)} with the camera away`;
  return (
    <tr>
      <th scope="row">{children}</th>
      <td class="n" data-l="Runs" title={`${counted(summary.runs, "run")}${reached}`}>
        {formatCount(summary.runs)}
      </td>
      <td class="n" data-l="Successful">
        {well === null ? "–" : `${Math.floor(well * 100)}\u00a0%`}
      </td>
      <td class="n" data-l="Files">
        {formatCount(summary.files)}
      </td>
      <td class="n" data-l="Size">
        {formatBytes(summary.bytes)}
      </td>
    </tr>
  );
}

function Kept({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <section class="section" aria-labelledby="storage-of-all">
      <div class="section-head">
        <h2 id="storage-of-all">Storage</h2>
      </div>
      <div class="table-wrap">
        <table class="table" aria-labelledby="storage-of-all">
          <thead>
            <tr>
              <th scope="col">Camera</th>
              <th scope="col">Folder</th>
              {["Recordings", "Size", "In the trash", "Free on its disk"].map((name) => (
                <th key={name} scope="col" class="n">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ camera, storage, bytes }) => (
              <tr key={camera.id}>
                <th scope="row">
                  <Whose camera={camera} />
                </th>
                {storage.available ? (
                  <>
                    <td class="soft mono" data-l="Folder">
                      {storage.destination}
                    </td>
                    <td class="n" data-l="Recordings">
                      {formatCount(storage.recording_count)}
                    </td>
                    <td class="n" data-l="Size">
                      {bytes === null ? "not known yet" : formatBytes(bytes)}
                    </td>
                    <td class="n" data-l="In the trash">
                      {formatCount(storage.trash_recordings)}
                    </td>
                    <td class="n" data-l="Free on its disk">
                      {storage.available_bytes === null ? "not known" : formatBytes(storage.available_bytes)}
                    </td>
                  </>
                ) : (
                  <td class="soft" colSpan={5}>
                    The folder is not available.
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The figures of several cameras as one. */
function together(summaries: readonly RunSummary[]): RunSummary {
  const sum = (of: (one: RunSummary) => number) => summaries.reduce((all, one) => all + of(one), 0);
  const reached = sum((one) => one.reachable_runs);
  const well = sum((one) => (one.success_rate ?? 0) * one.reachable_runs);
  const seconds = sum((one) => one.avg_duration_seconds * one.reachable_runs);
  return {
    runs: sum((one) => one.runs),
    offline: sum((one) => one.offline),
    reachable_runs: reached,
    bytes: sum((one) => one.bytes),
    files: sum((one) => one.files),
    avg_duration_seconds: reached === 0 ? 0 : seconds / reached,
    longest_seconds: Math.max(0, ...summaries.map((one) => one.longest_seconds)),
    stopped: sum((one) => one.stopped),
    success_rate: reached === 0 ? null : well / reached,
  };
}
