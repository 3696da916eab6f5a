import { AppError } from "../../domain/answers/errors.ts";
import { isRange, RANGES, type Range } from "../../domain/runs/run.ts";
import type { RequestContext } from "./request_context.ts";

/** The `?range=` of an address, a week when it is left out. @throws AppError BAD_RANGE */
export function rangeOf({ url }: RequestContext): Range {
  const range = url.searchParams.get("range") ?? "7d";
  if (!isRange(range))
    throw new AppError("BAD_RANGE", `The range must be one of ${Object.keys(RANGES).join(", ")}.`, { range });
  return range;
}
