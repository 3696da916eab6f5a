import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { NOTIFY_STATE, NOTIFY_TEST } from "../domain/notify/notify_schema.ts";
import { endpoint } from "./endpoint.ts";

type Notifying = Pick<App, "notifications">;

export const notifyState = endpoint({
  summary: "Where messages go, and how the last one to each went",
  shape: NOTIFY_STATE,
  returns: "The services in the order of `notify.targets`",
  answer: (_asked, { notifications }: Notifying) => notifications.state(),
});

const ID = v.message(v.object({ id: v.pipe(v.string(), v.maxLength(100)) }), "id must be one of GET /api/notify");

export const testNotify = endpoint({
  summary: "Sends a test message to one service",
  description: "Once, whatever events and quiet hours are set.",
  body: ID,
  shape: NOTIFY_TEST,
  returns: "What came back",
  errors: ["TARGET_NOT_FOUND"],
  async answer({ body: { id } }, { notifications }: Notifying) {
    const { targets } = await notifications.state();
    const isKnown = targets.some((target) => target.id === id);
    const told = isKnown ? await (await notifications.notifier()).test(id) : null;
    if (told === null) throw new AppError("TARGET_NOT_FOUND", "Messages go to no service of this id.");
    return told;
  },
});
