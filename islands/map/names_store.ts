import { type Signal, signal } from "@preact/signals";
import type { MapName, MapNames } from "../../server/domain/places/places_schema.ts";
import { send } from "../browser/client.ts";
import { boxText, earthBoxOf, type FlatBox, flatBoxOf, type MapSize, type MapView } from "./map_view.ts";

/** Part of the map's size that is asked for beyond each edge: as far as it is painted. */
const BEYOND = 0.35;
/** Time after the last movement of the map. */
const CALM_MS = 250;
/** The map has other names when it is so many steps closer or farther. */
const STEPS = 0.5;

/** Names of towns and of own places on the part of the map that is shown. */
export class NamesStore {
  readonly names: Signal<readonly MapName[]> = signal([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: AbortController | null = null;
  /** The part of the world that the names are of. */
  #known: { readonly box: FlatBox; readonly zoom: number } | null = null;

  /** Asks for the names of what is shown, as soon as the map is calm, unless they are here. */
  follow(view: MapView, size: MapSize): void {
    clearTimeout(this.#timer);
    const seen = flatBoxOf(view, size);
    const known = this.#known;
    if (known && Math.abs(known.zoom - view.zoom) < STEPS && isWithin(seen, known.box)) return;
    this.#timer = setTimeout(() => void this.#load(view, size), CALM_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting?.abort();
  }

  async #load(view: MapView, size: MapSize): Promise<void> {
    this.#waiting?.abort();
    const waiting = new AbortController();
    this.#waiting = waiting;
    const box = flatBoxOf(view, size, BEYOND);
    try {
      const address = `/api/map/names?bbox=${boxText(earthBoxOf(box))}` as const;
      const { names } = await send<MapNames>(`GET ${address}`, undefined, waiting.signal);
      if (waiting.signal.aborted) return;
      this.#known = { box, zoom: view.zoom };
      this.names.value = names;
    } catch {
      // The map does without names: what is wrong is told with the drives.
    }
  }
}

function isWithin(inner: FlatBox, outer: FlatBox): boolean {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  );
}
