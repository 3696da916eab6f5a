import { describe, expect, test } from "bun:test";
import { type Asker, csrfToken, Refusal, send, sentenceOfError } from "../../../islands/browser/client.ts";
import { DomPage } from "../../support/browser/dom.ts";

const HEAD = '<meta name="csrf-token" content="token-1">';

/** A page and a service that answers in turn with what it was given. */
function asking(...answers: (Response | Error)[]) {
  const dom = new DomPage("", { path: "/settings?x=1#auth", head: HEAD });
  const asked: { path: string; init: RequestInit }[] = [];
  const ask: Asker["ask"] = async (path, init = {}) => {
    asked.push({ path, init });
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new Error("an unexpected question");
  };
  return { dom, asked, asker: { page: dom.page, ask } };
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

async function refused(promise: Promise<unknown>): Promise<Refusal> {
  const error = await promise.then(
    () => null,
    (reason) => reason,
  );
  if (!(error instanceof Refusal)) throw new Error(`expected a refusal, not ${error}`);
  return error;
}

describe("send()", () => {
  test("asks without a token, and gives back the JSON", async () => {
    const { dom, asked, asker } = asking(json(200, { state: "idle" }));
    await using _ = dom;
    expect(await send("GET /api/sync/progress", undefined, undefined, asker)).toEqual({ state: "idle" });
    expect(asked).toEqual([
      { path: "/api/sync/progress", init: { method: "GET", headers: { accept: "application/json;base=no" } } },
    ]);
  });

  test("changes something with the token of the page and the body as JSON", async () => {
    const { dom, asked, asker } = asking(json(200, {}));
    await using _ = dom;
    await send("PATCH /api/settings/logging", { quiet: true }, undefined, asker);
    expect(asked[0]).toEqual({
      path: "/api/settings/logging",
      init: {
        method: "PATCH",
        headers: { accept: "application/json;base=no", "x-csrftoken": "token-1", "content-type": "application/json" },
        body: '{"quiet":true}',
      },
    });
  });

  test("gives null when the answer has no body", async () => {
    const { dom, asker } = asking(new Response(null, { status: 204 }));
    await using _ = dom;
    expect(await send("GET /api/sync/last", undefined, undefined, asker)).toBeNull();
  });

  test("turns a refusal into its sentence, its code and its details", async () => {
    const body = {
      error: "A sync is running already.",
      code: "SYNC_ALREADY_RUNNING",
      details: { current_job_id: "a" },
    };
    const { dom, asker } = asking(json(409, body));
    await using _ = dom;
    const refusal = await refused(send("POST /api/sync/now", undefined, undefined, asker));
    expect([refusal.message, refusal.code, refusal.details]).toEqual([
      body.error,
      "SYNC_ALREADY_RUNNING",
      body.details,
    ]);
    expect(sentenceOfError(refusal)).toBe(body.error);
    expect(dom.left).toEqual([]);
  });

  test("says so when an answer makes no sense, as from a proxy in between", async () => {
    for (const answer of [
      new Response("<h1>Bad gateway</h1>", { status: 502 }),
      json(502, null),
      json(502, { a: 1 }),
    ]) {
      const { dom, asker } = asking(answer);
      await using _ = dom;
      const refusal = await refused(send("POST /api/sync/now", undefined, undefined, asker));
      expect([refusal.code, refusal.message.includes("502")]).toEqual(["UNKNOWN", true]);
    }
  });

  test("says so when the service does not answer", async () => {
    const { dom, asker } = asking(new TypeError("Failed to fetch"));
    await using _ = dom;
    const refusal = await refused(send("POST /api/sync/now", undefined, undefined, asker));
    expect([refusal.code, refusal.message]).toEqual([
      "NO_CONNECTION",
      "Dashdock does not answer. Check that it runs and that this device is in the same network.",
    ]);
  });

  test("does not take a good answer that was cut off for one", async () => {
    const { dom, asker } = asking(new Response('{"sentence":"All 412 rec'));
    await using _ = dom;
    expect((await refused(send("GET /api/overview", undefined, undefined, asker))).code).toBe("NO_CONNECTION");
  });

  test("does not call it a lost connection when the caller has aborted", async () => {
    const stopped = new DOMException("The operation was aborted", "AbortError");
    const { dom, asked, asker } = asking(stopped);
    await using _ = dom;
    const signal = AbortSignal.abort();
    const error = await send("GET /api/status", undefined, signal, asker).catch((reason: unknown) => reason);
    expect(error).toBe(stopped);
    expect(asked[0]?.init.signal).toBe(signal);
  });

  test("leads to sign-in and back when the session has ended", async () => {
    const { dom, asker } = asking(json(401, { error: "Sign in first.", code: "AUTH_REQUIRED", details: {} }));
    await using _ = dom;
    const refusal = await refused(send("POST /api/sync/now", undefined, undefined, asker));
    expect(refusal.code).toBe("AUTH_REQUIRED");
    expect(dom.left).toEqual(["/login?next=%2Fsettings%3Fx%3D1%23auth"]);
  });

  test("stays on the page when only a password was wrong", async () => {
    const { dom, asker } = asking(json(401, { error: "Wrong.", code: "INVALID_CURRENT_PASSWORD", details: {} }));
    await using _ = dom;
    expect((await refused(send("POST /api/auth/password", {}, undefined, asker))).code).toBe(
      "INVALID_CURRENT_PASSWORD",
    );
    expect(dom.left).toEqual([]);
  });
});

describe("a token that is out of date", () => {
  const STALE = { error: "This page is out of date.", code: "CSRF_FAILED", details: {} };
  const page = (token: string) =>
    new Response(`<!doctype html><html><head><meta name="csrf-token" content="${token}"></head><body></body></html>`);

  test("is taken from the page anew, and the change is sent once more", async () => {
    const { dom, asked, asker } = asking(json(403, STALE), page("token-2"), json(200, { ok: true }));
    await using _ = dom;
    expect(await send("POST /api/sync/now", undefined, undefined, asker)).toEqual({ ok: true });
    expect(asked.map(({ path }) => path)).toEqual(["/api/sync/now", "/settings", "/api/sync/now"]);
    expect(asked[2]?.init.headers).toMatchObject({ "x-csrftoken": "token-2" });
    expect(csrfToken(dom.page)).toBe("token-2");
  });

  test("is not tried again when the page has no other one", async () => {
    const { dom, asked, asker } = asking(json(403, STALE), page("token-1"));
    await using _ = dom;
    expect((await refused(send("POST /api/sync/now", undefined, undefined, asker))).code).toBe("CSRF_FAILED");
    expect(asked).toHaveLength(2);
  });
});

test("csrfToken() is empty on a page without one", async () => {
  await using dom = new DomPage("");
  expect(csrfToken(dom.page)).toBe("");
});

test("sentenceOfError() has words for what is no refusal", () => {
  expect(sentenceOfError(new TypeError("x is undefined"))).toBe("Something went wrong in this page. Load it again.");
});
