import type { LatLngBounds, Map as LeafletMap, LeafletMouseEvent } from "leaflet";
import "leaflet/src/map/handler/Map.DoubleClickZoom.js";
import "leaflet/src/map/handler/Map.Drag.js";
import "leaflet/src/map/handler/Map.ScrollWheelZoom.js";
import "leaflet/src/map/handler/Map.TouchZoom.js";
import { Map as Ground } from "leaflet/src/map/Map.js";
import { flatPlace, flatTrackOf, speedRunsOf, timeNear } from "../../../server/domain/viewer/map_drawing.ts";
import { CLOSEST_ZOOM } from "../../../server/domain/viewer/map_tile.ts";
import { boundsOf, type CarPlace, type MapTrack } from "../../../server/domain/viewer/map_track.ts";
import type { SpeedScale } from "../../../server/domain/viewer/speed_ramp.ts";
import { carElement } from "./car_element.ts";
import { OwnStreets } from "./own_streets.ts";
import { StreetTiles } from "./street_tiles.ts";
import { type Drawing, type DrawnUntil, type Inks, type MapView, paintTrack, readInks } from "./track_painter.ts";

/** Events on the map. */
export interface MapListener {
  /** A hand or a key moved it. */
  readonly panned: () => void;
  /** The track was clicked where the car was at this time. */
  readonly clicked: (time: number) => void;
  /** Metres of a pixel, in the middle. */
  readonly scaled: (metersPerPixel: number) => void;
  readonly streetsFailed: (sentence: string | null) => void;
}

/** Pixels of a tile at zoom 0, which is the whole world. */
const WORLD_PIXELS = 256;
/** A click this near to the track means it: a finger's breadth. */
const NEAR_PIXELS = 16;
const FIT_PADDING = 28;
/** Padding of a small map, as a share. */
const MOST_PADDING = 0.18;
/** Pixels under its buttons: at the left of a small map, at the top of a large one. */
const TOOLS_PIXELS = 44;
const CLOSEST_FIT = 17;
/** While it is followed the car stays within the middle part of the map. */
const FOLLOW_MARGIN = 0.28;
/** A track grows this often while it plays: each frame would cost more than it shows, since the car hides its end. */
const GROWTH_MS = 500;
/** A longer step is a jump, which is drawn at once. */
const FAR_SECONDS = 1;
const EQUATOR_METERS = 40_075_017;

/** A track on a ground that can be moved, with the car on it and streets under it when they are allowed. */
export class TrackMap {
  readonly #host: HTMLElement;
  readonly #map: LeafletMap;
  readonly #canvas: HTMLCanvasElement;
  readonly #car: SVGSVGElement;
  readonly #listener: MapListener;
  readonly #inks: Inks;
  #track: MapTrack | null = null;
  #drawing: Drawing | null = null;
  #bounds: LatLngBounds | null = null;
  #place: CarPlace | null = null;
  #time = 0;
  #until: DrawnUntil | null = null;
  #streets: StreetTiles | OwnStreets | null = null;
  /** The view is as it was fitted: a change of size fits it anew. */
  #isFitted = true;
  #covered = 0;
  #drawnAt = 0;
  #drawnTime = 0;

