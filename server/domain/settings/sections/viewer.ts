import { field, section } from "../field.ts";
import { choice, flag, nullableText, text, whole } from "../field_kinds.ts";
import { mapFileNameProblem } from "../map_file_name.ts";
import { tileAddressProblem, withoutKeys } from "../tile_address.ts";

export const VIEWER = section("immediate", "Viewer", {
  journey_mode: field(
    choice(["progressive", "full"], { progressive: "Grows while the trip plays", full: "All of it at once" }),
    "full",
    { label: "Track of a trip", help: "How the track on the map and the curves on the time line are drawn." },
  ),
  speed_unit: field(choice(["kmh", "mph"], { kmh: "km/h", mph: "mph" }), "kmh", {
    label: "Speed in",
    help: "The unit of all speeds in the viewer.",
  }),
  continuous_play: field(flag("On, the next trip follows", "Off, playing ends with the trip"), false, {
    label: "Play trip after trip",
    help: "The next trip plays by itself. Within a trip every clip plays, whatever its kind.",
  }),
  trip_gap_minutes: field(whole(1, 120), 5, {
    label: "New trip after",
    unit: "min",
    help: "A longer break without a recording begins a new trip in the viewer.",
  }),
  map_tiles: field(flag("On, streets are shown", "Off, the track alone"), false, {
    label: "Street map",
    help: "Show streets under the track. The map pictures come from the tile address. Its owner can see where you drove.",
  }),
  tile_url: field(text(tileAddressProblem), "https://tile.openstreetmap.org/{z}/{x}/{y}.png", {
    label: "Tile address",
    help: "Map pictures come from this address. {z}, {x} and {y} stand for zoom, column and row.",
    rare: true,
    shownAs: withoutKeys,
  }),
  map_file: field(nullableText(mapFileNameProblem), null, {
    label: "Own map file",
    help: "The name of a .pmtiles file in the config folder. Streets come from this file alone. No other server is asked.",
    empty: "none",
    page: { path: "/help/viewer#a-map-file-of-your-own", words: "How to make one" },
    rare: true,
  }),
});
