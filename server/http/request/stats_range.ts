import * as v from "valibot";
import { RANGES, type Range } from "../../domain/runs/run.ts";
import { refusedAs } from "./read_request.ts";

const NAMES = Object.keys(RANGES) as Range[];

/** The `?range=` of an address. */
export const STATS_RANGE = v.object({
  range: v.pipe(
    v.nullable(v.picklist(NAMES, `The range must be one of ${NAMES.join(", ")}.`), "7d"),
    v.description("How far back; `7d` when it is left out"),
    refusedAs("BAD_RANGE", "range"),
  ),
});
