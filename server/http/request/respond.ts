import { type AppError, ERRORS } from "../../domain/answers/errors.ts";
import type { RequestContext } from "./request_context.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; " +
  "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'";

/** The policy of a page without script, which has one style sheet in itself. */
const policyOf = (ownStyle: string) =>
  `default-src 'none'; style-src 'sha256-${ownStyle}'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;

const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ["content-security-policy", POLICY],
  ["x-content-type-options", "nosniff"],
  ["x-robots-tag", "noindex"],
  ["referrer-policy", "same-origin"],
  ["permissions-policy", "geolocation=(), microphone=(), camera=()"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
];

/** Long enough to read the page, and to have it read out. */
const REFRESH_SECONDS = 5;
/** Time that a client waits after a refused stream, in seconds. */
const STREAM_RETRY_SECONDS = 5;

export interface Extras {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A JSON answer; numbers that JSON does not have, such as infinity, become null. */
export function json(body: unknown, { status = 200, headers = {} }: Extras = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

/** Answers with a whole HTML page, or the element of a fragment. The text is escaped already. */
export function html(text: string, { status = 200, headers = {} }: Extras = {}): Response {
  return new Response(text, { status, headers: { "content-type": "text/html; charset=utf-8", ...headers } });
}

/** Sends the browser to a path of ours. */
export function redirect(path: string, { status = 302, headers = {} }: Extras = {}): Response {
  return new Response(null, { status, headers: { location: path, ...headers } });
}

/** The answer to what is done and returns nothing. */
export function noContent(): Response {
  return new Response(null, { status: 204 });
}

/** An answer of headers only, for what goes wrong where no request context is at hand. */
export function bare(status: number): Response {
  const headers = SECURITY_HEADERS.map(([name, value]): [string, string] => [name, value]);
  return new Response(null, { status, headers: [...headers, ["cache-control", "no-store"]] });
}

/** Draws a refusal, with its status, as a page for people. */
export type ErrorPage = (error: AppError, status: number, context: RequestContext) => Promise<string>;

/** Makes a refusal: the JSON envelope for programs, a page for people, and the headers that go with it. */
export async function refusal(error: AppError, context: RequestContext, errorPage: ErrorPage): Promise<Response> {
  const { code, message, details } = error;
  const { status } = ERRORS[code];
  const headers = refusalHeaders(error);
  if (context.isApi) return json({ error: message, code, details }, { status, headers });
  // While the service starts the browser asks again by itself: there is nothing on that page to stay for.
  if (code === "STARTING" && context.request.method === "GET") headers["refresh"] = String(REFRESH_SECONDS);
  return html(await errorPage(error, status, context), { status, headers });
}

/** The headers a refusal carries in whatever form it is shown: when to come back, and what is possible instead. */
export function refusalHeaders({ code, details }: AppError): Record<string, string> {
  const { retry_after_seconds: wait, allowed } = details;
  if (code === "TOO_MANY_STREAMS") return { "retry-after": String(STREAM_RETRY_SECONDS) };
  if (code === "STARTING") return { "retry-after": "1" };
  if (code === "METHOD_NOT_ALLOWED" && Array.isArray(allowed)) return { allow: allowed.join(", ") };
  return typeof wait === "number" ? { "retry-after": String(Math.max(1, Math.ceil(wait))) } : {};
}

/**
 * Puts on every answer what every answer carries. A header that a handler has set itself, such as how to cache, stays.
 */
export function finish(response: Response, context: RequestContext): Response {
  const { headers } = response;
  for (const [name, value] of SECURITY_HEADERS) headers.set(name, value);
  if (context.ownStyle !== null) headers.set("content-security-policy", policyOf(context.ownStyle));
  // A year; not for the whole domain, whose other hosts may be served without HTTPS.
  if (context.isHttps) headers.set("strict-transport-security", "max-age=31536000");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  for (const cookie of context.answerCookies) headers.append("set-cookie", cookie);
  return response;
}
