import type { FlatTrack, SpeedRun } from "../../../server/domain/viewer/map_drawing.ts";

/** Track and events to draw, on the flat world. */
export interface Drawing {
  readonly flat: FlatTrack;
  readonly runs: readonly SpeedRun[];
  readonly events: readonly { readonly x: number; readonly y: number }[];
}

/** The part of the flat world that is seen: its size in pixels, and which of them is at the left and at the top. */
export interface MapView {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** End of the colours: the later part is only hinted at. */
export interface DrawnUntil {
  /** The index of the last fix in colour. */
  readonly at: number;
  /** Place of the car behind it; null in a gap. */
  readonly car: { readonly x: number; readonly y: number } | null;
}

/** Context of a canvas in the page, or in a worker. */
type Brush = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Colours by `speedClassOf`; the first is for speeds that are not known. */
type SpeedColours = readonly string[];

export interface Inks {
  readonly speeds: SpeedColours;
  /** Around the track, so that it stands out from streets. */
  readonly casing: string;
  readonly faint: string;
  readonly light: string;
  readonly event: string;
}

const TRACK_WIDTH = 4.5;
const CASING_WIDTH = 8;
const FAINT_WIDTH = 2.5;
const GAP_DASH: readonly number[] = [3, 5];

/** The custom properties that the map's style sheet gives its inks in. */
export function readInks(place: Element): Inks {
  const style = getComputedStyle(place);
  const ink = (name: string) => style.getPropertyValue(name).trim();
  return {
    speeds: ["--m-unknown", "--v1", "--v2", "--v3", "--v4", "--v5"].map(ink),
    casing: ink("--m-casing"),
    faint: ink("--m-faint"),
    light: ink("--m-light"),
    event: ink("--m-event"),
  };
}

/** Draws a track: gaps dashed, a casing, the colours of speed, where it begins and ends, and events. */
export function paintTrack(
  brush: Brush,
  { flat, runs, events }: Drawing,
  view: MapView,
  inks: Inks,
  until: DrawnUntil | null,
): void {
  const x = (at: number) => (flat.x[at] ?? 0) * view.scale - view.left;
  const y = (at: number) => (flat.y[at] ?? 0) * view.scale - view.top;
  const last = until?.at ?? flat.t.length - 1;
  const line = (from: number, to: number) => {
    brush.moveTo(x(from), y(from));
    for (let at = from + 1; at <= to; at++) brush.lineTo(x(at), y(at));
  };
  const stroke = (ink: string, width: number, path: () => void) => {
    brush.beginPath();
    path();
    brush.strokeStyle = ink;
    brush.lineWidth = width;
    brush.stroke();
  };
  const toCar = () => {
    if (until?.car && last >= 0)
      brush.lineTo(until.car.x * view.scale - view.left, until.car.y * view.scale - view.top);
  };

  brush.clearRect(0, 0, view.width, view.height);
  brush.lineJoin = "round";
  brush.lineCap = "round";
  brush.setLineDash([...GAP_DASH]);
  stroke(inks.faint, 1.5, () => {
    for (const start of flat.starts) if (start > 0) line(start - 1, start);
  });
  brush.setLineDash([]);
  if (until !== null)
    stroke(inks.faint, FAINT_WIDTH, () => {
      for (const { from, to } of runs) if (to > last) line(Math.max(from, last, 0), to);
    });
  const drawn = runs.filter(({ from }) => from < last || (from === last && until?.car));
  stroke(inks.casing, CASING_WIDTH, () => {
    for (const [index, { from, to }] of drawn.entries()) {
      line(from, Math.min(to, last));
      if (index === drawn.length - 1 && to > last) toCar();
    }
  });
  for (const [speed, ink] of inks.speeds.entries())
    stroke(ink, TRACK_WIDTH, () => {
      for (const run of drawn)
        if (run.speed === speed) {
          line(run.from, Math.min(run.to, last));
          if (run === drawn.at(-1) && run.to > last) toCar();
        }
    });

  paintEnds(brush, inks, [x(0), y(0)], [x(flat.t.length - 1), y(flat.t.length - 1)]);
  for (const event of events)
    paintEvent(brush, inks, event.x * view.scale - view.left, event.y * view.scale - view.top);
}

type Spot = readonly [x: number, y: number];

/** A circle where it begins, a square where it ends. */
function paintEnds(brush: Brush, inks: Inks, [x0, y0]: Spot, [x1, y1]: Spot): void {
  brush.beginPath();
  brush.roundRect(x1 - 5, y1 - 5, 10, 10, 2);
  brush.fillStyle = inks.light;
  brush.fill();
  brush.strokeStyle = inks.casing;
  brush.lineWidth = 2;
  brush.stroke();
  brush.beginPath();
  brush.arc(x0, y0, 5, 0, 2 * Math.PI);
  brush.fillStyle = inks.casing;
  brush.fill();
  brush.strokeStyle = inks.light;
  brush.lineWidth = 2.5;
  brush.stroke();
}

function paintEvent(brush: Brush, inks: Inks, x: number, y: number): void {
  brush.beginPath();
  brush.moveTo(x - 8, y + 7);
  brush.lineTo(x, y - 7);
  brush.lineTo(x + 8, y + 7);
  brush.closePath();
  brush.fillStyle = inks.event;
  brush.fill();
  brush.strokeStyle = inks.casing;
  brush.lineWidth = 2;
  brush.stroke();
}
