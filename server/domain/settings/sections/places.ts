import { field, section } from "../field.ts";
import { flag } from "../field_kinds.ts";
import { ownPlaces } from "../own_places.ts";

export const PLACES = section("immediate", "Places", {
  list: field(ownPlaces(), [], {
    label: "Your places",
    help: "Trips are called by these, such as Home to Work. Elsewhere the nearest town gives the name. No map service is asked.",
    empty: "none",
    own: true,
    page: { path: "/settings/places", words: "Show and change your places" },
  }),
  in_messages: field(flag("On, messages tell where an event was", "Off, no place is in a message"), false, {
    label: "Place in messages",
    help: "Messages pass through services of other people. On, a message about an event names your own place or the town.",
  }),
});
