import * as v from "valibot";
import { RANGE_NAMES } from "../../domain/runs/run.ts";
import { refusedAs } from "./read_request.ts";

/** The `?range=` of an address. */
export const STATS_RANGE = v.object({
  range: v.pipe(
    v.nullable(v.picklist(RANGE_NAMES, `The range must be one of ${RANGE_NAMES.join(", ")}.`), "7d"),
    v.description("How far back; `7d` when it is left out"),
    refusedAs("BAD_RANGE", "range"),
  ),
});
