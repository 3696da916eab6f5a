/** @jsxImportSource preact */
import type { DayOfRuns, RunKind } from "../../server/domain/day_of_runs.ts";
import { counted, formatClock, formatCount, formatDay } from "../../server/domain/format.ts";
import { Cell, type Polled } from "../parts/cell.tsx";

const KINDS: readonly { readonly kind: RunKind; readonly name: string }[] = [
  { kind: "new", name: "Brought files" },
  { kind: "ok", name: "Nothing new" },
  { kind: "away", name: "Camera away" },
  { kind: "bad", name: "Failed" },
];
const LABELS: readonly number[] = [24, 18, 12, 6, 0];
const HOUR_MS = 3_600_000;

/** The runs of the last day, one stroke per quarter of an hour; each kind has a shape of its own. */
export function DayOfRunsCard({ poll, slots, counts, now, time_zone }: DayOfRuns & Polled) {
  const all = KINDS.reduce((sum, { kind }) => sum + counts[kind], 0);
  const words = `${counted(all, "run")} in 24 hours: ${formatCount(counts.new)} brought files, ${formatCount(counts.ok)} found nothing new, ${formatCount(counts.bad)} failed, camera away for ${formatCount(counts.away)}`;
  return (
    <Cell id="day-of-runs-card" title="Runs in the last 24 hours" poll={poll} class="span" aside={<Keys />}>
      <svg class="runs" role="img" aria-label={words}>
        {slots.map((kind, at) => kind && <Stroke key={at} kind={kind} x={((at + 0.5) * 100) / slots.length} />)}
      </svg>
      {all === 0 && <p class="runs-none">No run has ended yet</p>}
      <div class="scale">
        {LABELS.map((hours) => {
          const at = now - hours * HOUR_MS;
          const day = hours === 24 ? `${formatDay(at, time_zone, now).slice(0, 3)} ` : "";
          return (
            <span key={hours}>
              {day}
              {formatClock(at, time_zone)}
            </span>
          );
        })}
      </div>
    </Cell>
  );
}

function Keys() {
  return (
    <ul class="keys">
      {KINDS.map(({ kind, name }) => (
        <li key={kind}>
          <svg viewBox="0 0 8 12" class="key-s" aria-hidden="true">
            {kind === "bad" ? (
              <path class="r-bad" d="M1 2l6 8M7 2l-6 8" />
            ) : (
              <rect class={`r-${kind}`} x="2.5" width="3" {...KEY_SHAPES[kind]} rx="1" />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
const KEY_SHAPES = { new: { y: 0, height: 12 }, ok: { y: 5, height: 7 }, away: { y: 9, height: 3 } } as const;

const SHAPES = { new: { y: 2, height: 34 }, ok: { y: 18, height: 18 }, away: { y: 33, height: 3 } } as const;

/** @param x middle of the stroke in percent */
function Stroke({ kind, x }: { readonly kind: RunKind; readonly x: number }) {
  if (kind === "bad")
    return (
      <svg x={`${x.toFixed(2)}%`} overflow="visible">
        <path class="r-bad" d="M-4 23l8 10M4 23l-8 10" />
      </svg>
    );
  return <rect class={`r-${kind}`} x={`${(x - 0.25).toFixed(2)}%`} width=".5%" rx="1" {...SHAPES[kind]} />;
}
