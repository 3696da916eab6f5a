import type { HttpApp } from "../request/http_app.ts";
import { NOISE_BYTES, type RequestContext } from "../request/request_context.ts";
import { isSame, sign } from "../request/sessions.ts";

/** Tells browsers apart that have no session: before sign-in, and in the modes without sessions. */
export const VISITOR_COOKIE = "dashdock_visitor";
const VISITOR_ID = /^[0-9a-f-]{36}$/;
/** Noise and token, 32 bytes each. */
const MASKED = /^[\w-]{86}$/;

/**
 * Returns the token that a change from this browser must carry, for the page's `csrf-token` meta tag and its forms. It
 * lasts as long as the session does, or the browser's cookie where there is no session. Each page writes it in another
 * way: a page is compressed, and its length must not reveal a fixed text.
 */
export function csrfToken(context: RequestContext, app: Pick<HttpApp, "settings">): string {
  const [known] = bearers(context);
  if (known !== undefined) return masked(tokenOf(known, app), context.noise);
  const id = context.givenCookie(VISITOR_COOKIE) ?? crypto.randomUUID();
  context.setCookie(VISITOR_COOKIE, id);
  return masked(tokenOf(`visitor ${id}`, app), context.noise);
}

/** True when a request carries the token of its own browser, in the header `X-CSRFToken` or a form's `csrf_token`. */
export async function csrfHolds(context: RequestContext, app: Pick<HttpApp, "settings">): Promise<boolean> {
  const token = context.request.headers.get("x-csrftoken") ?? (await context.form()).get("csrf_token");
  const plain = token === null ? null : unmasked(token);
  return plain !== null && bearers(context).some((bearer) => isSame(plain, tokenOf(bearer, app)));
}

/** Returns the session or cookies that tokens of this browser may be bound to. */
function bearers(context: RequestContext): string[] {
  if (context.session) return [`session ${context.session.id}`];
  return context.cookies(VISITOR_COOKIE).flatMap((id) => (VISITOR_ID.test(id) ? [`visitor ${id}`] : []));
}

function tokenOf(bearer: string, app: Pick<HttpApp, "settings">): string {
  return sign(app.settings.current.auth.session_secret, "csrf", bearer);
}

const BASE64URL = { alphabet: "base64url" } as const;

/** The token mixed with noise as long as it is, behind that noise. */
function masked(token: string, noise: Uint8Array): string {
  const bytes = Uint8Array.fromBase64(token, BASE64URL);
  return Buffer.concat([noise, mixed(bytes, noise)]).toString("base64url");
}

/** The token without its noise; null when it is none of ours. */
function unmasked(text: string): string | null {
  if (!MASKED.test(text)) return null;
  const bytes = Uint8Array.fromBase64(text, BASE64URL);
  return Buffer.from(mixed(bytes.subarray(NOISE_BYTES), bytes)).toString("base64url");
}

function mixed(bytes: Uint8Array, noise: Uint8Array): Uint8Array {
  return bytes.map((byte, at) => byte ^ (noise[at] ?? 0));
}
