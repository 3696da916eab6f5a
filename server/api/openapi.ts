import { openApi } from "../domain/openapi.ts";
import { json, statusOf } from "../http/respond.ts";
import { SESSION_COOKIE } from "../http/session.ts";
import { VERSION } from "../version.ts";
import { ENDPOINTS, NAMED } from "./endpoints.ts";

/** `GET /api/openapi.json`: every endpoint for programs, made from the schemas that check what comes in. */
export function describe(): Response {
  const parts = { version: VERSION, endpoints: ENDPOINTS, named: NAMED, sessionCookie: SESSION_COOKIE, statusOf };
  return json(openApi(parts));
}
