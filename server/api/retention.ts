import * as v from "valibot";
import { orNull } from "../domain/answers/answer_fields.ts";
import { AppError } from "../domain/answers/errors.ts";
import { isGroupKey } from "../domain/recordings/moment_number.ts";
import {
  CONFIRMED,
  KEPT_MARKS,
  type KeptMarks,
  MARK,
  MARKS_RESTORED,
  RETENTION_PREVIEW,
  RETENTION_STATE,
  SEEN,
} from "../domain/retention/deletion_schema.ts";
import { MOST_NOTE } from "../domain/retention/kept_text.ts";
import { splitKey } from "../domain/settings/camera_key.ts";
import { describeField } from "../domain/settings/field.ts";
import { fieldsOf } from "../domain/settings/settings.ts";
import { CARDS_OF_DELETING } from "../domain/status/card_ids.ts";
import { counted } from "../domain/text/format.ts";
import { previewRetention } from "../engine/retention/retention_preview.ts";
import { keepAgain, keepNone } from "../engine/viewer/kept_list.ts";
import { oneLine } from "../log.ts";
import { endpoint } from "./endpoint.ts";
import { saved } from "./recordings.ts";
import { requireSaved } from "./unsaved.ts";

export const state = endpoint({
  summary: "What waits for consent, what was deleted last, and what lies in the trash",
  shape: RETENTION_STATE,
  returns: "As it is now",
  answer: (_context, { deletions }) => deletions.state(),
  all: (answers) => ({ cameras: answers.map(({ camera, answer }) => ({ camera, ...answer })) }),
});

const setting = (description: string) => orNull(v.string(), description);

export const preview = endpoint({
  summary: "What the next scheduled sync would delete, with other settings if some are given",
  description: "What is left out is as it is set; an empty number is null.",
  query: v.object({
    ...Object.fromEntries(fieldsOf("retention").map(([key, field]) => [key, setting(describeField(field))])),
    timezone: setting("The zone in which days are counted"),
  }),
  shape: RETENTION_PREVIEW,
  returns: "As it would be at this moment",
  answer: ({ query }, app) => previewRetention(app, query),
  all: (answers) => ({ cameras: answers.map(({ camera, answer }) => ({ camera, ...answer })) }),
});

export const confirm = endpoint({
  summary: "Lets the next scheduled sync delete what is held",
  shape: CONFIRMED,
  returns: "It will be",
  description: "Where marks of kept recordings were lost, this says that they are gone on purpose.",
  errors: ["NOTHING_HELD", "KEPT_NOT_SAVED", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer({ context }, { deletions, retention, log, cards }) {
    const { guard, kept, consent } = retention;
    const held = await deletions.held();
    const lost = await deletions.lostMarks();
    if (held === null && lost === 0) throw new AppError("NOTHING_HELD", "Nothing waits to be deleted");
    const areGivenUp = lost > 0 && (held === null || held.reason === "marks");
    if (areGivenUp) await saved(() => guard.run(() => kept.giveUpLost()));
    await consent.release();
    cards.publish(["status-card"]);
    const from = `from ${context.address}`;
    if (areGivenUp) log.info("retention", `${counted(lost, "lost mark")} of kept recordings given up ${from}`);
    if (held !== null) log.info("retention", `The deletion that was held (${held.reason}) was agreed to ${from}`);
    requireSaved(consent.isSaved);
    return { confirmed: true } as const;
  },
});

export const restoreMarks = endpoint({
  summary: "Puts the marks of kept recordings back that were lost with their list",
  shape: MARKS_RESTORED,
  returns: "None when none were lost",
  errors: ["KEPT_NOT_SAVED", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer({ context }, { retention, log, cards }) {
    const restored = await saved(() => retention.guard.run(() => retention.kept.putBack()));
    cards.publish(CARDS_OF_DELETING);
    if (restored > 0) log.info("retention", `${counted(restored, "mark")} put back from ${context.address}`);
    return { restored };
  },
});

export const removeMarks = endpoint({
  summary: "Takes the marks of all kept recordings off; rules may delete them from then on",
  shape: KEPT_MARKS,
  returns: "What they were, to be set again",
  errors: ["KEPT_NOT_SAVED", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer({ context }, { retention, log, cards }) {
    const marks = await saved(() => keepNone(retention));
    cards.publish(CARDS_OF_DELETING);
    if (marks.length > 0) log.info("retention", `${counted(marks.length, "mark")} removed from ${context.address}`);
    return { marks };
  },
});

export const setMarks = endpoint({
  summary: "Sets marks again that were removed",
  body: v.message(v.object({ marks: v.array(v.pipe(MARK, v.check(isMark))) }), "Send the marks as they were"),
  shape: MARKS_RESTORED,
  returns: "Without those that are set by now",
  errors: ["KEPT_NOT_SAVED", "TRASH_UNUSABLE", "STORAGE_FULL"],
  async answer({ context, body }, { retention, log, cards }) {
    const marks = body.marks.map(({ key, kept: { at, note } }) => {
      return { key, kept: { at, note: note === null ? null : oneLine(note).trim() || null } };
    });
    const restored = await saved(() => keepAgain(retention, marks));
    cards.publish(CARDS_OF_DELETING);
    if (restored > 0) log.info("retention", `${counted(restored, "mark")} set again from ${context.address}`);
    return { restored };
  },
});

function isMark({ key, kept: { at, note } }: KeptMarks["marks"][number]): boolean {
  return isGroupKey(splitKey(key).bare) && !Number.isNaN(Date.parse(at)) && (note?.length ?? 0) <= MOST_NOTE;
}

export const seen = endpoint({
  summary: "This receipt and all before it have been seen",
  body: v.message(v.object({ id: v.string() }), "Say which receipt: id"),
  shape: SEEN,
  returns: "How many were new",
  async answer({ body }, { history, cards }) {
    const seen = history.deletions.see(body.id);
    cards.publish(["status-card", "receipts-card"]);
    return { seen };
  },
});
