import * as v from "valibot";
import { count } from "../answers/answer_fields.ts";

const KINDS = v.object({ secret: count, address: count, network: count, place: count, name: count, time: count });

export const SUPPORT = v.object({
  files: v.array(
    v.object({
      name: v.string(),
      bytes: count,
      replaced: v.pipe(count, v.description("How often a placeholder stands in it")),
      kinds: v.pipe(KINDS, v.description("The same by kinds")),
    }),
  ),
});

/** A file of the support file, before it is saved. */
export type SupportPart = v.InferOutput<typeof SUPPORT>["files"][number];
