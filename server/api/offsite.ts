import type { App } from "../app.ts";
import { OFFSITE_STATE } from "../domain/offsite/offsite_schema.ts";
import { endpoint } from "./endpoint.ts";

type WithOffsite = Pick<App, "offsite">;

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
