import type { VideoSample } from "mediabunny";
import type { SpeedUnit } from "../../../server/domain/viewer/distance_text.ts";
import { flatPlace, flatTrackOf, scaleBar, speedRunsOf } from "../../../server/domain/viewer/map_drawing.ts";
import { carAt, type MapTrack } from "../../../server/domain/viewer/map_track.ts";
import { type Box, fitted, type SideLayout } from "../../../server/domain/viewer/side_layout.ts";
import { type FittedView, fittedView, metersPerPixel } from "../../../server/domain/viewer/side_map.ts";
import { CLOCK_NOTE, type SideText, SPEED_NOTE } from "../../../server/domain/viewer/side_text.ts";
import { speedScale } from "../../../server/domain/viewer/speed_ramp.ts";
import { type Inks, paintTrack } from "../map/track_painter.ts";

type Brush = OffscreenCanvasRenderingContext2D;

/** Colours of a video, which has no theme: those of the viewer’s picture and its map. */
const GROUND = "#0b0f13";
const BAND = "#12181e";
const MAP_GROUND = "#182028";
const TEXT = "#f2f5f7";
const QUIET = "#a9b4bd";
const CAR = "#3aa0ff";
const INKS: Inks = {
  speeds: ["#9aa3ab", "#3b6aa8", "#2a8cc4", "#1fb6b0", "#8fd466", "#f2ee7a"],
  casing: "#0a0d10",
  faint: "#7d8890",
  light: TEXT,
  event: "#f0875a",
};
const FONT = "system-ui, sans-serif";

interface MapWanted {
  readonly track: MapTrack;
  readonly unit: SpeedUnit;
}

interface DrawnMap {
  readonly box: Box;
  readonly track: MapTrack;
  readonly view: FittedView;
  /** The map without the car. */
  readonly ground: OffscreenCanvas;
}

/** Draws the pictures of a video: the cameras, the map, and the line of text below. */
export class SidePainter {
  readonly canvas: OffscreenCanvas;
  readonly #brush: Brush;
  readonly #layout: SideLayout;
  readonly #names: readonly string[];
  readonly #map: DrawnMap | null;
  #told = "";

  /** @param names of the cameras, in the order of the layout's pictures */
  constructor(layout: SideLayout, names: readonly string[], map: MapWanted | null) {
    this.canvas = new OffscreenCanvas(layout.width, layout.height);
    this.#brush = brushOf(this.canvas);
    this.#brush.fillStyle = GROUND;
    this.#brush.fillRect(0, 0, layout.width, layout.height);
    this.#layout = layout;
    this.#names = names;
    this.#map = map && layout.map && drawnMap(layout.map, map);
  }

