import type { ErrorCode } from "../server/domain/errors.ts";

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

const NO_CONNECTION = "Dashdock does not answer. Check that it runs and that this device is in the same network.";

/**
 * Asks the API: `send("POST /api/sync/now")`. Brings the page's CSRF token along; an ended session leads to sign-in.
 * @returns the JSON that came, null when there was none
 * @throws Refusal
 */
export async function send<T = unknown>(
  request: `${"GET" | "POST" | "PATCH" | "DELETE"} /api/${string}`,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const [method = "GET", path = "/"] = request.split(" ");
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers: {
        accept: "application/json",
        ...(method === "GET" ? {} : { "x-csrftoken": csrfToken() }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal("NO_CONNECTION", NO_CONNECTION);
  }
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok) return said as T;
  const refusal = refusalOf(said, answer.status);
  if (refusal.code === "AUTH_REQUIRED") leaveForSignIn();
  throw refusal;
}

function refusalOf(said: unknown, status: number): Refusal {
  if (typeof said === "object" && said !== null && "error" in said && "code" in said) {
    const { error, code, details } = said as { error: string; code: ErrorCode; details?: Record<string, unknown> };
    return new Refusal(code, error, details);
  }
  return new Refusal("UNKNOWN", `Dashdock answered with the status ${status}. The log may say why.`);
}

/** To sign-in, and from there back to this page. */
export function leaveForSignIn(): void {
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/** The token of this page. */
export function csrfToken(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=csrf-token]")?.content ?? "";
}

/** A caught thing as a sentence. */
export function sentenceOfError(error: unknown): string {
  return error instanceof Refusal ? error.message : "Something went wrong in this page. Load it again.";
}
