import { PlacesDatabase } from "../../store/config/places_database.ts";
import { Places } from "./places.ts";
import { PlacesFiller, type PlacesFillerParts } from "./places_filler.ts";
import { VisitedTowns } from "./visited_towns.ts";

interface Parts extends Omit<PlacesFillerParts, "database"> {
  /** The id of the camera. */
  readonly camera: string;
  readonly path: string;
  readonly library: PlacesFillerParts["library"] & ConstructorParameters<typeof Places>[0]["library"];
}

/** The places of one camera's recordings, and what looks for them. */
export interface OpenPlaces {
  readonly places: Places;
  readonly filler: PlacesFiller;
  /** Towns that the car has been to. */
  readonly visited: VisitedTowns;
  close(): Promise<void>;
}

export function openPlaces({ camera, path, ...parts }: Parts): OpenPlaces {
  const database = new PlacesDatabase({ path, log: parts.log });
  const filler = new PlacesFiller({ ...parts, database });
  return {
    places: new Places({ camera, database, filler, library: parts.library }),
    filler,
    visited: new VisitedTowns({ database, clock: parts.clock }),
    async close() {
      await filler.close();
      database.close();
    },
  };
}
