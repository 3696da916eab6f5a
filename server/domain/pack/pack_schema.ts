import * as v from "valibot";
import { count, number, orNull, text, whole } from "../answers/answer_fields.ts";

const PART = v.object({ files: whole("How many"), bytes: count });

/** Facts about a pack that need no byte of its files. */
export const PACK_FACTS = v.object({
  starts_at: text("Camera time that it covers, ISO 8601 without an offset"),
  ends_at: text("To this one"),
  seconds: number("Between the two"),
  directions: text("Letters of the cameras that are in it, such as `FR`"),
  originals: v.pipe(PART, v.description("Whole files of the camera")),
  films: v.pipe(PART, v.description("One for each camera, as far as there can be one")),
  pictures: v.pipe(PART, v.description("Thumbnails, and pictures that were kept")),
  bytes: whole("Of all of these; track, report and lists are some hundred kilobytes more"),
  cannot: v.pipe(
    v.array(v.object({ direction: text("Letter of the camera"), reason: text("As a sentence") })),
    v.description("Cameras whose film does not reach the end of the pack, or that have none"),
  ),
  is_long: v.pipe(v.boolean(), v.description("For the police: more than the ten minutes that most of them take")),
  hand_in_days: orNull(count, "For the police: days after the moment to hand it in; null for others"),
  hand_in_by: orNull(v.string(), "The last of these days, `YYYY-MM-DD`"),
  days_left: orNull(v.number(), "Until then: 0 on the last day, negative after it"),
});
export type PackFacts = v.InferOutput<typeof PACK_FACTS>;
