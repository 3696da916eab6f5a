import * as v from "valibot";
import { count, keyText, orNull, text } from "../answers/answer_fields.ts";
import { SMART_REASONS } from "./smart_order.ts";

/** Reasons why a recording comes where it does. */
export const QUEUE_REASONS = ["asked", ...SMART_REASONS, "order"] as const;
export type QueueReason = (typeof QUEUE_REASONS)[number];

export const QUEUE_ITEM = v.object({
  key: keyText("`YYYYMMDD_HHMMSS_T`"),
  direction: text("F front, R rear, I interior, O optional"),
  bytes: orNull(count, "Of its video, from videos like it where the camera does not tell; null while nothing is known"),
  why: v.pipe(
    v.picklist(QUEUE_REASONS),
    v.description("`order` is the order in the settings, unless that is `smart`: then it is the reason in it"),
  ),
});
export type QueueItem = v.InferOutput<typeof QUEUE_ITEM>;

export const QUEUE = v.object({
  items: v.pipe(v.array(QUEUE_ITEM), v.description("Recordings that are to come home, the next one first")),
});
