import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/api/errors.ts";
import { QUEUED, UNWANTED } from "../domain/api/job_schema.ts";
import { isGroupKey, momentNumber } from "../domain/recordings/recording_name.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { endpoint } from "./endpoint.ts";

const BODY = v.object({ keys: v.array(v.string()) });
const ERRORS = ["INVALID_BODY", "RECORDING_NOT_FOUND"] as const;

type Parts = Pick<App, "coming" | "listed" | "log" | "segments" | "wishes">;

export const prioritize = endpoint({
  summary: "Moves recordings that are still on the camera to the front of the running sync, or of the next one",
  description: "What has come home meanwhile is left out of the count. Remembered while the camera is away.",
  status: 202,
  body: BODY,
  shape: QUEUED,
  returns: "They come first",
  errors: ERRORS,
  async answer(context, app: Parts) {
    const { waiting } = await momentsAsked(context, app);
    if (waiting.length > 0) {
      await app.wishes.prioritize(waiting);
      app.log.info("sync", `${told(waiting.length)} to come first`);
    }
    return { queued: waiting.length };
  },
});

export const leaveOut = endpoint({
  summary: "Leaves recordings on the camera: they are not asked for any more",
  description: "What is at home already stays there.",
  body: BODY,
  shape: UNWANTED,
  returns: "They are left out",
  errors: ERRORS,
  async answer(context, app: Parts) {
    const { waiting } = await momentsAsked(context, app);
    await app.wishes.leaveOut(waiting);
    app.log.info("sync", `${told(waiting.length)} not needed`);
    return { unwanted: app.wishes.unwantedCount };
  },
});

export const takeBack = endpoint({
  summary: "Wants recordings after all that were left on the camera",
  body: BODY,
  shape: UNWANTED,
  returns: "They come with the others",
  errors: ERRORS,
  async answer(context, app: Parts) {
    const { asked } = await momentsAsked(context, app);
    await app.wishes.takeBack(asked);
    app.log.info("sync", `${told(asked.length)} wanted after all`);
    return { unwanted: app.wishes.unwantedCount };
  },
});

/**
 * The moments that a body names, and those of them that are still to come, or not needed.
 * @throws AppError RECORDING_NOT_FOUND for one that is neither on the camera nor at home
 */
async function momentsAsked(context: RequestContext, { coming, listed, segments }: Parts) {
  const { keys } = await context.json();
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === "string" && isGroupKey(key)))
    throw new AppError("INVALID_BODY", "keys must be a list of keys such as 20260607_101500_N");
  await listed.counts();
  const asked = [...new Set<string>(keys)];
  for (const key of asked)
    if (coming.of(key) === null && (await segments.find(key)) === null)
      throw new AppError("RECORDING_NOT_FOUND", "There is no such recording on the camera.", { recording: key });
  return {
    asked: asked.map(momentNumber),
    waiting: asked.filter((key) => coming.of(key) !== null).map(momentNumber),
  };
}

function told(count: number): string {
  return count === 1 ? "A recording is" : `${count} recordings are`;
}
