import { boxAround, isNamed } from "../../domain/places/place_name.ts";
import { readMapBox } from "../../domain/places/map_box.ts";
import type { MomentKind } from "../../domain/places/moments.ts";
import { cameraDay, clipName } from "../../domain/recordings/camera_clock.ts";
import { dateOf } from "../../domain/recordings/recording_name.ts";
import type { OwnPlace } from "../../domain/settings/own_places.ts";
import { counted, formatCount } from "../../domain/text/format.ts";
import type { ZoneTime } from "../../domain/text/zone_time.ts";
import type { SearchResult } from "../../domain/viewer/search_schema.ts";
import { viewerPath } from "../../domain/viewer/viewer_address.ts";
import type { OpenPlaces } from "./open_places.ts";
import type { PlaceNames } from "./place_names.ts";
import type { VisitedTown } from "./visited_towns.ts";

/** A camera, as far as it has been somewhere. */
export interface PlacedParts {
  readonly places: () => Promise<Pick<OpenPlaces, "places" | "visited">>;
  readonly placeNames: () => Promise<Pick<PlaceNames, "own" | "towns">>;
  readonly zone: ZoneTime;
  readonly clock: { now(): number };
}

type Found = Omit<SearchResult, "camera">;

/** Fewest letters by which a place is looked for. */
const SHORTEST = 2;
const TOWNS_TOLD = 3;
const OWN_TOLD = 3;
/** Passes that are counted; it takes longer where more are. */
const MOST_PASSES = 50;
/** A town without suburbs reaches so far; each time its inhabitants double a sixth more. */
const TOWN_METERS = 1000;
const TOWN_GROWS = 1.16;
/** Beside a box so much of the map is shown around it. */
const SHOWN = 3;
const ANY_DAY = { from: null, to: null };

/** Places of the owner's own and towns that the car has been to, by what was typed of their names. */
export async function placesFound(
  apps: readonly PlacedParts[],
  typed: string,
  camera: string | null,
): Promise<Found[]> {
  const [first] = apps;
  if (typed.trim().length < SHORTEST || first === undefined) return [];
  const names = await first.placeNames();
  const own = names.own.filter(({ name }) => isNamed(name, typed)).slice(0, OWN_TOLD);
  const found: Found[] = [];
  for (const place of own) found.push(await ownFound(apps, place, camera));
  const towns = await Promise.all(apps.map(async (app) => (await app.places()).visited.all(await names.towns())));
  const sum = new Map<string, VisitedTown>();
  for (const town of towns.flat().filter(({ name }) => isNamed(name, typed))) {
    const key = `${town.lat} ${town.lon}`;
    const known = sum.get(key);
    const last = known && known.last > town.last ? known.last : town.last;
    sum.set(key, known ? { ...known, trips: known.trips + town.trips, last } : town);
  }
  const most = [...sum.values()].sort((one, other) => other.trips - one.trips).slice(0, TOWNS_TOLD);
  for (const { name, size, trips, last, ...place } of most)
    found.push({
      group: "place",
      title: name,
      detail: `${counted(trips, "trip")}, the last on ${dayName(first, last)}`,
      href: mapPath(
        boxAround(place, TOWN_METERS * TOWN_GROWS ** size),
        place,
        TOWN_METERS * TOWN_GROWS ** size,
        camera,
      ),
    });
  return found;
}

async function ownFound(apps: readonly PlacedParts[], place: OwnPlace, camera: string | null): Promise<Found> {
  const box = boxAround(place, place.radius);
  const read = readMapBox(box);
  const counts = await Promise.all(
    apps.map(async (app) => {
      const { places } = await app.places();
      return read === null ? 0 : (await places.passes(read, ANY_DAY, null, MOST_PASSES)).length;
    }),
  );
  const count = counts.reduce((sum, one) => sum + one, 0);
  const passes =
    count > MOST_PASSES ? `more than ${formatCount(MOST_PASSES)} passes` : counted(count, "pass", "passes");
  return {
    group: "place",
    title: place.name,
    detail: `Your own place, ${passes}`,
    href: mapPath(box, place, place.radius, camera),
  };
}

/** The map with what is around a place, and a box on the place itself. @param camera whose passes are listed; null for all */
function mapPath(box: string, place: { lat: number; lon: number }, meters: number, camera: string | null): string {
  const whose = camera === null ? "" : `&whose=${camera}`;
  return `/map?bbox=${boxAround(place, meters * SHOWN)}&box=${box}${whose}`;
}

/** Names of moments as people look for them. */
const MOMENTS: readonly (readonly [kind: MomentKind, name: string, words: string])[] = [
  ["impact", "Strongest impact", "impact crash hit collision moments"],
  ["brake", "Last hard braking", "braking brake braked moments"],
  ["accelerate", "Last fast acceleration", "acceleration accelerating speeding up moments"],
  ["turn", "Last fast turn", "turn turned turning swerve cornering moments"],
  ["bump", "Last bump in the road", "bump pothole moments"],
  ["parked_bump", "Last knock while parked", "knock bump parked hit moments"],
];

/** Moments of the kinds that are meant: of each the newest, of impacts the strongest. */
export async function momentsFound(app: PlacedParts, typed: string): Promise<Found[]> {
  if (typed.trim().length < SHORTEST) return [];
  const meant = MOMENTS.filter(([, name, words]) => isNamed(`${name} ${words}`, typed));
  if (meant.length === 0) return [];
  const { places } = await app.places();
  const { zone, clock } = app;
  const { year } = zone.wall(clock.now());
  const found: Found[] = [];
  for (const [kind, title] of meant) {
    const order = kind === "impact" ? ("strength" as const) : ("time" as const);
    const [moment] = await places.moments({ ...ANY_DAY, kinds: [kind], min: 0, order, after: null, limit: 1 });
    if (moment === undefined) continue;
    const detail = `${clipName(moment.key, year, zone.format)}, ${moment.strength.toFixed(2)}\u00a0g`;
    found.push({ group: "kind", title, detail, href: viewerPath(moment.key, moment.seconds) });
  }
  return found;
}

function dayName({ zone, clock }: PlacedParts, key: string): string {
  return cameraDay(dateOf(key), zone.wall(clock.now()).year, zone.format);
}
