import * as v from "valibot";
import { orNull } from "../../domain/answers/answer_fields.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { type DaySpan, spanAsked } from "../../domain/coverage/coverage_span.ts";

/** The days that an address asks for. */
export const COVERED_DAYS = v.object({
  from: orNull(v.string(), "The first day, `YYYY-MM-DD`; 13 weeks in all when it is left out"),
  to: orNull(v.string(), "The last day, `YYYY-MM-DD`, at most 400 days in all; today when it is left out"),
});

/** The span that a query asks for. @throws AppError BAD_RANGE */
export function coveredSpan({ from, to }: v.InferOutput<typeof COVERED_DAYS>, today: string): DaySpan {
  const span = spanAsked(from, to, today);
  if (typeof span === "string") throw new AppError("BAD_RANGE", span, { range: `${from ?? ""}..${to ?? ""}` });
  return span;
}
