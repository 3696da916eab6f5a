const NBSP = "\u00a0";
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** The lines across a chart, from zero up. */
export interface ValueScale {
  /** End of the axis. */
  readonly top: number;
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly at: number;
  /** Only the topmost one has the unit. */
  readonly label: string;
}

/** Steps between two lines, in seconds, as a clock has them. */
const CLOCK_STEPS: readonly number[] = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  DAY,
];
const BYTE_UNITS: readonly (readonly [name: string, bytes: number])[] = [
  ["TB", 1e12],
  ["GB", 1e9],
  ["MB", 1e6],
  ["kB", 1e3],
  ["B", 1],
];

/**
 * A scale that the largest value fits on, in so many even steps at most.
 * @param counts what is counted, where the chart has more than one scale
 */
export function scaleOf(most: number, of: "bytes" | "count" | "seconds", steps = 5, counts = ""): ValueScale {
  const value = Math.max(0, most);
  if (of === "seconds") return clockScale(value, steps);
  const [unit, size] = (of === "bytes" && BYTE_UNITS.find(([, bytes]) => value >= bytes)) || [counts, 1];
  const step = roundStep(value / size / steps, of === "count" || size === 1);
  return scaled(value, step * size, size, unit);
}

/** 0 to 100 %. */
export const PERCENT_SCALE: ValueScale = scaled(1, 0.25, 0.01, "%");

function clockScale(value: number, steps: number): ValueScale {
  const wanted = value / steps;
  const step = CLOCK_STEPS.find((known) => known >= wanted) ?? Math.ceil(wanted / DAY) * DAY;
  const top = step * Math.max(1, Math.ceil(value / step));
  const [unit, size] = top < 2 * MINUTE ? ["s", 1] : top < 2 * HOUR ? ["min", MINUTE] : ["h", HOUR];
  return scaled(value, step, Number(size), String(unit));
}

/** 1, 2 or 5 with noughts, and 25: no label needs more than one decimal. */
function roundStep(wanted: number, isWhole: boolean): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(wanted, isWhole ? 1 : 0.1)));
  const multiples = magnitude >= 10 ? [1, 2, 2.5, 5, 10] : [1, 2, 5, 10];
  // Tolerates the rounding of decimal fractions.
  return magnitude * (multiples.find((multiple) => magnitude * multiple >= wanted * (1 - 1e-9)) ?? 10);
}

function scaled(most: number, step: number, size: number, unit: string): ValueScale {
  const count = Math.max(1, Math.ceil(most / step - 1e-9));
  const decimals = Number.isInteger(round(step / size)) ? 0 : 1;
  const ticks = Array.from({ length: count + 1 }, (_, index): Tick => {
    const text = index === 0 ? "0" : round((index * step) / size).toFixed(decimals);
    return { at: index * step, label: index === count && unit !== "" ? text + NBSP + unit : text };
  });
  return { top: count * step, ticks };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
