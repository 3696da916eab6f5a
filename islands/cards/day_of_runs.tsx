/** @jsxImportSource preact */
import {
  type DayOfRuns,
  RUN_KINDS,
  type RunKind,
  type RunSlot,
  runsInWords,
  SLOT_MS,
} from "../../server/domain/runs/runs_of_day.ts";
import { counted } from "../../server/domain/text/format.ts";
import { Cell, type Polled } from "../parts/cell.tsx";

/** Kinds of runs in their order beside the title: successful ones first. */
const KEYS: readonly { readonly kind: RunKind; readonly name: string }[] = [
  { kind: "new", name: "Brought files" },
  { kind: "ok", name: "Nothing new" },
  { kind: "away", name: "Camera away" },
  { kind: "stopped", name: "Stopped" },
  { kind: "bad", name: "Failed" },
];
const LABELS: readonly number[] = [24, 18, 12, 6, 0];
const HOUR_MS = 3_600_000;

/** The runs of the last day, one stroke per quarter of an hour; each kind has a shape of its own. */
export function DayOfRunsCard({ poll, ...day }: DayOfRuns & Polled) {
  const { counts } = day;
  const all = RUN_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  return (
    <Cell
      id="day-of-runs-card"
      title="Runs in the last 24 hours"
      poll={poll}
      class="span"
      aside={<RunKeys counts={counts} />}
    >
      <RunStrokes {...day} name={`${counted(all, "run")} in 24 hours${all === 0 ? "" : `: ${runsInWords(counts)}`}`} />
      <RunScale {...day} />
    </Cell>
  );
}

interface RunStrokesProps extends DayOfRuns {
  /** Size of the picture. */
  readonly name: string;
  /** One line of many: only what went wrong has words of its own. */
  readonly isShort?: boolean;
}

/** The strokes of a day, and in words what went wrong. */
export function RunStrokes({ slots, counts, now, zone, name, isShort = false }: RunStrokesProps) {
  const all = RUN_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  const described = slots.flatMap((slot, at) => {
    if (slot === null || (isShort && !isTrouble(slot))) return [];
    const begin = now - (slots.length - at) * SLOT_MS;
    const words = `${zone.clockSpan(begin, begin + SLOT_MS)}: ${runsInWords(slot.counts)}`;
    return [{ slot, at, words }];
  });
  const troubles = described.filter(({ slot }) => isTrouble(slot));
  return (
    <>
      <svg class="runs" role="img" aria-label={name}>
        {isShort && <Bars slots={slots} />}
        {described.map(({ slot, at, words }) => (
          <g key={at}>
            <title>{words}</title>
            <rect class="r-slot" x={percent(at, slots.length)} width={percent(1, slots.length)} height="38" />
            <Stroke {...slot} x={((at + 0.5) * 100) / slots.length} />
          </g>
        ))}
      </svg>
      {all === 0 && <p class="runs-none">No run has ended yet</p>}
      {troubles.length > 0 && (
        <ul class="sr" aria-label="Quarters of an hour with runs that failed or were stopped">
          {troubles.map(({ at, words }) => (
            <li key={at}>{words}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function isTrouble({ worst }: RunSlot): boolean {
  return worst === "bad" || worst === "stopped";
}

/**
 * Strokes of runs that went well or found the camera away, one shape for each kind: many lines have a thousand of them.
 */
function Bars({ slots }: Pick<DayOfRuns, "slots">) {
  return (
    <svg viewBox={`0 0 ${slots.length} 38`} preserveAspectRatio="none" width="100%" height="38">
      {BARS.map((kind) => {
        const { y, height } = SHAPES[kind];
        const bars = slots.map((slot, at) => (slot?.worst === kind ? `M${at + 0.26} ${y}h.48v${height}h-.48z` : ""));
        return <path key={kind} class={`r-${kind}`} d={bars.join("")} />;
      })}
    </svg>
  );
}
const BARS = ["new", "ok", "away"] as const;

/** The hours below the strokes. */
export function RunScale({ now, zone }: Pick<DayOfRuns, "now" | "zone">) {
  return (
    <div class={`scale${zone.format.hours === 12 ? " scale-long" : ""}`}>
      {LABELS.map((hours) => {
        const at = now - hours * HOUR_MS;
        const day = hours === 24 ? `${zone.day(at, now).slice(0, 3)} ` : "";
        return (
          <span key={hours}>
            {day}
            {zone.clock(at)}
          </span>
        );
      })}
    </div>
  );
}

/** Stops are rare: their key is there only with one. */
export function RunKeys({ counts }: Pick<DayOfRuns, "counts">) {
  return (
    <ul class="keys">
      {KEYS.filter(({ kind }) => kind !== "stopped" || counts.stopped > 0).map(({ kind, name }) => (
        <li key={kind}>
          <svg viewBox="0 0 8 12" class="key-s" aria-hidden="true">
            {kind === "bad" ? (
              <path class="r-bad" d="M1 2l6 8M7 2l-6 8" />
            ) : (
              <rect class={`r-${kind}`} rx="1" {...KEY_SHAPES[kind]} />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
const KEY_SHAPES = {
  new: { x: 2.5, y: 0, width: 3, height: 12 },
  ok: { x: 2.5, y: 5, width: 3, height: 7 },
  away: { x: 2.5, y: 9, width: 3, height: 3 },
  stopped: { x: 0.5, y: 2.5, width: 7, height: 7 },
} as const;

/** Heights of the strokes; a stroke below the mark of something worse is shorter. */
const SHAPES = {
  new: { y: 2, height: 34 },
  ok: { y: 18, height: 18 },
  away: { y: 33, height: 3 },
} as const;
const SHAPES_BELOW = { new: { y: 16, height: 20 }, ok: { y: 25, height: 11 } } as const;

/** @param x middle of the stroke in percent */
function Stroke({ worst, beside, x }: Pick<RunSlot, "worst" | "beside"> & { readonly x: number }) {
  const bar = { x: `${(x - 0.25).toFixed(2)}%`, width: ".5%", rx: 1 };
  if (worst !== "bad" && worst !== "stopped") return <rect class={`r-${worst}`} {...bar} {...SHAPES[worst]} />;
  return (
    <>
      {/* Marks of a fixed size, in the place of a stroke; above one when others of that time went well. */}
      <svg x={`${x.toFixed(2)}%`} y={beside === null ? 20 : 0} overflow="visible">
        {worst === "bad" ? (
          <path class="r-bad" d="M-4 3l8 10M4 3l-8 10" />
        ) : (
          <rect class="r-stopped" x="-4" y="4" width="8" height="8" rx="1" />
        )}
      </svg>
      {beside !== null && <rect class={`r-${beside}`} {...bar} {...SHAPES_BELOW[beside]} />}
    </>
  );
}

function percent(count: number, of: number): string {
  return `${((count * 100) / of).toFixed(2)}%`;
}
