/** @jsxImportSource preact */

import { CoverageHero } from "../../islands/coverage/hero.tsx";
import { Whose } from "../../islands/parts/plate.tsx";
import { State } from "../../islands/parts/state.tsx";
import { StatsNav } from "../../islands/parts/stats_nav.tsx";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import type { Coverage } from "../domain/coverage/coverage_schema.ts";
import { coverageTogether } from "../domain/coverage/coverage_together.ts";
import { type CoveragePeriod, coverageView, lossInShort, unusableView } from "../domain/coverage/coverage_view.ts";
import { formatCount } from "../domain/text/format.ts";
import { dateOf, wallOf, type ZoneTime } from "../domain/text/zone_time.ts";
import { coverageOf } from "../engine/coverage/coverage.ts";
import { inFormatOf } from "../http/request/app_in_format.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { CameraSwitch } from "./camera_switch.tsx";
import { Document, PageFoot, page } from "./document.tsx";

/** `GET /stats/coverage?camera=all`: whether one of the cameras has lost something, and a row for each. */
export async function coverageOfAll(context: RequestContext, app: App, period: CoveragePeriod): Promise<Response> {
  const apps = app.cameras.all.map((one) => inFormatOf(context, one));
  const rows = await Promise.all(apps.map((one, place) => rowOf(one, place, period)));
  const known = rows.flatMap(({ coverage }) => coverage ?? []);
  const { zone } = app;
  const now = app.clock.now();
  const hasAddress = apps.some(({ settings }) => settings.current.connection.address !== "");
  const isAsked = rows.some((row) => row.isAsked);
  const trouble = troubleOf(rows);
  const view =
    known.length === 0
      ? unusableView("The log says why.", { period, zone, now })
      : coverageView({ coverage: coverageTogether(known), period, isAsked, hasAddress, trouble, zone, now });
  return html(
    page(
      <Document context={context} app={app} title="Stats" path="/stats" sheet="coverage.css" isAboutAll>
        <CameraSwitch app={app} path="/stats/coverage" hasAll isAll />
        <div class="coverage">
          <div class="row section-head">
            <StatsNav current="/stats/coverage" isAll />
            <p class="small quiet push">{view.span}</p>
          </div>
          <CoverageHero view={view} />
          <CameraRows rows={rows} period={period} zone={zone} />
        </div>
        <PageFoot app={app} />
      </Document>,
    ),
  );
}

type Row = Awaited<ReturnType<typeof rowOf>>;

async function rowOf(app: App, place: number, period: CoveragePeriod) {
  const camera = { ...app.camera, place };
  try {
    const coverage: Coverage = await coverageOf(app, period);
    return { camera, coverage, isAsked: (await app.ledger.question()) !== null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { camera, coverage: null, isAsked: false };
  }
}

/** Names the cameras of which nothing can be said; null when there is none. */
function troubleOf(rows: readonly Row[]): string | null {
  const names = rows.flatMap(({ camera, coverage }) => (coverage === null ? [camera.name] : []));
  return names.length === 0 ? null : `The ledger of ${names.join(", ")} cannot be used.`;
}

interface CameraRowsProps {
  readonly rows: readonly Row[];
  readonly period: CoveragePeriod;
  readonly zone: ZoneTime;
}

function CameraRows({ rows, period, zone }: CameraRowsProps) {
  return (
    <section class="section" aria-labelledby="coverage-of-all">
      <div class="table-wrap">
        <div class="cv-caption">
          <h2 id="coverage-of-all">By camera</h2>
        </div>
        <table class="table" aria-labelledby="coverage-of-all">
          <thead>
            <tr>
              <th scope="col">Camera</th>
              <th scope="col">State</th>
              {["On the card", "Came home", "Still to come", "Lost"].map((name) => (
                <th key={name} scope="col" class="n">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <CameraRow key={row.camera.id} row={row} period={period} zone={zone} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function CameraRow({ row, period, zone }: Omit<CameraRowsProps, "rows"> & { readonly row: Row }) {
  const { camera, coverage, isAsked } = row;
  const since = coverage?.since ?? null;
  const { level, word } = stateOf(coverage, isAsked);
  const totals = coverage === null || since === null ? null : coverage.totals;
  return (
    <tr>
      <th scope="row">
        <a href={`/stats/coverage?camera=${camera.id}`}>
          <Whose camera={camera} />
        </a>
        {since !== null && since > period.from && <span class="small quiet cv-since">since {dayOf(since, zone)}</span>}
      </th>
      <td>
        <State level={level} word={word} />
      </td>
      {totals === null ? (
        <td class="soft" colSpan={4}>
          {coverage === null ? "The ledger of this camera cannot be used." : "Nothing is known yet."}
        </td>
      ) : (
        <>
          <td class="n" data-l="On the card">
            {formatCount(totals.recorded)}
          </td>
          <td class="n" data-l="Came home">
            {totals.unknown > 0 ? "not known" : formatCount(totals.home + totals.damaged)}
          </td>
          <td class="n" data-l="Still to come">
            {formatCount(totals.coming)}
          </td>
          <td class="n" data-l="Lost">
            {lossInShort(totals)}
          </td>
        </>
      )}
    </tr>
  );
}

function dayOf(date: string, { format }: ZoneTime): string {
  return dateOf(wallOf(Date.parse(date)), format);
}

function stateOf(coverage: Coverage | null, isAsked: boolean) {
  if (coverage === null) return { level: "failed", word: "Not known" } as const;
  if (isAsked) return { level: "attention", word: "One question" } as const;
  const { since, totals } = coverage;
  if (since === null) return { level: "waiting", word: "Not known" } as const;
  if (totals.lost > 0) return { level: "failed", word: "Lost" } as const;
  if (totals.damaged > 0) return { level: "attention", word: "Damaged" } as const;
  return totals.unknown > 0
    ? ({ level: "attention", word: "Not known" } as const)
    : ({ level: "fine", word: "Fine" } as const);
}
