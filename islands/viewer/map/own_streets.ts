import type { Coords, DoneCallback, Map as LeafletMap } from "leaflet";
import { GridLayer } from "leaflet/src/layer/tile/GridLayer.js";
import { CLOSEST_ZOOM } from "../../../server/domain/viewer/map_tile.ts";
import { OWN_SIDE } from "../../own_map/messages.ts";
import { OwnMap } from "../../own_map/own_map.ts";

/** Streets from the own map file. */
export class OwnStreets extends GridLayer {
  readonly #map: OwnMap;

  /**
   * @param script address of the worker that draws them
   * @param onProblem told why a square that is in sight could not be drawn, and null as soon as there is none such
   */
  constructor(script: string, onProblem: (sentence: string | null) => void) {
    super({ maxZoom: CLOSEST_ZOOM, keepBuffer: 1, updateWhenIdle: true, tileSize: OWN_SIDE });
    // The ground of the viewer's map is dark in both themes.
    this.#map = new OwnMap(script, true, onProblem);
    this.on("tileunload", ({ tile }) => this.#map.drop(tile));
  }

  override onAdd(map: LeafletMap): this {
    super.onAdd(map);
    // Pictures of servers are made for white paper.
    this.getPane()?.style.setProperty("filter", "none");
    return this;
  }

  override onRemove(map: LeafletMap): this {
    this.getPane()?.style.removeProperty("filter");
    super.onRemove(map);
    this.#map.close();
    return this;
  }

  override redraw(): this {
    this.#map.begin(true);
    return this;
  }

  protected override createTile({ x, y, z }: Coords, done: DoneCallback): HTMLElement {
    // Twice as large as Leaflet's own, it is one of the zoom before.
    const square = this.#map.square({ x, y, z: z - 1 }, (error) => done(error, square));
    return square;
  }
}
