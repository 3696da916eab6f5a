import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import type { Settings } from "../../../server/domain/settings/settings.ts";
import type { Route } from "../../../server/http/request/route.ts";
import { type Browser, HttpStage, type StageApp } from "../../support/app/http.ts";

/** A change that tells when it began and what it did. */
function slowChange() {
  const began = Promise.withResolvers<void>();
  const done: unknown[] = [];
  const route: Route<StageApp> = {
    method: "PATCH",
    path: "/api/slow",
    access: "signed-in",
    handle: async (context) => {
      began.resolve();
      done.push(await context.json());
      return Response.json({ done: true });
    },
  };
  return { route, done, began: began.promise };
}

/** Sends the head of a change, and the body when it is told to. */
async function halfSent(stage: HttpStage, browser: Browser) {
  const token = await browser.token();
  const body = JSON.stringify({ mode: "none" });
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = Promise.withResolvers<string>();
  let text = "";
  const socket = connect(stage.listening.port, "127.0.0.1", () =>
    socket.write(
      [
        "PATCH /api/slow HTTP/1.1\r\nHost: nas\r\nConnection: close\r\nContent-Type: application/json",
        `Cookie: ${cookie}\r\nX-CSRFToken: ${token}\r\nX-Remote-User: anna\r\nContent-Length: ${body.length}\r\n\r\n{`,
      ].join("\r\n"),
    ),
  );
  socket.on("data", (data) => {
    text += data;
  });
  socket.on("close", () => answer.resolve(text));
  socket.on("error", answer.reject);
  return {
    finish(): Promise<string> {
      socket.write(body.slice(1));
      return answer.promise;
    },
  };
}

describe("a change whose body is on the way", () => {
  type Auth = Partial<Settings["auth"]>;
  const rows: [what: string, auth: Auth, end: (stage: HttpStage, browser: Browser) => Promise<unknown>][] = [
    ["the session was signed out", {}, (_, browser) => browser.act("/logout")],
    ["all sessions were ended", {}, (stage) => stage.changeAuth({ session_secret: "" })],
    [
      "the password was changed",
      {},
      (stage) => stage.changeAuth({ password_hash: "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$b3RoZXJoYXNo" }),
    ],
    ["the proxy signs people in from now on", {}, (stage) => stage.changeAuth({ mode: "proxy" })],
    [
      "the proxy is trusted no more",
      { mode: "proxy", trusted_proxies: ["127.0.0.1"] },
      (stage) => stage.changeAuth({ trusted_proxies: ["10.0.0.1"] }),
    ],
  ];
  for (const [what, auth, end] of rows)
    test(`is refused when ${what}`, async () => {
      const { route, done, began } = slowChange();
      await using stage = await HttpStage.open({ auth: { trusted_proxies: ["10.0.0.1"] }, routes: [route] });
      const browser = await stage.signedIn({ "x-remote-user": "anna" });
      await stage.changeAuth(auth);
      const change = await halfSent(stage, browser);
      await began;
      await end(stage, browser);
      const answer = await change.finish();
      expect(answer).toStartWith("HTTP/1.1 401");
      expect(answer).toContain("AUTH_REQUIRED");
      expect(done).toEqual([]);
    });

  test("is done when nothing has changed", async () => {
    const { route, done, began } = slowChange();
    await using stage = await HttpStage.open({ routes: [route] });
    const change = await halfSent(stage, await stage.signedIn());
    await began;
    expect(await change.finish()).toStartWith("HTTP/1.1 200");
    expect(done).toEqual([{ mode: "none" }]);
  });
});
