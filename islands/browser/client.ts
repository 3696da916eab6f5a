import type { ErrorCode } from "../../server/domain/api/errors.ts";

/** What the service said no with: a sentence for people and a code for programs. */
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

/** Which page asks, and through what; tests bring their own. */
export interface Asker {
  readonly page: Document;
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
}

/** What is said where something was asked for by hand and did not come. */
export const NO_CONNECTION =
  "Dashdock does not answer. Check that it runs and that this device is in the same network.";

/**
 * Asks the API: `send("POST /api/sync/now")`. Brings the page's CSRF token along, a fresh one when that is out of date;
 * an ended session leads to sign-in.
 * @returns the JSON that came, null when there was none
 * @throws Refusal
 */
export async function send<T = unknown>(
  request: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /api/${string}`,
  body?: unknown,
  signal?: AbortSignal,
  asker: Asker = { page: document, ask: fetch },
): Promise<T> {
  const { page, ask: get } = asker;
  const [method = "GET", path = "/"] = request.split(" ");
  const ask = async (): Promise<{ readonly isOk: boolean; readonly status: number; readonly said: unknown }> => {
    const answer = await get(path, {
      method,
      headers: {
        accept: "application/json",
        ...(method === "GET" ? {} : { "x-csrftoken": csrfToken(page) }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const text = await answer.text();
    return { isOk: answer.ok, status: answer.status, said: text === "" ? null : readJson(text, answer.ok) };
  };
  let answer: Awaited<ReturnType<typeof ask>>;
  try {
    answer = await ask();
    if (answer.status === 403 && refusalOf(answer.said, 403).code === "CSRF_FAILED" && (await renewToken(asker)))
      answer = await ask();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal("NO_CONNECTION", NO_CONNECTION);
  }
  if (answer.isOk) return answer.said as T;
  const refusal = refusalOf(answer.said, answer.status);
  if (refusal.code === "AUTH_REQUIRED") leaveForSignIn(page);
  throw refusal;
}

/**
 * Takes the token of this page anew: who signs in again in another tab, or changes the sign-in mode, has another one.
 * @returns whether it is a new one
 */
async function renewToken({ page, ask }: Asker): Promise<boolean> {
  const meta = tokenOf(page);
  const template = page.createElement("template");
  template.innerHTML = await (await ask(page.location.pathname)).text();
  const fresh = tokenOf(template.content)?.content;
  if (!meta || !fresh || fresh === meta.content) return false;
  meta.content = fresh;
  return true;
}

/** A good answer that is cut off is none; a refusal needs no body to be understood. */
function readJson(text: string, isOk: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isOk) throw error;
    return null;
  }
}

/** What an answer says no with, when it is one of the service; its status in any case. */
export function refusalOf(said: unknown, status: number): Refusal {
  if (typeof said === "object" && said !== null && "error" in said && "code" in said) {
    const { error, code, details } = said as { error: string; code: ErrorCode; details?: Record<string, unknown> };
    return new Refusal(code, error, details);
  }
  return new Refusal("UNKNOWN", `Dashdock answered with the status ${status}. The log may say why.`, { status });
}

/**
 * To sign-in, and from there back to this page. An island with something unsaved prevents `signedout`, and then
 * it stays; what that has stopped goes on with `signedin`.
 * @returns whether the page is left
 */
export function leaveForSignIn(page: Document = document, door = doorBackTo(page.location)): boolean {
  const { Event } = page.defaultView ?? globalThis;
  const isLeft = page.dispatchEvent(new Event("signedout", { cancelable: true }));
  if (isLeft) page.location.assign(door);
  return isLeft;
}

function doorBackTo({ pathname, search, hash }: Location): string {
  return `/login?next=${encodeURIComponent(pathname + search + hash)}`;
}

/** The token of this page. */
export function csrfToken(page: Document = document): string {
  return tokenOf(page)?.content ?? "";
}

function tokenOf(page: ParentNode): HTMLMetaElement | null {
  return page.querySelector<HTMLMetaElement>("meta[name=csrf-token]");
}

/** A caught thing as a sentence. */
export function sentenceOfError(error: unknown): string {
  return error instanceof Refusal ? error.message : "Something went wrong in this page. Load it again.";
}
