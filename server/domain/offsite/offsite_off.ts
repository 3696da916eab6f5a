import type { OffsiteState } from "./offsite_schema.ts";

const NONE = { recordings: 0, bytes: 0 };

/** State while no address is set. */
export const OFFSITE_OFF: OffsiteState = {
  state: "off",
  sent: NONE,
  waiting: NONE,
  refused: NONE,
  bytes: 0,
  last: null,
  last_tried: null,
  problem: null,
  files: [],
};
