import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { momentNumber } from "../domain/recordings/moment_number.ts";
import { QUEUED, UNWANTED } from "../domain/sync/job_schema.ts";
import type { LeftOutRule } from "../domain/sync/recording_counter.ts";
import { bringAnyway } from "../engine/run/bring_anyway.ts";
import { endpoint } from "./endpoint.ts";
import { KEYS, NO_KEYS } from "./recording_keys.ts";
import { saved } from "./recordings.ts";
import { requireSaved } from "./unsaved.ts";

const ANYWAY = v.boolean("anyway must be true or false");
const ERRORS = ["RECORDING_NOT_FOUND", "STORAGE_FULL"] as const;

type Parts = Pick<App, "coming" | "listed" | "log" | "segments" | "requested" | "retention" | "clock">;

/** Reason that leaves a recording out, as a sentence; remedies are offered with it. */
const LEFT_OUT: Readonly<Record<LeftOutRule, string>> = {
  retention: "It is older than recordings are kept.",
  selection: "The settings for downloads leave it out.",
  deleted: "It was deleted here.",
  unreadable: "A folder at home cannot be read, and it may lie there.",
};

export const prioritize = endpoint({
  summary: "Moves recordings that are still on the camera to the front of the running sync, or of the next one",
  description:
    "What has come home meanwhile is left out of the count. Remembered while the camera is away. With `anyway`, what a rule leaves out comes with the next run all the same and is marked as kept, so that no rule deletes it again.",
  status: 202,
  body: v.message(v.object({ ...KEYS.entries, anyway: v.exactOptional(ANYWAY, false) }), NO_KEYS),
  shape: QUEUED,
  returns: "They come first",
  errors: [...ERRORS, "LEFT_OUT", "KEPT_NOT_SAVED", "TRASH_UNUSABLE"],
  async answer({ body }, app: Parts) {
    const { waiting } = await momentsAsked(body.keys, app, body.anyway ? "bring" : "refuse");
    if (waiting.length > 0) {
      await app.requested.prioritize(waiting);
      app.log.info("sync", `${told(waiting.length)} to come first`);
      requireSaved(app.requested.isSaved);
    }
    return { queued: waiting.length };
  },
});

export const leaveOut = endpoint({
  summary: "Leaves recordings on the camera: they are not asked for any more",
  description: "What is at home already stays there.",
  body: KEYS,
  shape: UNWANTED,
  returns: "They are left out",
  errors: ERRORS,
  async answer({ body }, app: Parts) {
    const { waiting } = await momentsAsked(body.keys, app);
    await app.requested.leaveOut(waiting);
    app.log.info("sync", `${told(waiting.length)} not needed`);
    requireSaved(app.requested.isSaved);
    return { unwanted: app.requested.unwantedCount };
  },
});

export const takeBack = endpoint({
  summary: "Wants recordings after all that were left on the camera",
  body: KEYS,
  shape: UNWANTED,
  returns: "They come with the others",
  errors: ERRORS,
  async answer({ body }, app: Parts) {
    const { asked } = await momentsAsked(body.keys, app);
    await app.requested.takeBack(asked);
    app.log.info("sync", `${told(asked.length)} wanted after all`);
    requireSaved(app.requested.isSaved);
    return { unwanted: app.requested.unwantedCount };
  },
});

/**
 * The moments that a body names, and those of them that are still to come, or not needed.
 * @throws AppError RECORDING_NOT_FOUND for one that is neither on the camera nor at home
 */
async function momentsAsked(keys: readonly string[], app: Parts, leftOut: "refuse" | "bring" | null = null) {
  const { coming, listed, segments } = app;
  await listed.counts();
  const asked = [...new Set(keys)];
  const against: string[] = [];
  for (const key of asked) {
    if (coming.of(key) !== null || (await segments.find(key)) !== null) continue;
    const rule = leftOut === null ? null : (listed.counter?.leftOutBy(momentNumber(key)) ?? null);
    if (rule === null)
      throw new AppError("RECORDING_NOT_FOUND", "There is no such recording on the camera.", { recording: key });
    if (leftOut === "refuse" || rule === "unreadable")
      throw new AppError("LEFT_OUT", LEFT_OUT[rule], { recording: key, rule });
    against.push(key);
  }
  if (against.length > 0) await saved(() => bringAnyway(app, against));
  return {
    asked: asked.map(momentNumber),
    waiting: asked.filter((key) => coming.of(key) !== null).map(momentNumber),
  };
}

function told(count: number): string {
  return count === 1 ? "A recording is" : `${count} recordings are`;
}
