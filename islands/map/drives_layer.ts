import { paintDrives, type Painting } from "./drives_painter.ts";
import { readInks } from "./map_inks.ts";
import { type FlatBox, flatBoxOf, type MapSize, type MapView, scaleOf } from "./map_view.ts";
import { BEYOND, type Frame } from "./often.ts";
import type { StreetSquares } from "./street_squares.ts";

/** Time of one frame that painting may take. */
const FRAME_MS = 7;
/** More pixels for each of the page's cost more than they show. */
const MOST_DENSE = 2;
/** Steps of zoom by which a painting may be shown larger or smaller before it is made anew at once. */
const MOST_ZOOM_STEPS = 1.5;

/** A painting, and where it lies. */
interface Painted {
  readonly canvas: HTMLCanvasElement;
  readonly frame: Frame;
  readonly zoom: number;
}

/**
 * Two canvases in turn: one is shown and moved with the map, the other is painted meanwhile, a little in each frame. Pushing
 * and zooming move what is painted and paint nothing.
 */
export class DrivesLayer {
  readonly #host: HTMLElement;
  readonly #spare: HTMLCanvasElement[];
  readonly #streets: StreetSquares;
  #shown: Painted | null = null;
  #frame = 0;
  #view: MapView | null = null;
  #size: MapSize = { width: 0, height: 0 };

  /** @param host the element that has the canvases */
  constructor(host: HTMLElement, streets: StreetSquares) {
    this.#host = host;
    this.#streets = streets;
    this.#spare = [newCanvas(), newCanvas()];
  }

  /** Moves what is painted to where it lies now. */
  move(view: MapView, size: MapSize): void {
    this.#view = view;
    this.#size = size;
    this.#place(this.#shown);
    this.#streets.place(view, size);
  }

  /** True when a part of the map is not painted, or what is painted is shown much larger or smaller. */
  get isWorn(): boolean {
    if (this.#shown === null || this.#view === null) return true;
    const { frame, zoom } = this.#shown;
    const seen = flatBoxOf(this.#view, this.#size);
    const { left, top, right, bottom } = boxOfFrame(frame);
    const isBeyond = seen.left < left || seen.right > right || seen.top < top || seen.bottom > bottom;
    return isBeyond || Math.abs(this.#view.zoom - zoom) > MOST_ZOOM_STEPS;
  }

  /** Paints what there is now, a little in each frame, and shows it when it is whole. @param done called then */
  paint(painting: Omit<Painting, "frame" | "inks" | "isOnStreets">, done: () => void): void {
    cancelAnimationFrame(this.#frame);
    const [canvas] = this.#spare;
    const view = this.#view;
    if (canvas === undefined || view === null || this.#size.width === 0) return;
    const frame = frameOf(view, this.#size);
    const brush = brushOf(canvas, frame);
    if (brush === null) return;
    const { isOnStreets } = this.#streets;
    const steps = paintDrives(brush, { ...painting, frame, inks: readInks(this.#host, isOnStreets), isOnStreets });
    const go = () => {
      const end = performance.now() + FRAME_MS;
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) break;
        if (performance.now() < end) continue;
        this.#frame = requestAnimationFrame(go);
        return;
      }
      this.#show({ canvas, frame, zoom: view.zoom });
      done();
    };
    this.#streets.lay(view, boxOfFrame(frame));
    this.#frame = requestAnimationFrame(go);
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#streets.close();
  }

  #show(painted: Painted): void {
    const before = this.#shown;
    this.#shown = painted;
    this.#spare.shift();
    this.#place(painted);
    this.#host.append(painted.canvas);
    if (before === null) return;
    before.canvas.remove();
    this.#spare.push(before.canvas);
  }

  #place(painted: Painted | null): void {
    if (painted === null || this.#view === null) return;
    const { canvas, frame } = painted;
    const by = scaleOf(this.#view) / frame.scale;
    const x = frame.left * by - this.#view.x * scaleOf(this.#view) + this.#size.width / 2;
    const y = frame.top * by - this.#view.y * scaleOf(this.#view) + this.#size.height / 2;
    canvas.style.transform = `translate(${x}px, ${y}px) scale(${by})`;
  }
}

function newCanvas(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.className = "mapv-drives";
  return canvas;
}

function frameOf(view: MapView, { width, height }: MapSize): Frame {
  const scale = scaleOf(view);
  const size = { width: Math.ceil(width * (1 + 2 * BEYOND)), height: Math.ceil(height * (1 + 2 * BEYOND)) };
  // Whole pixels: half ones would blur every line.
  const left = Math.round(view.x * scale - size.width / 2);
  return { ...size, scale, left, top: Math.round(view.y * scale - size.height / 2) };
}

function boxOfFrame({ scale, left, top, width, height }: Frame): FlatBox {
  return { left: left / scale, top: top / scale, right: (left + width) / scale, bottom: (top + height) / scale };
}

/** A context whose pixels are those of the page, on a canvas with as many as the screen has. */
function brushOf(canvas: HTMLCanvasElement, { width, height }: Frame): CanvasRenderingContext2D | null {
  const dense = Math.min(MOST_DENSE, devicePixelRatio);
  const [wide, high] = [Math.round(width * dense), Math.round(height * dense)];
  // A canvas that is given a size is made anew.
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const brush = canvas.getContext("2d");
  brush?.setTransform(dense, 0, 0, dense, 0, 0);
  return brush;
}
