import { reached } from "./address.ts";
import { type Asker, csrfToken, leaveForSignIn, NO_CONNECTION, Refusal, refusalOf, renewToken } from "./client.ts";

/** A question whose answer is a stream of server-sent events. */
export interface EventRequest {
  readonly path: `/api/${string}`;
  readonly body: unknown;
  /** The events that count. */
  readonly event: string;
  /** Ends the request; the service then stops what it does for it. */
  readonly signal: AbortSignal;
}

/**
 * Posts a question, and reads its answer event by event until it ends; an `EventSource` can only get. An ended session
 * leads to sign-in.
 * @throws Refusal, also for a stream that breaks off; what `fetch` throws when the caller has aborted
 */
export async function readEvents<T>(
  { path, body, event, signal }: EventRequest,
  onData: (data: T) => void,
  asker: Asker = { page: document, ask: fetch },
): Promise<void> {
  const { page, ask: post } = asker;
  const ask = () =>
    post(reached(path, page), {
      method: "POST",
      headers: {
        accept: "text/event-stream",
        "content-type": "application/json",
        "x-csrftoken": csrfToken(page),
      },
      body: JSON.stringify(body),
      signal,
    });
  try {
    let answer = await ask();
    let refusal = await refusalIn(answer);
    if (refusal?.code === "CSRF_FAILED" && (await renewToken(asker))) {
      answer = await ask();
      refusal = await refusalIn(answer);
    }
    if (refusal?.code === "AUTH_REQUIRED") leaveForSignIn(page);
    if (refusal !== null) throw refusal;
    for await (const { name, data } of eventsOf(answer)) if (name === event) onData(JSON.parse(data) as T);
  } catch (error) {
    if (signal.aborted || error instanceof Refusal) throw error;
    throw new Refusal("NO_CONNECTION", NO_CONNECTION);
  }
}

/** Null for a stream. A page of a proxy that answers in the service's place is none. */
async function refusalIn(answer: Response): Promise<Refusal | null> {
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (answer.ok && isStream) return null;
  return refusalOf(await answer.json().catch(() => null), answer.status);
}

interface StreamedEvent {
  readonly name: string;
  readonly data: string;
}

/** The events of a stream that has begun; what is cut off at its end is none. */
async function* eventsOf({ body }: Response): AsyncGenerator<StreamedEvent> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) yield eventIn(block);
  }
}

function eventIn(block: string): StreamedEvent {
  const valuesOf = (field: string) =>
    block
      .split("\n")
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).trimStart());
  return { name: valuesOf("event")[0] ?? "message", data: valuesOf("data").join("\n") };
}
