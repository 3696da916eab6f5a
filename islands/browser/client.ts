import type { ErrorCode } from "../../server/domain/answers/errors.ts";
import { BARE_JSON } from "../../server/domain/answers/bare_json.ts";
import { baseOf } from "./address.ts";
import { asked } from "./page_camera.ts";

/** The service refused a request: `message` is a sentence for people, `code` is for programs. */
export class Refusal extends Error {
  readonly code: ErrorCode | "NO_CONNECTION" | "UNKNOWN";
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: Refusal["code"], message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.details = details;
  }
}

/** The page that asks, and its `fetch`; tests pass their own. */
export interface Asker {
  readonly page: Document;
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
}

/** Shown where a user's request got no answer. */
export const NO_CONNECTION =
  "Dashdock does not answer. Check that it runs and that this device is in the same network.";

/**
 * Asks the API: `send("POST /api/sync/now")`. The body is JSON, or a picture as it is. Sends the page's CSRF token, a fresh one when that is out of date; an ended
 * session leads to sign-in.
 * @returns the JSON that came, null when there was none
 * @throws Refusal, or what `fetch` throws when the caller has aborted
 */
export async function send<T = unknown>(
  request: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /api/${string}`,
  body?: unknown,
  signal?: AbortSignal,
  asker: Asker = { page: document, ask: fetch },
): Promise<T> {
  const { page, ask: get } = asker;
  const [method = "GET", path = "/"] = request.split(" ");
  const ask = async (): Promise<readonly [answer: Response, json: unknown]> => {
    const answer = await get(asked(path, page), {
      method,
      headers: {
        // Addresses in the answer are reached as all others here.
        accept: BARE_JSON,
        ...(method === "GET" ? {} : { "x-csrftoken": csrfToken(page) }),
        ...(body === undefined ? {} : { "content-type": body instanceof Blob ? body.type : "application/json" }),
      },
      ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const text = await answer.text();
    return [answer, text === "" ? null : readJson(text, answer.ok)];
  };
  let answer: Response;
  let json: unknown;
  try {
    [answer, json] = await ask();
    if (answer.status === 403 && refusalOf(json, 403).code === "CSRF_FAILED" && (await renewToken(asker)))
      [answer, json] = await ask();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal("NO_CONNECTION", NO_CONNECTION);
  }
  if (answer.ok) return json as T;
  const refusal = refusalOf(json, answer.status);
  if (refusal.code === "AUTH_REQUIRED") leaveForSignIn(page);
  throw refusal;
}

/**
 * Reads the token of this page again: a sign-in in another tab, or another sign-in mode, has changed it.
 * @returns whether it is a new one
 */
export async function renewToken({ page, ask }: Asker): Promise<boolean> {
  const meta = tokenOf(page);
  const template = page.createElement("template");
  template.innerHTML = await (await ask(page.location.pathname)).text();
  const fresh = tokenOf(template.content)?.content;
  if (!meta || !fresh || fresh === meta.content) return false;
  meta.content = fresh;
  return true;
}

/** A good answer that is cut off is an error; a refusal is understood by its status alone. */
function readJson(text: string, isOk: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isOk) throw error;
    return null;
  }
}

/** The error of a refused answer; `UNKNOWN` with its status when the body is none of the service's errors. */
export function refusalOf(json: unknown, status: number): Refusal {
  if (typeof json === "object" && json !== null && "error" in json && "code" in json) {
    const { error, code, details } = json as { error: string; code: ErrorCode; details?: Record<string, unknown> };
    return new Refusal(code, error, details);
  }
  return new Refusal("UNKNOWN", `Dashdock answered with the status ${status}. The log may say why.`, { status });
}

/**
 * Goes to sign-in, and from there back to this page. An island with unsaved changes prevents `signedout`, and the page
 * stays; refreshing, which that has stopped, goes on with `signedin`.
 * @returns whether the page is left
 */
export function leaveForSignIn(page: Document = document, signIn = signInPath(page)): boolean {
  const { Event } = page.defaultView ?? globalThis;
  const isLeft = page.dispatchEvent(new Event("signedout", { cancelable: true }));
  if (isLeft) page.location.assign(signIn);
  return isLeft;
}

function signInPath(page: Document): string {
  const { pathname, search, hash } = page.location;
  const base = baseOf(page);
  return `${base}/login?next=${encodeURIComponent(pathname.slice(base.length) + search + hash)}`;
}

/** The CSRF token of this page; empty when it has none. */
export function csrfToken(page: Document = document): string {
  return tokenOf(page)?.content ?? "";
}

function tokenOf(page: ParentNode): HTMLMetaElement | null {
  return page.querySelector<HTMLMetaElement>("meta[name=csrf-token]");
}

/** A caught error as a sentence for users. */
export function sentenceOfError(error: unknown): string {
  return error instanceof Refusal ? error.message : "Something went wrong in this page. Load it again.";
}
