import type { Coords, DoneCallback, Map as LeafletMap } from "leaflet";
import { GridLayer } from "leaflet/src/layer/tile/GridLayer.js";
import { PMTiles } from "pmtiles";
import { Labelers, type PreparedTile, paint, Static, type View } from "protomaps-leaflet";
import { MAP_FILE_ADDRESS } from "../../../server/domain/viewer/map_file.ts";
import { CLOSEST_ZOOM } from "../../../server/domain/viewer/map_tile.ts";
import { reached } from "../../browser/address.ts";
import { refusalOf, sentenceOfError } from "../../browser/client.ts";

/** Pixels of a square's side, and pixels around it in which a line may begin. */
const SIDE = 256;
const AROUND = 16;
/** Squares of one zoom whose names are laid out together. */
const MOST_LABELLED = 16;
/** Tiles that hold lines and names, and no pictures, by the format of the file. */
const VECTOR_TILES = 1;
const DAMAGED = "The map file is damaged, or was made by a program that Dashdock does not know. Streets are not shown.";

interface Square {
  readonly coords: Coords;
  readonly canvas: HTMLCanvasElement;
  readonly done: DoneCallback;
}

interface Ground {
  readonly style: Static;
  readonly views: readonly (readonly [source: string, view: View])[];
  readonly labels: Labelers;
}

/** Streets that are drawn from the own map file; nothing of it comes from elsewhere. */
export class OwnStreets extends GridLayer {
  readonly #onProblem: (sentence: string | null) => void;
  /** Those in sight, by zoom and place. */
  readonly #squares = new Map<string, Square>();
  readonly #failed = new Set<HTMLElement>();
  #ground: Promise<Ground> | null = null;

  /** @param onProblem told why a square that is in sight could not be drawn, and null as soon as there is none such */
  constructor(onProblem: (sentence: string | null) => void) {
    super({ maxZoom: CLOSEST_ZOOM, keepBuffer: 1, updateWhenIdle: true, className: "own-streets" });
    this.#onProblem = onProblem;
    this.on("tileunload", ({ tile, coords }) => this.#drop(tile, coords));
  }

  override onAdd(map: LeafletMap): this {
    super.onAdd(map);
    // Drawn for a dark ground, while pictures of servers are made for white paper.
    this.getPane()?.style.setProperty("filter", "none");
    return this;
  }

  override onRemove(map: LeafletMap): this {
    this.getPane()?.style.removeProperty("filter");
    return super.onRemove(map);
  }

  protected override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const canvas = document.createElement("canvas");
    const square = { coords, canvas, done };
    this.#squares.set(keyOf(coords), square);
    // Not before this returns: the layer has to know its square before that is done.
    queueMicrotask(() => void this.#draw(square));
    return canvas;
  }

  override redraw(): this {
    // A file that was bad may be another one by now.
    this.#ground = null;
    return super.redraw();
  }

  async #draw(square: Square): Promise<void> {
    const { canvas, done } = square;
    try {
      this.#ground ??= this.#open();
      const ground = await this.#ground;
      await this.#paint(square, ground);
      if (this.#failed.delete(canvas) && this.#failed.size === 0) this.#onProblem(null);
      done(undefined, canvas);
    } catch (error) {
      if (!this.#isInSight(square)) return;
      this.#failed.add(canvas);
      this.#onProblem(await sentenceOf(error));
      done(error instanceof Error ? error : new Error(String(error)), canvas);
    }
  }

  async #open(): Promise<Ground> {
    const file = new PMTiles(reached(MAP_FILE_ADDRESS));
    const { tileType, maxZoom } = await file.getHeader();
    if (tileType !== VECTOR_TILES) throw new NoStreets();
    const options: StaticOptions = {
      // It asks a file for its tiles as this version, too.
      url: file as unknown as NonNullable<StaticOptions["url"]>,
      maxDataZoom: maxZoom,
      flavor: "dark",
      lang: document.documentElement.lang.slice(0, 2) || "en",
    };
    const style = new Static(options);
    const scratch = document.createElement("canvas").getContext("2d");
    if (scratch === null) throw new Error("This browser cannot draw.");
    const labels = new Labelers(scratch, style.labelRules, MOST_LABELLED, (changed) => this.#drawAgain(changed));
    return { style, views: [...style.views], labels };
  }

  async #paint(square: Square, { style, views, labels }: Ground): Promise<void> {
    const { coords, canvas } = square;
    const { x, y, z } = coords;
    const read = async ([source, view]: (typeof views)[number]): Promise<[string, PreparedTile[]]> => [
      source,
      [await view.getDisplayTile(coords)],
    ];
    const tiles = new Map(await Promise.all(views.map(read)));
    if (!this.#isInSight(square)) return;
    labels.add(z, tiles);
    const side = Math.round(SIDE * devicePixelRatio);
    [canvas.width, canvas.height] = [side, side];
    const brush = canvas.getContext("2d");
    if (brush === null) return;
    brush.setTransform(side / SIDE, 0, 0, side / SIDE, 0, 0);
    if (style.backgroundColor !== undefined) {
      brush.fillStyle = style.backgroundColor;
      brush.fillRect(0, 0, SIDE, SIDE);
    }
    const box = {
      minX: SIDE * x - AROUND,
      minY: SIDE * y - AROUND,
      maxX: SIDE * (x + 1) + AROUND,
      maxY: SIDE * (y + 1) + AROUND,
    };
    const origin = coords.multiplyBy(SIDE) as unknown as Parameters<typeof paint>[6];
    paint(brush, z, tiles, labels.getIndex(z) ?? null, style.paintRules, box, origin, false);
  }

  /** A name in a square further on reaches into these. */
  #drawAgain(keys: ReadonlySet<string>): void {
    for (const key of keys) {
      const square = this.#squares.get(key);
      if (square !== undefined) void this.#draw({ ...square, done: () => {} });
    }
  }

  #isInSight({ coords, canvas }: Square): boolean {
    return this.#squares.get(keyOf(coords))?.canvas === canvas;
  }

  #drop(tile: HTMLElement, coords: Coords): void {
    if (this.#squares.get(keyOf(coords))?.canvas === tile) this.#squares.delete(keyOf(coords));
    if (this.#failed.delete(tile) && this.#failed.size === 0) this.#onProblem(null);
  }
}

type StaticOptions = ConstructorParameters<typeof Static>[0];

class NoStreets extends Error {}

const keyOf = ({ x, y, z }: Coords) => `${x}:${y}:${z}`;

/** The service knows best why the file does not come. */
async function sentenceOf(error: unknown): Promise<string> {
  if (error instanceof NoStreets) return "The map file has pictures, and no streets. Make one as the guide says.";
  try {
    const answer = await fetch(reached(MAP_FILE_ADDRESS), { headers: { range: "bytes=0-15" } });
    if (!answer.ok) return sentenceOfError(refusalOf(await answer.json().catch(() => null), answer.status));
  } catch (problem) {
    return sentenceOfError(problem);
  }
  return DAMAGED;
}
