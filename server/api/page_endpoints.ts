import type * as v from "valibot";
import type { Endpoint } from "../domain/openapi.ts";
import * as schema from "../domain/page_schema.ts";
import type { Method } from "../http/route.ts";

const ok = <S extends v.GenericSchema>(answer: S, description: string) => ({ 200: { description, schema: answer } });

/** What the pages ask for themselves; other programs may, too. */
export const PAGE_ENDPOINTS = {
  "GET /api/overview": {
    summary: "The state of everything in one sentence, and the readings beside it",
    access: "signed-in",
    answers: ok(schema.OVERVIEW, "The sentence is about the time between syncs; a running one is told by the progress"),
  },
} as const satisfies Readonly<Record<`${Method} /${string}`, Endpoint>>;
