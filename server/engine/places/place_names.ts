import { isWithin, type MapBox, turnsOf } from "../../domain/places/map_box.ts";
import { ownPlaceAt, tripName } from "../../domain/places/place_name.ts";
import type { MapName } from "../../domain/places/places_schema.ts";
import type { TownTable } from "../../domain/places/town_table.ts";
import type { OwnPlace } from "../../domain/settings/own_places.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Place } from "../../domain/viewer/fix_steps.ts";
import type { WayEnds } from "../../domain/viewer/trip_way.ts";

interface Parts {
  readonly settings: { readonly current: Pick<Settings, "places"> };
  /** Loads the towns, once. */
  readonly towns: () => Promise<TownTable>;
}

/** Names places by the owner's own and by the towns that come with the program. Nobody outside is asked. */
export class PlaceNames {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** All towns that have a name here. */
  towns(): Promise<TownTable> {
    return this.#parts.towns();
  }

  /** Places of the owner's own. */
  get own(): readonly OwnPlace[] {
    return this.#parts.settings.current.places.list;
  }

  /** The name of a place; null where nothing near has one. */
  async at(place: Place): Promise<string | null> {
    const own = ownPlaceAt(place, this.own);
    return own?.name ?? (await this.towns()).nearest(place)?.name ?? null;
  }

  /** Names for a part of the map: the owner's places, then the largest towns. At most so many. */
  async inBox(box: MapBox, most: number): Promise<MapName[]> {
    const { settings, towns } = this.#parts;
    const isIn = ({ lat, lon }: Place) =>
      turnsOf(box).some((turn) => isWithin({ west: lon, south: lat, east: lon, north: lat }, turn));
    const own = settings.current.places.list.filter(isIn).slice(0, most);
    const others = (await towns()).largestIn(box, most - own.length);
    return [
      ...own.map(({ name, lat, lon }) => ({ name, lat, lon, own: true })),
      ...others.map(({ name, lat, lon }) => ({ name, lat, lon, own: false })),
    ];
  }

  /** The name of a trip by where it begins and ends; null without a fix, and far from all towns. */
  async ofTrip(ends: WayEnds | null): Promise<string | null> {
    if (ends === null) return null;
    return tripName(await this.at(ends.first), await this.at(ends.last));
  }
}
