import * as v from "valibot";
import { count, moment, orNull, text, whole } from "../answers/answer_fields.ts";

const STATUS = orNull(v.number(), "HTTP status, or the code of a mail server; null when nothing answered");
const ANSWER = text("What came back, at most 500 characters");

export const NOTIFY_STATE = v.object({
  targets: v.array(
    v.object({
      id: text("For `POST /api/notify/test`; the same while the shown parts of the address are"),
      name: text("As it was chosen behind `#`, else its service and host"),
      kind: text("The beginning of its address"),
      address: text("Secret parts are `***`"),
      last: orNull(
        v.object({ at: moment, ok: v.boolean(), status: STATUS, answer: ANSWER }),
        "The last try to tell it something; null before the first",
      ),
      lost: whole("Messages that were given up since it took one"),
    }),
  ),
  waiting: v.pipe(count, v.description("Messages that wait for another try, or for the end of the quiet hours")),
  ping: orNull(
    v.object({ at: moment, ok: v.boolean(), status: STATUS, milliseconds: whole("Until the answer") }),
    "The last call of `notify.ping_url`; null before the first",
  ),
});
export type NotifyState = v.InferOutput<typeof NOTIFY_STATE>;

export const NOTIFY_TEST = v.object({
  ok: v.boolean(),
  status: STATUS,
  answer: ANSWER,
  milliseconds: whole("Until the answer"),
});
export type NotifyTest = v.InferOutput<typeof NOTIFY_TEST>;
