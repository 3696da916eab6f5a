import { CLOSEST_ZOOM } from "../../server/domain/viewer/map_tile.ts";
import { reached } from "../browser/address.ts";
import type { SquarePlace } from "../own_map/messages.ts";
import { type FlatBox, type MapSize, type MapView, scaleOf } from "./map_view.ts";

/** Pixels by which squares lie over each other: between half pixels the ground would be seen. */
const SEAM = 0.6;

/** Makes squares of the street map. */
export interface SquareSource {
  /** @param shown called when there is something to see in it */
  readonly make: (place: SquarePlace, shown: () => void) => HTMLElement;
  readonly drop: (square: HTMLElement) => void;
  readonly themeChanged: () => void;
  readonly close: () => void;
}

/** Pictures of streets, asked of our own server. */
export class ServerSquares implements SquareSource {
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
  readonly #squares = new Map<string, HTMLElement>();
  #view: MapView | null = null;
  #size: MapSize = { width: 0, height: 0 };

  /** @param host the element that has them; null where they are not wanted */
  constructor(host: HTMLElement | null, source: SquareSource) {
    this.#host = host;
    this.#source = source;
  }

  /** True where there are streets. */
  get isOnStreets(): boolean {
    return this.#host !== null;
  }

  /** Asks for the squares of a part of the world, and gives up all others. */
  lay({ zoom }: MapView, { left, top, right, bottom }: FlatBox): void {
    if (this.#host === null) return;
    const z = Math.max(0, Math.min(CLOSEST_ZOOM, Math.round(zoom)));
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
    if (this.#view) this.place(this.#view, this.#size);
  }

  /** Moves the squares to where they lie now. */
  place(view: MapView, size: MapSize): void {
    this.#view = view;
    this.#size = size;
    const scale = scaleOf(view);
    for (const [place, square] of this.#squares) {
      const [z = 0, x = 0, y = 0] = place.split("/").map(Number);
      const side = scale / 2 ** z;
      const left = x * side - view.x * scale + size.width / 2;
      const top = y * side - view.y * scale + size.height / 2;
      square.style.transform = `translate(${left}px, ${top}px) scale(${(side + SEAM) / 256})`;
    }
  }

  close(): void {
    for (const square of this.#squares.values()) square.remove();
    this.#squares.clear();
    this.#source.close();
  }

  #square(place: string): HTMLElement {
    const [z = 0, x = 0, y = 0] = place.split("/").map(Number);
    const wide = 2 ** z;
    const square = this.#source.make({ z, x: ((x % wide) + wide) % wide, y }, () => square.classList.add("is-here"));
    square.classList.add("mapv-square");
    this.#host?.append(square);
    return square;
  }
}
