import type * as v from "valibot";
import type { STATUS_LEVEL } from "./answer_fields.ts";

/** The five states anything can be in; each has its own shape, word and colour. */
export type StatusLevel = v.InferOutput<typeof STATUS_LEVEL>;
