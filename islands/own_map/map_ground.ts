import { PMTiles, SharedPromiseCache } from "pmtiles";
import { Labelers, PmtilesSource, type PreparedTile, paint, Static, TileCache, View } from "protomaps-leaflet";
import { type FileParts, unpacked } from "./file_parts.ts";
import { type MapLook, OWN_SIDE, type SquarePlace } from "./messages.ts";

/** Pixels around a square in which a line may begin. */
const AROUND = 16;
/** Zoom of what is drawn in a square of zoom 0: the library counts in squares of 256 pixels. */
const STEPS = 1;
/** Tiles of one zoom whose names are laid out together: more than a large screen shows. */
const MOST_LABELLED = 64;

type StaticOptions = ConstructorParameters<typeof Static>[0];

/** The map that is in a file. */
export class MapGround {
  readonly #side: number;
  readonly #style: Static;
  readonly #view: View;
  readonly #labels: Labelers;

  private constructor(file: PMTiles, closest: number, look: MapLook, onAgain: (keys: ReadonlySet<string>) => void) {
    this.#side = look.side;
    const options: StaticOptions = {
      // It has a version of its own of the same class.
      url: file as unknown as NonNullable<StaticOptions["url"]>,
      flavor: look.isDark ? "dark" : "light",
      lang: look.language,
    };
    this.#style = new Static(options);
    const source = new PmtilesSource(file as unknown as ConstructorParameters<typeof PmtilesSource>[0], false);
    this.#view = new View(new TileCache(source, OWN_SIDE), closest, STEPS);
    const scratch = brushOf(new OffscreenCanvas(1, 1));
    this.#labels = new Labelers(scratch, this.#style.labelRules, MOST_LABELLED, (keys) => onAgain(squaresOf(keys)));
  }

  /** @param onAgain told whose pictures a name of another square reaches into, by `keyOf` */
  static async open(parts: FileParts, look: MapLook, onAgain: (keys: ReadonlySet<string>) => void): Promise<MapGround> {
    const file = new PMTiles(parts, new SharedPromiseCache(undefined, undefined, unpacked), unpacked);
    const { maxZoom } = await file.getHeader();
    return new MapGround(file, maxZoom, look, onAgain);
  }

  /** Draws a square as soon as its tile is here. @param isWanted asked then */
  async draw(place: SquarePlace, isWanted: () => boolean): Promise<ImageBitmap | null> {
    const z = place.z + STEPS;
    const tile = await this.#view.getDisplayTile({ z, x: place.x << STEPS, y: place.y << STEPS });
    if (!isWanted()) return null;
    const tiles = new Map<string, PreparedTile[]>([["", [tile]]]);
    this.#labels.add(z, tiles);
    const canvas = new OffscreenCanvas(this.#side, this.#side);
    const brush = brushOf(canvas);
    const scale = this.#side / OWN_SIDE;
    brush.setTransform(scale, 0, 0, scale, 0, 0);
    const { backgroundColor: ground, paintRules } = this.#style;
    if (ground !== undefined) {
      brush.fillStyle = ground;
      brush.fillRect(0, 0, OWN_SIDE, OWN_SIDE);
    }
    const [left, top] = [OWN_SIDE * place.x, OWN_SIDE * place.y];
    const [right, bottom] = [left + OWN_SIDE, top + OWN_SIDE];
    const box = { minX: left - AROUND, minY: top - AROUND, maxX: right + AROUND, maxY: bottom + AROUND };
    const origin = tile.origin.clone();
    [origin.x, origin.y] = [left, top];
    paint(brush, z, tiles, this.#labels.getIndex(z) ?? null, paintRules, box, origin, false);
    return canvas.transferToImageBitmap();
  }
}

/** Squares in which those of the library lie. */
function squaresOf(keys: ReadonlySet<string>): ReadonlySet<string> {
  const places = [...keys].map((key) => key.split(":").map(Number));
  return new Set(places.map(([x = 0, y = 0, z = 0]) => keyOf({ x: x >> STEPS, y: y >> STEPS, z: z - STEPS })));
}

/** As `MapGround` names a square. */
export const keyOf = ({ x, y, z }: SquarePlace) => `${x}:${y}:${z}`;

/** A context as the library takes it, which uses nothing that only a page has. */
function brushOf(canvas: OffscreenCanvas): CanvasRenderingContext2D {
  const brush = canvas.getContext("2d");
  if (brush === null) throw new Error("This browser cannot draw.");
  return brush as unknown as CanvasRenderingContext2D;
}
