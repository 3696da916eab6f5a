/** @jsxImportSource preact */
import type { OverviewPlan } from "../../server/domain/plan/plan_schema.ts";
import type { FleetFigures as Figures, FleetCamera } from "../../server/domain/status/fleet.ts";
import { formatBytes, formatCount } from "../../server/domain/text/format.ts";
import { Figure, Unknown } from "../parts/figure.tsx";
import { Reading } from "../parts/reading.tsx";

interface FleetFiguresProps {
  readonly cameras: readonly FleetCamera[];
  /** Number of cameras, with those that cannot be opened. */
  readonly count: number;
  readonly figures: Figures;
}

/** Figures of many cameras together. */
export function FleetFigures({ cameras, count, figures }: FleetFiguresProps) {
  const here = cameras.filter(
    ({ overview, snapshot }) => snapshot.state === "running" || overview.plan?.camera === "here",
  );
  const waiting = sumOf(cameras.map(({ overview }) => overview.waiting));
  const bytes = sumOf(cameras.map(({ overview }) => overview.waiting_bytes));
  const risks = sumOf(cameras.map(({ overview: { plan } }) => atRiskOf(plan)));
  const { home_today: home, space } = figures;
  return (
    <dl class="readings">
      <Reading name="Cameras">
        {formatCount(count)} {here.length > 0 && <small>{formatCount(here.length)} here now</small>}
      </Reading>
      <Reading name="Waiting">
        {waiting === null ? (
          <Unknown />
        ) : (
          <>
            <Recordings count={waiting.sum} /> <Part {...waiting} />
          </>
        )}
      </Reading>
      <Reading name="Waiting data">
        {bytes === null ? (
          <Unknown />
        ) : (
          <>
            <Figure text={formatBytes(bytes.sum)} /> <Part {...bytes} />
          </>
        )}
      </Reading>
      <Reading name="At risk">
        {risks === null ? (
          <Unknown />
        ) : (
          <>
            <Recordings count={risks.sum} /> <Part {...risks} />
          </>
        )}
      </Reading>
      <Reading name="Home today">
        <Recordings count={home} />
      </Reading>
      <Reading name="Free">
        {space === null ? (
          <Unknown />
        ) : (
          <>
            <Figure text={formatBytes(space.free_bytes)} /> <small>of {formatBytes(space.total_bytes)}</small>
          </>
        )}
      </Reading>
    </dl>
  );
}

function Recordings({ count }: { readonly count: number }) {
  return (
    <>
      {formatCount(count)} <small>{count === 1 ? "recording" : "recordings"}</small>
    </>
  );
}

/** With nothing waiting nothing is at risk, whatever else is known. */
function atRiskOf(plan: OverviewPlan | null): number | null {
  return plan?.verdict === "safe" ? 0 : (plan?.at_risk?.recordings ?? null);
}

interface Sum {
  readonly sum: number;
  /** Cameras that it is of, and all cameras. */
  readonly known: number;
  readonly all: number;
}

/** Says that a figure is not of all cameras. */
function Part({ known, all }: Sum) {
  return known === all ? null : (
    <small class="fleet-part">
      of {formatCount(known)} {known === 1 ? "camera" : "cameras"}
    </small>
  );
}

/** Null while it is known of none. */
function sumOf(values: readonly (number | null)[]): Sum | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return { sum: known.reduce((sum, value) => sum + value, 0), known: known.length, all: values.length };
}
