import * as v from "valibot";
import { ACTION_KINDS, type FailureAction } from "../runs/failure_text.ts";
import { exactly } from "./exactly.ts";

/** What solves a failure, as programs get it. */
export const ACTION = exactly<FailureAction>()(
  v.object({
    kind: v.picklist(ACTION_KINDS),
    label: v.pipe(v.string(), v.description("On its button")),
    href: v.pipe(v.string(), v.description("Where it is done")),
  }),
);
