import { CLOSEST_ZOOM } from "../../server/domain/viewer/map_tile.ts";
import { reached } from "../browser/address.ts";
import { type FlatBox, type MapSize, type MapView, scaleOf } from "./map_view.ts";

/** Pixels by which squares lie over each other: between half pixels the ground would be seen. */
const SEAM = 0.6;

/** Squares of the street map below the drives, asked of our own server. Without the owner's consent there are none. */
export class StreetSquares {
  readonly #host: HTMLElement | null;
  readonly #onProblem: (isOne: boolean) => void;
  readonly #squares = new Map<string, HTMLImageElement>();
  #view: MapView | null = null;
  #size: MapSize = { width: 0, height: 0 };

  /**
   * @param host the element that has them; null where they are not wanted
   * @param onProblem told when a square did not come, and when one comes again
   */
  constructor(host: HTMLElement | null, onProblem: (isOne: boolean) => void) {
    this.#host = host;
    this.#onProblem = onProblem;
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
    for (const [place, image] of this.#squares) {
      if (wanted.has(place)) continue;
      image.removeAttribute("src");
      image.remove();
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
    for (const [place, image] of this.#squares) {
      const [z = 0, x = 0, y = 0] = place.split("/").map(Number);
      const side = scale / 2 ** z;
      const left = x * side - view.x * scale + size.width / 2;
      const top = y * side - view.y * scale + size.height / 2;
      image.style.transform = `translate(${left}px, ${top}px) scale(${(side + SEAM) / 256})`;
    }
  }

  close(): void {
    for (const image of this.#squares.values()) image.remove();
    this.#squares.clear();
  }

  #square(place: string): HTMLImageElement {
    const [z = 0, x = 0, y = 0] = place.split("/").map(Number);
    const wide = 2 ** z;
    const image = document.createElement("img");
    // Decoration: the drives are told in words.
    image.alt = "";
    image.width = 256;
    image.height = 256;
    image.decoding = "async";
    image.addEventListener("load", () => {
      image.classList.add("is-here");
      this.#onProblem(false);
    });
    image.addEventListener("error", () => this.#onProblem(true));
    image.src = reached(`/tiles/${z}/${((x % wide) + wide) % wide}/${y}`);
    this.#host?.append(image);
    return image;
  }
}
