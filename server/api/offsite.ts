import type { App } from "../app.ts";
import { OFFSITE_CHOICES, OFFSITE_STATE, OFFSITE_TEST } from "../domain/offsite/offsite_schema.ts";
import { tryBucket } from "../engine/offsite/try_bucket.ts";
import { choiceAmounts } from "../engine/offsite/choice_amounts.ts";
import { endpoint } from "./endpoint.ts";

type WithOffsite = Pick<App, "offsite">;
type WithSettings = Pick<App, "settings" | "clock">;
type WithCameras = Pick<App, "cameras">;

export const offsiteState = endpoint({
  summary: "The copies in the bucket: what is there, what waits, and what is wrong",
  shape: OFFSITE_STATE,
  returns: "The state",
  answer: (_asked, { offsite }: WithOffsite) => offsite.state,
});

export const checkOffsite = endpoint({
  summary: "Tries at once to send what waits and what was refused",
  shape: OFFSITE_STATE,
  returns: "The state after that",
  answer: async (_asked, { offsite }: WithOffsite) => await offsite.check(),
});

export const compareOffsite = endpoint({
  summary: "Compares the bucket with what was sent, and sends again what is gone",
  shape: OFFSITE_STATE,
  returns: "The state after that",
  answer: async (_asked, { offsite }: WithOffsite) => await offsite.compare(),
});

export const testOffsite = endpoint({
  summary: "Tries the bucket of the saved settings step by step; nothing stays there",
  shape: OFFSITE_TEST,
  returns: "The steps",
  answer: async ({ context }, { settings, clock }: WithSettings) =>
    await tryBucket(settings.current.offsite, clock, context.request.signal),
});

export const offsiteChoices = endpoint({
  summary: "Counts what each value of `offsite.what` would send",
  shape: OFFSITE_CHOICES,
  returns: "Recordings and bytes at home",
  answer: async ({ context }, { cameras }: WithCameras) => await choiceAmounts(cameras.all, context.request.signal),
});
