import { describe, expect, test } from "bun:test";
import { type Asker, Refusal } from "../../../islands/browser/client.ts";
import { readEvents } from "../../../islands/browser/event_answer.ts";
import { DomPage } from "../../support/browser/dom.ts";

const HEAD = '<meta name="csrf-token" content="token-1">';
const STREAM = { "content-type": "text/event-stream; charset=utf-8" };

/** Reads all events of a stream that answers in turn with what it was given. */
async function reading(...answers: (Response | Error)[]) {
  await using dom = new DomPage("", { path: "/", head: HEAD });
  const tokens: (string | null)[] = [];
  const ask: Asker["ask"] = async (_path, init = {}) => {
    tokens.push(new Headers(init.headers).get("x-csrftoken"));
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new Error("an unexpected question");
  };
  const got: unknown[] = [];
  const { signal } = new AbortController();
  const request = { path: "/api/camera/check", body: {}, event: "check", signal } as const;
  const error: unknown = await readEvents(request, (data) => got.push(data), { page: dom.page, ask }).then(
    () => null,
    (reason) => reason,
  );
  return { got, error, tokens, left: dom.left };
}

/** A stream that comes in these pieces; it breaks off at the end where `breaks`. */
function stream(pieces: readonly string[], breaks = false): Response {
  const waiting = pieces.map((piece) => new TextEncoder().encode(piece));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = waiting.shift();
      if (piece) controller.enqueue(piece);
      else if (breaks) controller.error(new TypeError("network error"));
      else controller.close();
    },
  });
  return new Response(body, { headers: STREAM });
}

const refused = (status: number, code: string) =>
  new Response(JSON.stringify({ error: `Refused: ${code}.`, code }), { status });

describe("an answer of events", () => {
  test("is read event by event, however it is cut into pieces", async () => {
    const text =
      'event: check\ndata: {"a":"é"}\n\n: keepalive\n\nevent: other\ndata: 1\n\nevent: check\ndata: {"a":2}\n\n';
    const bytes = [...new TextEncoder().encode(text)];
    for (const size of [1, 7, 1000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        Uint8Array.from(bytes.slice(at * size, (at + 1) * size)),
      );
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      });
      const { got, error } = await reading(new Response(body, { headers: STREAM }));
      expect([size, got, error]).toEqual([size, [{ a: "é" }, { a: 2 }], null]);
    }
  });

  test("leaves out what was cut off at its end", async () => {
    const { got, error } = await reading(stream(['event: check\ndata: 1\n\nevent: check\ndata: {"a"']));
    expect([got, error]).toEqual([[1], null]);
  });

  test("that breaks off, or never comes, is told as a service that does not answer", async () => {
    for (const answer of [stream(["event: check\ndata: 1\n\n"], true), new TypeError("Failed to fetch")]) {
      const { error } = await reading(answer);
      expect((error as Refusal).code).toBe("NO_CONNECTION");
    }
  });

  test("that is refused says why, in the service's words", async () => {
    for (const [status, code] of [
      [429, "RATE_LIMITED"],
      [503, "TOO_MANY_STREAMS"],
      [422, "VALIDATION_ERROR"],
    ] as const) {
      const { error } = await reading(refused(status, code));
      expect([(error as Refusal).code, (error as Refusal).message]).toEqual([code, `Refused: ${code}.`]);
    }
    // A proxy may answer in the service's place.
    const { error } = await reading(new Response("<h1>Sign in</h1>", { headers: { "content-type": "text/html" } }));
    expect(error).toBeInstanceOf(Refusal);
  });

  test("is asked for again with the token of another sign-in", async () => {
    const fresh = new Response('<meta name="csrf-token" content="token-2">');
    const { got, tokens } = await reading(refused(403, "CSRF_FAILED"), fresh, stream(["event: check\ndata: 1\n\n"]));
    expect([got, tokens]).toEqual([[1], ["token-1", null, "token-2"]]);
  });

  test("leads to sign-in and back when the session has ended", async () => {
    const { left } = await reading(refused(401, "AUTH_REQUIRED"));
    expect(left).toEqual(["/login?next=%2F"]);
  });
});