  constructor(host: HTMLElement, listener: MapListener) {
    this.#host = host;
    this.#listener = listener;
    this.#inks = readInks(host);
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    // The drawing keeps in step with the hand; a view that flies to another zoom would leave it behind.
    const animation = { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: !isStill };
    this.#map = new Ground(host, {
      ...animation,
      zoomSnap: 0.25,
      minZoom: 1,
      maxZoom: CLOSEST_ZOOM,
      trackResize: false,
    });
    this.#canvas = document.createElement("canvas");
    this.#canvas.className = "map-track";
    this.#car = carElement();
    host.append(this.#canvas, this.#car);
    this.#map.setView([0, 0], 2);
    this.#map.on("move zoom viewreset", () => this.#draw());
    this.#map.on("moveend zoomend", () => this.#tellScale());
    this.#map.on("dragstart", () => this.#moved());
    this.#map.on("zoomstart", () => {
      this.#isFitted = false;
    });
    this.#map.on("click", (event) => this.#clicked(event));
    this.#map.on("mousemove", (event) => this.#pointed(event));
  }

  /** Another trip's track, which is looked at as a whole, or more of the same trip's. */
  show(track: MapTrack, scale: SpeedScale, events: readonly CarPlace[], isOther: boolean): void {
    this.#track = track;
    const places = events.map(({ lat, lon }) => flatPlace(lat, lon));
    this.#drawing = { flat: flatTrackOf(track), runs: speedRunsOf(track, scale), events: places };
    if (isOther) this.fit();
    else this.#draw();
  }

  /**
   * @param place where the car is
   * @param until the time up to which the track is drawn in colour; null for all of it
   */
  move(time: number, place: CarPlace, until: number | null, follows: boolean): void {
    this.#time = time;
    this.#place = place;
    const before = this.#until;
    this.#until = until === null ? null : this.#untilOf(until, time);
    if (follows && this.#follow()) return;
    const isFar = Math.abs(time - this.#drawnTime) > FAR_SECONDS || (until === null) !== (before === null);
    const isDue = until !== null && performance.now() - this.#drawnAt > GROWTH_MS;
    if (isFar || isDue) this.#draw();
    else this.#moveCar(this.#view());
  }

  /** Looks at the whole track. */
  fit(): void {
    if (this.#track === null) return;
    const { south, west, north, east } = boundsOf(this.#track);
    const { x: width, y: height } = this.#map.getSize();
    const padding = Math.min(FIT_PADDING, Math.min(width, height) * MOST_PADDING);
    const isLarge = this.#host.closest(".map-big") !== null;
    this.#map.fitBounds(
      [
        [south, west],
        [north, east],
      ],
      {
        paddingTopLeft: isLarge ? [padding, padding + TOOLS_PIXELS] : [padding + TOOLS_PIXELS, padding],
        paddingBottomRight: [padding, padding + this.#covered],
        maxZoom: CLOSEST_FIT,
        animate: false,
      },
    );
    this.#bounds = this.#map.getBounds();
    this.#isFitted = true;
    this.#draw();
    this.#tellScale();
  }

  /** Brings the car to the middle, unless the whole track is in view. */
  center(): void {
    if (this.#place && !this.#isWhole()) this.#map.panTo([this.#place.lat, this.#place.lon], { animate: false });
  }

  zoom(by: 1 | -1): void {
    this.#map.setZoom(this.#map.getZoom() + by, { animate: false });
  }

  pan(x: number, y: number): void {
    this.#moved();
    this.#map.panBy([x, y], { animate: false });
  }

  /** Its element has another size. */
  resized(): void {
    // Between two trips, and where there is no track, it is not shown.
    if (this.#host.clientWidth === 0 || this.#host.clientHeight === 0) return;
    const isFitted = this.#isFitted;
    this.#map.invalidateSize({ animate: false, pan: false });
    if (isFitted) this.fit();
    else this.#draw();
  }

  /** Covers so many pixels at its lower end. */
  setCovered(pixels: number): void {
    if (pixels === this.#covered) return;
    this.#covered = pixels;
    if (this.#isFitted) this.fit();
  }

  /** @param script address of the worker that draws streets from the own map file; null where they are pictures of a server */
  setStreets(isOn: boolean, script: string | null): void {
    if (isOn === (this.#streets !== null)) return;
    // Pictures are sharp at whole zooms only.
    this.#map.options.zoomSnap = isOn ? 1 : 0.25;
    if (isOn) {
      const { streetsFailed } = this.#listener;
      const streets = script === null ? new StreetTiles(streetsFailed) : new OwnStreets(script, streetsFailed);
      this.#streets = streets.addTo(this.#map);
      if (this.#isFitted) this.fit();
      else this.#map.setZoom(Math.round(this.#map.getZoom()), { animate: false });
    } else {
      this.#streets?.remove();
      this.#streets = null;
      this.#listener.streetsFailed(null);
    }
  }

  /** Asks once more for the streets that did not come. */
  retryStreets(): void {
    this.#streets?.redraw();
  }

  close(): void {
    this.#map.remove();
    this.#canvas.remove();
    this.#car.remove();
  }

  #moved(): void {
    this.#isFitted = false;
    this.#listener.panned();
  }

  #isWhole(): boolean {
    return this.#bounds !== null && this.#map.getBounds().contains(this.#bounds.pad(-FOLLOW_MARGIN / 2));
  }

  /** @returns whether the view was moved, and with it everything drawn */
  #follow(): boolean {
    const place = this.#place;
    if (place === null || this.#isWhole()) return false;
    const { x, y } = this.#map.latLngToContainerPoint([place.lat, place.lon]);
    const { x: width, y: height } = this.#map.getSize();
    const left = width * FOLLOW_MARGIN;
    const top = height * FOLLOW_MARGIN;
    if (x >= left && x <= width - left && y >= top && y <= height - top) return false;
    this.#map.panTo([place.lat, place.lon], { animate: false });
    return true;
  }

  #untilOf(until: number, time: number): DrawnUntil | null {
    const { t = [] } = this.#track ?? {};
    const at = t.findLastIndex((one) => one <= until);
    const place = this.#place;
    const car = place?.hasFix && time >= until ? flatPlace(place.lat, place.lon) : null;
    return { at, car };
  }

  #view(): MapView {
    const { x: width, y: height } = this.#map.getSize();
    const { x: left = 0, y: top = 0 } = this.#map.getPixelBounds().min ?? {};
    return { scale: WORLD_PIXELS * 2 ** this.#map.getZoom(), left, top, width, height };
  }

  #draw(): void {
    const view = this.#view();
    const brush = this.#brush(view);
    [this.#drawnAt, this.#drawnTime] = [performance.now(), this.#time];
    if (brush && this.#drawing) paintTrack(brush, this.#drawing, view, this.#inks, this.#until);
    this.#moveCar(view);
  }

  #brush({ width, height }: MapView): CanvasRenderingContext2D | null {
    const canvas = this.#canvas;
    const [wide, high] = [width * devicePixelRatio, height * devicePixelRatio].map(Math.round) as [number, number];
    if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
    const brush = canvas.getContext("2d");
    brush?.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    return brush;
  }

  #moveCar(view: MapView): void {
    const place = this.#place;
    this.#car.toggleAttribute("hidden", place === null);
    if (place === null) return;
    const { x, y } = flatPlace(place.lat, place.lon);
    const left = x * view.scale - view.left;
    const top = y * view.scale - view.top;
    this.#car.style.transform = `translate(${left}px, ${top}px)`;
    this.#car.classList.toggle("is-lost", !place.hasFix);
    this.#car.firstElementChild?.setAttribute("transform", `rotate(${Math.round(place.course)})`);
  }

  #tellScale(): void {
    const { lat } = this.#map.getCenter();
    const world = WORLD_PIXELS * 2 ** this.#map.getZoom();
    this.#listener.scaled((EQUATOR_METERS * Math.cos((lat * Math.PI) / 180)) / world);
  }

  #timeAt({ containerPoint }: LeafletMouseEvent): number | null {
    if (this.#drawing === null) return null;
    const { scale, left, top } = this.#view();
    const x = (containerPoint.x + left) / scale;
    const y = (containerPoint.y + top) / scale;
    return timeNear(this.#drawing.flat, { x, y, most: NEAR_PIXELS / scale, time: this.#time });
  }

  #clicked(event: LeafletMouseEvent): void {
    const time = this.#timeAt(event);
    if (time !== null) this.#listener.clicked(time);
  }

  #pointed(event: LeafletMouseEvent): void {
    this.#host.classList.toggle("is-over-track", this.#timeAt(event) !== null);
  }
}
