import * as v from "valibot";
import { orNull } from "../domain/answers/answer_fields.ts";
import { isDay } from "../domain/recordings/camera_clock.ts";
import { lettersOf, ONLY } from "../domain/viewer/list_filter.ts";
import { refusedAs } from "../http/request/read_request.ts";

const letters = (description: string) =>
  v.pipe(
    v.nullable(v.string()),
    v.transform(lettersOf),
    v.description(`${description}; what is no letter does not count`),
  );

/** Parameters that narrow a list of the viewer. */
export const FILTER = {
  types: letters("Only clips of these types, such as `E,M`"),
  cameras: letters("Only clips with one of these cameras, such as `R`"),
  only: v.pipe(
    v.fallback(v.nullable(v.picklist(ONLY)), null),
    v.description("`kept`, or `due`: what the next scheduled run would delete"),
  ),
};

const NO_DAY = "The date must be YYYY-MM-DD";

/** A day of the calendar. */
export function day(description: string) {
  const text = v.pipe(v.string(), v.regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, NO_DAY), v.check(isDay, NO_DAY));
  return v.pipe(orNull(text, description), refusedAs("INVALID_DATE", "date"));
}

/** A day of the camera's calendar. */
export const DATE = day("`YYYY-MM-DD`; the newest day when it is left out");
