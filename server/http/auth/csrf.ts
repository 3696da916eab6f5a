import type { HttpApp } from "../listen/http_app.ts";
import type { RequestContext } from "../listen/request_context.ts";
import { isSame, sign } from "./sessions.ts";

/** Tells browsers apart that have no session: before sign-in, and in the modes without sessions. */
export const VISITOR_COOKIE = "dashdock_visitor";
const VISITOR_ID = /^[0-9a-f-]{36}$/;

/**
 * The token that a change from this browser must carry, for the page's `csrf-token` meta tag and its forms. It lasts as
 * long as the session does, or the browser's cookie where there is no session.
 */
export function csrfToken(context: RequestContext, app: Pick<HttpApp, "settings">): string {
  const [known] = bearers(context);
  if (known !== undefined) return tokenOf(known, app);
  const id = context.givenCookie(VISITOR_COOKIE) ?? crypto.randomUUID();
  context.setCookie(VISITOR_COOKIE, id);
  return tokenOf(`visitor ${id}`, app);
}

/** Whether a request carries the token of its own browser, in the header `X-CSRFToken` or a form's `csrf_token`. */
export async function csrfHolds(context: RequestContext, app: Pick<HttpApp, "settings">): Promise<boolean> {
  const token = context.request.headers.get("x-csrftoken") ?? (await context.form()).get("csrf_token");
  return token !== null && bearers(context).some((bearer) => isSame(token, tokenOf(bearer, app)));
}

/** What tokens of this browser may be bound to. */
function bearers(context: RequestContext): string[] {
  if (context.session) return [`session ${context.session.id}`];
  return context.cookies(VISITOR_COOKIE).flatMap((id) => (VISITOR_ID.test(id) ? [`visitor ${id}`] : []));
}

function tokenOf(bearer: string, app: Pick<HttpApp, "settings">): string {
  return sign(app.settings.current.auth.session_secret, "csrf", bearer);
}
