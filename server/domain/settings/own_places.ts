import * as v from "valibot";
import { withoutDirectionMarks } from "../text/direction_marks.ts";
import type { Kind } from "./field.ts";
import { filledProblem } from "./field_kinds.ts";

/** A place that the owner has named. */
export interface OwnPlace {
  readonly name: string;
  /** Decimal degrees, north and east positive. */
  readonly lat: number;
  readonly lon: number;
  /** Metres around it that belong to it. */
  readonly radius: number;
}

export const MOST_PLACES = 200;
export const LONGEST_PLACE_NAME = 80;
export const RADIUS = { min: 20, max: 5000, usual: 150 } as const;

/** Places of one's own. No message repeats a value: a place says where people live. */
export function ownPlaces(): Kind<readonly OwnPlace[]> {
  return {
    check: v.pipe(
      v.array(OWN_PLACE, "must be a list of places"),
      v.maxLength(MOST_PLACES, `must have at most ${MOST_PLACES} places`),
      v.readonly(),
    ),
    widget: { kind: "page", values: `a list of places: \`name\`, \`lat\`, \`lon\`, \`radius\`` },
  };
}

const NAME_RULE = `must be text of 1 to ${LONGEST_PLACE_NAME} characters in one line`;

function within(min: number, max: number) {
  const message = `must be a number from ${min} to ${max}`;
  return v.pipe(v.number(message), v.finite(message), v.minValue(min, message), v.maxValue(max, message));
}

const OWN_PLACE = v.pipe(
  v.object(
    {
      name: v.pipe(
        v.string(NAME_RULE),
        v.maxLength(4 * LONGEST_PLACE_NAME, NAME_RULE),
        v.transform((text) => withoutDirectionMarks(text).trim()),
        v.check((text) => filledProblem(text) === null, NAME_RULE),
        v.maxLength(LONGEST_PLACE_NAME, NAME_RULE),
      ),
      lat: within(-90, 90),
      lon: within(-180, 180),
      radius: within(RADIUS.min, RADIUS.max),
    },
    "must be an object with name, lat, lon and radius",
  ),
  v.transform((place): OwnPlace => Object.freeze(place)),
);