  /** Draws a camera's picture, or that it has none at this time. */
  picture(camera: number, sample: VideoSample | null): void {
    const box = this.#layout.pictures[camera];
    if (box === undefined) return;
    const brush = this.#brush;
    brush.fillStyle = GROUND;
    brush.fillRect(box.x, box.y, box.width, box.height);
    const name = this.#names[camera] ?? "";
    if (sample === null) {
      brush.fillStyle = QUIET;
      brush.textAlign = "center";
      brush.textBaseline = "middle";
      brush.font = `500 ${this.#unit(0.2)}px ${FONT}`;
      brush.fillText(`${name}: no recording`, box.x + box.width / 2, box.y + box.height / 2);
      return;
    }
    const { x, y, width, height } = fitted(box, { width: sample.displayWidth, height: sample.displayHeight });
    sample.draw(brush, x, y, width, height);
    if (this.#layout.pictures.length > 1) this.#label(name, box);
  }

  /** Draws the place of the car at a time of the trip. */
  car(time: number): void {
    if (this.#map === null) return;
    const { box, track, view, ground } = this.#map;
    const { lat, lon, hasFix } = carAt(track, time);
    const place = flatPlace(lat, lon);
    const brush = this.#brush;
    brush.drawImage(ground, box.x, box.y);
    brush.beginPath();
    const [x, y] = [place.x * view.scale - view.left, place.y * view.scale - view.top];
    brush.arc(box.x + x, box.y + y, this.#unit(0.1), 0, 2 * Math.PI);
    brush.fillStyle = hasFix ? CAR : QUIET;
    brush.fill();
    brush.lineWidth = this.#unit(0.04);
    brush.strokeStyle = TEXT;
    brush.stroke();
  }

  /** Writes the line below the pictures, unless it stands there already. */
  text({ day, clock, speed, unit }: SideText): void {
    const told = `${day} ${clock} ${speed} ${unit}`;
    if (told === this.#told) return;
    this.#told = told;
    const { band } = this.#layout;
    const brush = this.#brush;
    brush.fillStyle = BAND;
    brush.fillRect(band.x, band.y, band.width, band.height);
    const margin = this.#unit(0.3);
    brush.textAlign = "left";
    const end = this.#line(margin, `${day}, ${clock}`, "", CLOCK_NOTE);
    if (speed !== null) this.#line(Math.max(end + margin * 2, band.width / 3), speed, unit, SPEED_NOTE);
  }

  /** Writes a reading with its note below it. @returns where it ends */
  #line(x: number, reading: string, unit: string, note: string): number {
    const { band } = this.#layout;
    const brush = this.#brush;
    brush.textBaseline = "alphabetic";
    brush.fillStyle = TEXT;
    brush.font = `600 ${this.#unit(0.4)}px ${FONT}`;
    const top = band.y + band.height * 0.5;
    brush.fillText(reading, x, top);
    const wide = brush.measureText(reading).width;
    brush.fillStyle = QUIET;
    brush.font = `400 ${this.#unit(0.24)}px ${FONT}`;
    if (unit !== "") brush.fillText(unit, x + wide + this.#unit(0.1), top);
    brush.font = `400 ${this.#unit(0.21)}px ${FONT}`;
    brush.fillText(note, x, band.y + band.height * 0.84);
    return x + Math.max(wide, brush.measureText(note).width);
  }

  #label(name: string, { x, y }: Box): void {
    const brush = this.#brush;
    const [size, space] = [this.#unit(0.2), this.#unit(0.09)];
    brush.font = `600 ${size}px ${FONT}`;
    brush.textAlign = "left";
    brush.textBaseline = "middle";
    const wide = brush.measureText(name).width + 2 * space;
    brush.fillStyle = "rgb(11 15 19 / 60%)";
    brush.beginPath();
    brush.roundRect(x + space, y + space, wide, size + 2 * space, space);
    brush.fill();
    brush.fillStyle = TEXT;
    brush.fillText(name, x + 2 * space, y + 2 * space + size / 2);
  }

  /** So much of the height of the line of text, in whole pixels. */
  #unit(share: number): number {
    return Math.max(1, Math.round(this.#layout.band.height * share));
  }
}

function brushOf(canvas: OffscreenCanvas): Brush {
  const brush = canvas.getContext("2d", { alpha: false });
  if (brush === null) throw new Error("This canvas cannot be drawn on");
  return brush;
}

function drawnMap(box: Box, { track, unit }: MapWanted): DrawnMap {
  const ground = new OffscreenCanvas(box.width, box.height);
  const brush = brushOf(ground);
  const flat = flatTrackOf(track);
  const view = fittedView(flat, box.width, box.height);
  const drawn = new OffscreenCanvas(box.width, box.height);
  const lines = drawn.getContext("2d");
  const fastest = track.speed.reduce<number | null>((most, speed) => Math.max(most ?? 0, speed ?? 0), null);
  if (lines !== null)
    paintTrack(lines, { flat, runs: speedRunsOf(track, speedScale(fastest, unit)), events: [] }, view, INKS, null);
  brush.fillStyle = MAP_GROUND;
  brush.fillRect(0, 0, box.width, box.height);
  brush.drawImage(drawn, 0, 0);
  paintScale(brush, view, track.lat[0] ?? 0, unit);
  return { box, track, view, ground };
}

/** A bar that tells how large things are, at the lower left. */
function paintScale(brush: Brush, view: FittedView, lat: number, unit: SpeedUnit): void {
  const { text, pixels } = scaleBar(metersPerPixel(view, lat), view.width / 4, unit);
  const small = Math.min(view.width, view.height);
  const margin = Math.round(small / 20);
  const [left, bottom] = [margin, view.height - margin];
  brush.strokeStyle = QUIET;
  brush.lineWidth = 2;
  brush.beginPath();
  brush.moveTo(left, bottom - 5);
  brush.lineTo(left, bottom);
  brush.lineTo(left + pixels, bottom);
  brush.lineTo(left + pixels, bottom - 5);
  brush.stroke();
  brush.fillStyle = QUIET;
  brush.font = `400 ${Math.max(11, Math.round(small / 24))}px ${FONT}`;
  brush.textBaseline = "bottom";
  brush.textAlign = "left";
  brush.fillText(text, left + 6, bottom - 5);
}
