import type { App } from "../app.ts";
import { MISSING_ACCEPTED, VERIFY, VERIFY_STOPPING } from "../domain/checksums/verify_schema.ts";
import { endpoint } from "./endpoint.ts";

type Parts = Pick<App, "verify">;

export const verifyState = endpoint({
  summary: "The check of all recordings that runs, or the last one",
  shape: VERIFY,
  returns: "The state, with all files that are known to be damaged",
  answer: async (_asked, { verify }: Parts) => (await verify()).state,
  all: (answers) => ({ cameras: answers.map(({ camera, answer }) => ({ camera, ...answer })) }),
});

export const verifyNow = endpoint({
  summary: "Reads all recordings and compares them with their checksums",
  description: "It waits while a sync or an import goes on. Checksums that were never taken are taken.",
  status: 202,
  shape: VERIFY,
  returns: "It begins",
  errors: ["VERIFY_RUNNING"],
  async answer(_asked, { verify }: Parts) {
    const check = await verify();
    check.start();
    return check.state;
  },
});

export const verifyStop = endpoint({
  summary: "Stops the check of all recordings",
  status: 202,
  shape: VERIFY_STOPPING,
  returns: "It ends",
  errors: ["VERIFY_NOT_RUNNING"],
  async answer(_asked, { verify }: Parts) {
    (await verify()).stop();
    return { stopping: true } as const;
  },
});

export const acceptMissing = endpoint({
  summary: "Says that files which are missing were deleted on purpose",
  shape: MISSING_ACCEPTED,
  returns: "They are not missed any more",
  answer: async (_asked, { verify }: Parts) => ({ forgotten: await (await verify()).acceptMissing() }),
});
