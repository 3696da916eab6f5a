import * as v from "valibot";
import { orNull, pageText, text } from "../answers/answer_fields.ts";
import { HINT_IDS } from "./hint_ids.ts";

export const CAMERA_HINT = v.object({
  id: v.pipe(v.picklist(HINT_IDS), v.description("For POST /api/camera/hints/dismiss")),
  title: text("What is wrong, ends with a full stop"),
  cause: text("How that is known, as a sentence"),
  remedy: text("What to do about it, as a sentence"),
  action: orNull(
    v.object({ label: v.string(), href: pageText("A page of this service") }),
    "Where it is done; null where it is not done here",
  ),
});

export const CAMERA_HINTS = v.object({
  hints: v.pipe(
    v.array(CAMERA_HINT),
    v.description("The most pressing first, without those that were dismissed and whose cause has not gone since"),
  ),
});
