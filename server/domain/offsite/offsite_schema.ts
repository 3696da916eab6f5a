import * as v from "valibot";

const amount = v.object({ recordings: v.number(), bytes: v.number() });

/** Answer of `GET /api/offsite`. */
export const offsiteSchema = v.object({
  state: v.picklist(["off", "idle", "sending", "waiting", "problem"]),
  sent: amount,
  waiting: amount,
  refused: amount,
  /** Room that the copies take in the bucket. */
  bytes: v.number(),
  /** Time at which the last file was sent whole. */
  last: v.nullable(v.string()),
  last_tried: v.nullable(v.string()),
  problem: v.nullable(v.object({ sentence: v.string(), since: v.string(), key: v.nullable(v.string()) })),
});

export type OffsiteState = v.InferOutput<typeof offsiteSchema>;
