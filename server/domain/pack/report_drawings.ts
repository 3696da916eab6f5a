import { type SpeedUnit, speedIn, speedUnitName } from "../viewer/distance_text.ts";
import { flatPlace, scaleBar } from "../viewer/map_drawing.ts";
import type { ForcePeak, TripForce, TripTelemetry, TripTrack } from "../viewer/trip_telemetry.ts";
import { type Markup, markup } from "./markup.ts";
import { clockText } from "./wall_text.ts";

/** Telemetry of a pack, by seconds since its first clip began. */
export interface Drawn {
  readonly telemetry: TripTelemetry;
  /** The camera's wall time at second 0. */
  readonly begin: number;
  /** Time that the pack covers, and within it the moment that was asked for; seconds since second 0. */
  readonly span: Stretch;
  readonly moment: Stretch;
  readonly unit: SpeedUnit;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Fixes drawn; a line has no more corners that can be seen. */
const MOST_FIXES = 1500;
const WIDTH = 640;
const HEIGHT = 400;
const MARGIN = 48;
const EARTH_METERS = 40_075_016.686;
/** Wider than any car needs on paper. */
const SMALLEST_METERS = 100;
const BARS = 60;
const CHART_WIDTH = 1000;
const CHART_HEIGHT = 100;
const LEAST_FORCE = 0.5;
/** From here on a bar is a strong moment. */
const STRONG_G = 0.4;

/** The strongest moment of what was asked for; null without one. */
export function strongestIn({ telemetry, moment }: Drawn): ForcePeak | null {
  const within = telemetry.peaks.filter(({ time }) => time >= moment.from && time <= moment.to);
  return within.reduce<ForcePeak | null>((most, one) => (one.magnitude > (most?.magnitude ?? 0) ? one : most), null);
}

/** The track as a picture, the moment that was asked for drawn strong; null without two places. */
export function trackDrawing(drawn: Drawn): Markup | null {
  const { track } = drawn.telemetry;
  if (track.t.length < 2) return null;
  const flat = track.lat.map((lat, at) => flatPlace(lat, track.lon[at] ?? 0));
  // Over the date line the east goes on behind 1.
  const [least, most] = edge(flat, "x");
  const isOver = most - least > 0.5;
  const places = flat.map(({ x, y }) => ({ x: isOver && x < 0.5 ? x + 1 : x, y }));
  const [west, east] = edge(places, "x");
  const [north, south] = edge(places, "y");
  const metersOfAll = EARTH_METERS * Math.cos(((track.lat[0] ?? 0) * Math.PI) / 180);
  const wide = Math.max(east - west, SMALLEST_METERS / metersOfAll);
  const high = Math.max(south - north, SMALLEST_METERS / metersOfAll);
  const scale = Math.min((WIDTH - 2 * MARGIN) / wide, (HEIGHT - 2 * MARGIN) / high);
  const put = (at: number) => {
    const { x, y } = places[at] ?? { x: 0, y: 0 };
    return [WIDTH / 2 + (x - (west + east) / 2) * scale, HEIGHT / 2 + (y - (north + south) / 2) * scale] as const;
  };
  const all = lineOf(track, put, drawn.span);
  const strong = lineOf(track, put, drawn.moment);
  const peak = strongestIn(drawn);
  const at = peak === null ? null : nearestFix(track, peak.time);
  const bar = scaleBar(metersOfAll / scale, 160, drawn.unit);
  return markup`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Track from the camera’s satellite receiver. The moment that was asked for is drawn strong.">
<path class="rp-g" d="M0 100H640M0 200H640M0 300H640M128 0V400M256 0V400M384 0V400M512 0V400"/>
<path class="rp-trk" d="${all}"/><path class="rp-span" d="${strong}"/>
${at === null || peak === null ? null : markOf(put(at), clockText(drawn.begin + peak.time))}
<path class="rp-trk" d="M22 ${HEIGHT - 22}h${bar.pixels}"/><text class="rp-t" x="22" y="${HEIGHT - 32}">${bar.text}</text>
<text class="rp-t" x="${WIDTH - 22}" y="34" text-anchor="end">N ↑</text></svg>`;
}

function markOf([x, y]: readonly [number, number], text: string): Markup {
  const isRight = x > WIDTH - 120;
  return markup`<path class="rp-ev" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" d="M-9 8L0 -9L9 8Z"/><text class="rp-t" x="${(isRight ? x - 14 : x + 14).toFixed(1)}" y="${(y + 18).toFixed(1)}" text-anchor="${isRight ? "end" : "start"}">${text}</text>`;
}

/** The curve of the speed; null where the camera told none. */
export function speedDrawing(drawn: Drawn): Markup | null {
  const { track } = drawn.telemetry;
  const { unit } = drawn;
  const shown = keptFixes(track, drawn.span).filter((at) => track.speed[at] !== null);
  if (shown.length < 2) return null;
  const fastest = shown.reduce((most, at) => Math.max(most, speedIn(track.speed[at] ?? 0, unit)), 0);
  const top = Math.max(20, Math.ceil(fastest / 20) * 20);
  const breaks = breaksBetween(track, shown);
  const line = shown
    .map((at, index) => {
      const x = xOf(track.t[at] ?? 0, drawn.span);
      const y = CHART_HEIGHT * (1 - speedIn(track.speed[at] ?? 0, unit) / top);
      return `${index === 0 || breaks.has(index) ? "M" : "L"}${x} ${y.toFixed(1)}`;
    })
    .join("");
  const words = `Speed as recorded by the camera, at most ${Math.round(fastest)} ${speedUnitName(unit)}`;
  return chart(
    drawn,
    `Speed, ${speedUnitName(unit)}`,
    [String(top), String(top / 2), "0"],
    words,
    markup`<path class="rp-grid" d="M0 0H1000M0 50H1000M0 100H1000"/><path class="rp-l" d="${line}"/>`,
  );
}

/** The force along the car as bars, faster upwards; null where the camera told none. */
export function forceDrawing(drawn: Drawn): Markup | null {
  const { force } = drawn.telemetry;
  const { from, to } = drawn.span;
  const values = barsOf(force, drawn.span);
  if (values.every((value) => value === null)) return null;
  const top = Math.ceil(values.reduce<number>((most, g) => Math.max(most, Math.abs(g ?? 0)), LEAST_FORCE) * 10) / 10;
  const step = CHART_WIDTH / BARS;
  const bars = values.map((g, at) => {
    if (g === null) return null;
    const height = (CHART_HEIGHT / 2) * (Math.abs(g) / top);
    const y = g > 0 ? CHART_HEIGHT / 2 - height : CHART_HEIGHT / 2;
    return markup`<rect class="${Math.abs(g) >= STRONG_G ? "rp-b" : "rp-a"}" x="${(at * step + 1).toFixed(1)}" y="${y.toFixed(1)}" width="${(step - 2).toFixed(1)}" height="${Math.max(1, height).toFixed(1)}"/>`;
  });
  const largest = force.t.reduce(
    (most, time, at) => (time >= from && time <= to ? Math.max(most, force.magnitude[at] ?? 0) : most),
    0,
  );
  return chart(
    drawn,
    "Force along the car, g",
    [String(top), "0", `−${top}`],
    `Force as recorded by the camera, at most ${largest.toFixed(2)} g`,
    markup`<path class="rp-grid" d="M0 50H1000"/>${bars}`,
  );
}

function chart(drawn: Drawn, title: string, scale: readonly string[], words: string, inner: Markup): Markup {
  const { begin, span } = drawn;
  const peak = strongestIn(drawn);
  const mark = peak === null ? null : markup`<path class="rp-mark" d="M${xOf(peak.time, span)} 0V100"/>`;
  const middle = peak === null ? (span.from + span.to) / 2 : null;
  return markup`<div class="rp-ch"><h3>${title}</h3><div class="y">${scale.map((one) => markup`<span>${one}</span>`)}</div>
<svg viewBox="0 0 ${CHART_WIDTH} ${CHART_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words}">${inner}${mark}</svg>
<div class="x"><span>${clockText(begin + span.from)}</span>${middle === null ? null : markup`<span>${clockText(begin + middle)}</span>`}<span>${clockText(begin + span.to)}</span></div></div>`;
}

function xOf(time: number, { from, to }: Stretch): string {
  const x = ((time - from) / Math.max(1, to - from)) * CHART_WIDTH;
  return Math.max(0, Math.min(CHART_WIDTH, x)).toFixed(1);
}

/** The largest force along the car of each bar, with its sign; null where there is no sample. */
function barsOf({ t, longitudinal }: TripForce, { from, to }: Stretch): (number | null)[] {
  const bars: (number | null)[] = Array.from({ length: BARS }, () => null);
  for (const [at, time] of t.entries()) {
    if (time < from || time > to) continue;
    const bar = Math.min(BARS - 1, Math.floor(((time - from) / Math.max(1, to - from)) * BARS));
    const g = longitudinal[at] ?? 0;
    if (Math.abs(g) >= Math.abs(bars[bar] ?? 0)) bars[bar] = g;
  }
  return bars;
}

/** Indexes of the fixes of a stretch that are drawn. */
function keptFixes({ t }: TripTrack, { from, to }: Stretch): number[] {
  const within = [...t.keys()].filter((at) => (t[at] ?? 0) >= from && (t[at] ?? 0) <= to);
  const step = Math.ceil(within.length / MOST_FIXES);
  return within.filter((_, index) => index % step === 0 || index === within.length - 1);
}

/** Places in a list of kept fixes that no line leads to. */
function breaksBetween({ breaks }: TripTrack, kept: readonly number[]): ReadonlySet<number> {
  const places = new Set<number>();
  for (const [index, at] of kept.entries()) {
    for (let fix = (kept[index - 1] ?? at) + 1; fix <= at; fix++) if (breaks.has(fix)) places.add(index);
  }
  return places;
}

function lineOf(track: TripTrack, put: (at: number) => readonly [number, number], stretch: Stretch): string {
  const kept = keptFixes(track, stretch);
  const breaks = breaksBetween(track, kept);
  return kept
    .map((at, index) => {
      const [x, y] = put(at);
      return `${index === 0 || breaks.has(index) ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}

function nearestFix({ t }: TripTrack, time: number): number {
  return t.reduce((best, one, at) => (Math.abs(one - time) < Math.abs((t[best] ?? 0) - time) ? at : best), 0);
}

function edge(places: readonly { readonly x: number; readonly y: number }[], axis: "x" | "y"): [number, number] {
  return places.reduce<[number, number]>(
    ([least, most], place) => [Math.min(least, place[axis]), Math.max(most, place[axis])],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}
