import * as v from "valibot";
import { count, moment, orNull, recordings, text, whole } from "../answers/answer_fields.ts";
import { CARD_SIGNS } from "./card_signs.ts";
import { REASONS_AGAINST } from "./safe_to_format.ts";

/** Shapes of the answers about the camera's card. A recording is one moment of one direction. */

const countOf = (description: string) => orNull(count, `${description}; null while that is not known`);

export const CARD_QUESTION = v.object({
  kind: v.pipe(v.picklist(["formatted", "other_card"]), v.description("The likelier answer")),
  since: v.pipe(moment, v.description("When a list showed it first")),
  recordings: v.pipe(recordings, v.description("Those of which only the answer tells whether they are lost")),
  sentence: text("The question"),
});
export type CardQuestionAnswer = v.InferOutput<typeof CARD_QUESTION>;

export const SIGN = v.object({
  sign: v.picklist(CARD_SIGNS),
  since: v.pipe(moment, v.description("The first case in the time that is judged")),
  sentence: text("What was found, and from what on it is a sign"),
});

export const CARD = v.object({
  safe_to_format: v.pipe(v.boolean(), v.description("Formatting the card now loses nothing that the rules want")),
  against: v.pipe(v.array(v.picklist(REASONS_AGAINST)), v.description("All that speaks against it")),
  listed_at: orNull(moment, "When the camera sent the last good list; null before the first one"),
  on_card: countOf("Recordings on the card by that list"),
  not_home: countOf("Of these, those that are wanted and not at home: `coming` and `unreadable`"),
  of_these: v.object({
    coming: countOf("To come"),
    left_out: countOf("Left on the card by a rule, deleted here, not needed, or given up: formatting loses them"),
    unknown: countOf("May lie in a folder that cannot be read, or have a name that is not known"),
    not_checked: countOf("At home, and no checksum was taken yet"),
    unreadable: countOf("The camera could not deliver them"),
  }),
  left_out: orNull(
    v.object({
      retention: whole("Older than recordings are kept"),
      selection: whole("Of a type or direction that is not downloaded"),
      deleted: whole("Deleted here"),
      unwanted: whole("Marked as not needed"),
      given_up: whole("Not readable, and given up"),
    }),
    "What `left_out` is made of; null while that is not known",
  ),
  question: orNull(CARD_QUESTION, "Null while there is none"),
  health: v.pipe(
    v.array(SIGN),
    v.description("Signs of a dying card; none while fewer than 200 recordings were seen on it"),
  ),
});
export type CardAnswered = v.InferOutput<typeof CARD>;

export const GIVEN_UP = v.object({ given_up: whole("Recordings that are given up, all in all") });
