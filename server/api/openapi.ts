import { openApi } from "../domain/api/openapi.ts";
import { SESSION_COOKIE } from "../http/auth/sessions.ts";
import { json } from "../http/listen/respond.ts";
import { VERSION } from "../version.ts";
import { ENDPOINTS, NAMED } from "./endpoints.ts";

/** `GET /api/openapi.json`: every endpoint for programs, made from the schemas that check what comes in. */
export function describe(): Response {
  const parts = { version: VERSION, endpoints: ENDPOINTS, named: NAMED, sessionCookie: SESSION_COOKIE };
  return json(openApi(parts));
}
