import { CLOSEST_ZOOM } from "../../server/domain/viewer/map_tile.ts";
import { reached } from "../browser/address.ts";
import type { SquarePlace } from "../own_map/messages.ts";
import { type FlatBox, type MapSize, type MapView, scaleOf, WORLD_PIXELS } from "./map_view.ts";

/** Pixels by which squares lie over each other: between half pixels the ground would be seen. */
const SEAM = 0.6;

/** Makes squares of the street map. */
export interface SquareSource {
  /** Pixels of a square's side, where it is neither larger nor smaller than it was made. */
  readonly side: number;
  /** @param shown called when there is something to see in it */
  readonly make: (place: SquarePlace, shown: () => void) => HTMLElement;
  readonly drop: (square: HTMLElement) => void;
  readonly themeChanged: () => void;
  readonly close: () => void;
}

/** Pictures of streets, asked of our own server. */
export class ServerSquares implements SquareSource {
  readonly side = WORLD_PIXELS;
  readonly #onProblem: (sentence: string | null) => void;

  /** @param onProblem told when a square did not come, and null when one comes again */
  constructor(onProblem: (sentence: string | null) => void) {
    this.#onProblem = onProblem;
  }

  make({ z, x, y }: SquarePlace, shown: () => void): HTMLElement {
    const image = document.createElement("img");
    // Decoration: the drives are told in words.
    image.alt = "";
    image.decoding = "async";
    image.addEventListener("load", () => {
      shown();
      this.#onProblem(null);
    });
    image.addEventListener("error", () => this.#onProblem("Some pictures of streets did not come."));
    image.src = reached(`/tiles/${z}/${x}/${y}`);
    return image;
  }

  drop(square: HTMLElement): void {
    square.removeAttribute("src");
  }

  themeChanged(): void {}

  close(): void {}
}

/** Squares of the street map below the drives. Without the owner's consent there are none. */
export class StreetSquares {
  readonly #host: HTMLElement | null;
  readonly #source: SquareSource;
  /** All squares lie on it, and are moved with it: one layer moves faster than many. */
  readonly #sheet = document.createElement("div");
  readonly #squares = new Map<string, HTMLElement>();
  /** The square at the left upper corner of the sheet. */
  #first: SquarePlace = { z: 0, x: 0, y: 0 };
  #view: MapView | null = null;
  #size: MapSize = { width: 0, height: 0 };

  /** @param host the element that has them; null where they are not wanted */
  constructor(host: HTMLElement | null, source: SquareSource) {
    this.#host = host;
    this.#source = source;
    this.#sheet.className = "mapv-sheet";
    host?.append(this.#sheet);
  }

  /** True where there are streets. */
  get isOnStreets(): boolean {
    return this.#host !== null;
  }

  /** Asks for the squares of a part of the world, and gives up all others. */
  lay({ zoom }: MapView, { left, top, right, bottom }: FlatBox): void {
    if (this.#host === null) return;
    const steps = Math.log2(this.#source.side / WORLD_PIXELS);
    const z = Math.max(0, Math.min(CLOSEST_ZOOM, Math.round(zoom)) - steps);
    const wide = 2 ** z;
    const wanted = new Set<string>();
    for (let y = Math.max(0, Math.floor(top * wide)); y < Math.min(wide, bottom * wide); y++)
      for (let x = Math.floor(left * wide); x < right * wide; x++) wanted.add(`${z}/${x}/${y}`);
    for (const [place, square] of this.#squares) {
      if (wanted.has(place)) continue;
      this.#source.drop(square);
      square.remove();
      this.#squares.delete(place);
    }
    for (const place of wanted) if (!this.#squares.has(place)) this.#squares.set(place, this.#square(place));
    this.#first = { z, x: Math.floor(left * wide), y: Math.max(0, Math.floor(top * wide)) };
    for (const [place, square] of this.#squares) this.#lay(place, square);
    if (this.#view) this.place(this.#view, this.#size);
  }

  /** Moves the squares to where they lie now. */
  place(view: MapView, size: MapSize): void {
    this.#view = view;
    this.#size = size;
    const scale = scaleOf(view);
    const { z, x, y } = this.#first;
    const side = scale / 2 ** z;
    const left = x * side - view.x * scale + size.width / 2;
    const top = y * side - view.y * scale + size.height / 2;
    this.#sheet.style.transform = `translate(${left}px, ${top}px) scale(${side / this.#source.side})`;
  }

  #lay(place: string, square: HTMLElement): void {
    const [, x = 0, y = 0] = place.split("/").map(Number);
    const { side } = this.#source;
    const [left, top] = [(x - this.#first.x) * side, (y - this.#first.y) * side];
    square.style.transform = `translate(${left}px, ${top}px) scale(${1 + SEAM / side})`;
  }

  close(): void {
    this.#sheet.remove();
    this.#squares.clear();
    this.#source.close();
  }

  #square(place: string): HTMLElement {
    const [z = 0, x = 0, y = 0] = place.split("/").map(Number);
    const wide = 2 ** z;
    const square = this.#source.make({ z, x: ((x % wide) + wide) % wide, y }, () => square.classList.add("is-here"));
    square.classList.add("mapv-square");
    square.style.width = `${this.#source.side}px`;
    square.style.height = square.style.width;
    this.#sheet.append(square);
    return square;
  }
}
