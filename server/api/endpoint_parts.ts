import * as v from "valibot";
import type { Parameter } from "../domain/api/openapi.ts";

/** The key of a recording in a path. */
export const KEY: Parameter = {
  in: "path",
  description: "`<base>_<type>`, such as `20260607_101500_N`",
  schema: v.pipe(v.string(), v.regex(/^[0-9]{8}_[0-9]{6}_[A-Z]$/)),
};

/** The answer of an endpoint that has only one. */
export const ok = <S extends v.GenericSchema>(answer: S, description: string) => ({
  200: { description, schema: answer },
});

export const query = (description: string, of: v.GenericSchema = v.string()): Parameter => ({
  in: "query",
  description,
  schema: of,
});
