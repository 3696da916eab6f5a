import * as v from "valibot";
import { CONFIRMED, RETENTION_PREVIEW, RETENTION_STATE, SEEN } from "../domain/api/deletion_schema.ts";
import { AppError } from "../domain/api/errors.ts";
import { fieldsOf } from "../domain/settings/settings.ts";
import { previewRetention } from "../engine/retention/retention_preview.ts";
import { endpoint, query } from "./endpoint.ts";

export const state = endpoint({
  summary: "What waits for consent, what was deleted last, and what lies in the trash",
  shape: RETENTION_STATE,
  returns: "As it is now",
  answer: (_context, { deletions }) => deletions.state(),
});

export const preview = endpoint({
  summary: "What the next scheduled sync would delete, with other settings if some are given",
  parameters: {
    keep: query("How long to keep, such as `2w`; empty for ever; the setting when it is left out"),
    keep_event: query("How long events are kept; empty as `keep`, `always` for ever"),
    keep_parking: query("The same of parking recordings"),
    keep_manual: query("The same of manual ones"),
    event_context: query("So many clips around an event that live as long as it"),
    max_gb: query("Empty for no limit"),
    max_percent: query("Empty for no limit"),
    timezone: query("The zone in which days are counted; that of the schedule when it is left out"),
  },
  shape: RETENTION_PREVIEW,
  returns: "As it would be at this moment",
  answer({ url }, app) {
    const names = [...fieldsOf("retention").map(([key]) => key), "timezone"];
    const draft = names.map((key) => [key, url.searchParams.get(key)] as const);
    return previewRetention(app, Object.fromEntries(draft));
  },
});

export const confirm = endpoint({
  summary: "Lets the next scheduled sync delete what is held",
  shape: CONFIRMED,
  returns: "It will be",
  errors: ["NOTHING_HELD"],
  async answer(context, { deletions, retention, log, cards }) {
    const held = await deletions.held();
    if (held === null) throw new AppError("NOTHING_HELD", "Nothing waits to be deleted");
    await retention.consent.release();
    cards.publish(["status-card"]);
    log.info("retention", `The deletion that was held (${held.reason}) was agreed to from ${context.address}`);
    return { confirmed: true } as const;
  },
});

export const seen = endpoint({
  summary: "This receipt and all before it have been seen",
  body: v.object({ id: v.string() }),
  shape: SEEN,
  returns: "How many were new",
  errors: ["INVALID_BODY"],
  async answer(context, { history, cards }) {
    const { id } = await context.json();
    if (typeof id !== "string") throw new AppError("INVALID_BODY", "Say which receipt: id");
    const seen = history.deletions.see(id);
    cards.publish(["status-card", "receipts-card"]);
    return { seen };
  },
});
