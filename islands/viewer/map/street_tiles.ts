import type { Coords, DoneCallback } from "leaflet";
import { GridLayer } from "leaflet/src/layer/tile/GridLayer.js";
import { CLOSEST_ZOOM } from "../../../server/domain/viewer/map_tile.ts";
import { reached } from "../../browser/address.ts";
import { refusalOf, sentenceOfError } from "../../browser/client.ts";

/** A browser has six connections to a server, and most of them are for the cameras. */
const MOST_AT_ONCE = 2;

interface Wanted {
  readonly path: string;
  readonly image: HTMLImageElement;
  readonly done: DoneCallback;
  readonly unwanted: AbortController;
}

/** The squares of the street map, asked of our own server a few at once and not when they are out of sight again. */
export class StreetTiles extends GridLayer {
  readonly #onProblem: (sentence: string | null) => void;
  readonly #queue: Wanted[] = [];
  readonly #wanted = new WeakMap<HTMLElement, Wanted>();
  /** Squares that are in sight and did not come. */
  readonly #failed = new Set<HTMLElement>();
  #running = 0;

  /** @param onProblem told why a square that is in sight did not come, and null as soon as there is none such */
  constructor(onProblem: (sentence: string | null) => void) {
    super({ maxZoom: CLOSEST_ZOOM, keepBuffer: 1, updateWhenIdle: true });
    this.#onProblem = onProblem;
    this.on("tileunload", ({ tile }) => this.#drop(tile));
  }

  protected override createTile({ x, y, z }: Coords, done: DoneCallback): HTMLElement {
    const image = document.createElement("img");
    // Decoration: the track is told in words.
    image.alt = "";
    const wanted = { path: `/tiles/${z}/${x}/${y}`, image, done, unwanted: new AbortController() };
    this.#wanted.set(image, wanted);
    this.#queue.push(wanted);
    // Not before this returns: the layer has to know its square before that is done.
    queueMicrotask(() => this.#go());
    return image;
  }

  #go(): void {
    while (this.#running < MOST_AT_ONCE) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      if (next.unwanted.signal.aborted) continue;
      this.#running++;
      void this.#load(next).finally(() => {
        this.#running--;
        this.#go();
      });
    }
  }

  async #load({ path, image, done, unwanted: { signal } }: Wanted): Promise<void> {
    try {
      const answer = await fetch(reached(path), { signal });
      if (!answer.ok) throw refusalOf(await answer.json().catch(() => null), answer.status);
      const address = URL.createObjectURL(await answer.blob());
      image.src = address;
      try {
        await image.decode();
      } finally {
        URL.revokeObjectURL(address);
      }
      done(undefined, image);
    } catch (error) {
      if (signal.aborted) return;
      this.#failed.add(image);
      this.#onProblem(sentenceOfError(error));
      done(error instanceof Error ? error : new Error(String(error)), image);
    }
  }

  #drop(tile: HTMLElement): void {
    this.#wanted.get(tile)?.unwanted.abort();
    if (this.#failed.delete(tile) && this.#failed.size === 0) this.#onProblem(null);
  }
}
