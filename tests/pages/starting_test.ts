import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { openApp } from "../../server/app.ts";
import { listen } from "../../server/http/listen/server.ts";
import { errorPage, ROUTES } from "../../server/routes.ts";
import { Client } from "../support/app/client.ts";
import { cheapHash, PASSWORD } from "../support/app/http.ts";
import { temporaryPlace } from "../support/app/process.ts";

setDefaultTimeout(20_000);

/** The service as it listens before its stores are open. */
async function starting(hash = "") {
  const place = await temporaryPlace();
  const app = await openApp({ configDir: place.at("config"), destination: place.at("recordings"), env: {} });
  await app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, password_hash: hash } }));
  const listening = listen(app, ROUTES, errorPage, { port: 0, host: "127.0.0.1" });
  return {
    app,
    client: new Client(listening.url),
    async [Symbol.asyncDispose]() {
      await app.close();
      await listening.stop();
      await place[Symbol.asyncDispose]();
    },
  };
}

describe("while the service starts", () => {
  test("every page waits by itself and goes on to where it was to lead", async () => {
    await using stage = await starting();
    for (const path of ["/", "/settings", "/viewer?only=kept", "/login", "/first-run"]) {
      const answer = await stage.client.fetch(path);
      expect([path, answer.status, answer.headers.get("refresh")]).toEqual([path, 503, "5"]);
      expect(await answer.text()).toContain("Dashdock is starting");
    }
    await stage.app.openStores();
    expect((await stage.client.fetch("/settings")).headers.get("location")).toBe("/first-run");
  });

  test("a form that is sent says that it was not taken, and the name stays", async () => {
    for (const [path, fields, hash, said] of [
      ["/first-run", { username: "anna", confirm: PASSWORD }, "", "Try again in a moment."],
      ["/login", { username: "anna" }, await cheapHash(PASSWORD), "Dashdock did not accept your entry. Sign in again"],
    ] as const) {
      await using stage = await starting(hash);
      const answer = await stage.client.submit(path, { ...fields, password: PASSWORD });
      const text = await answer.text();
      expect([path, answer.status]).toEqual([path, 503]);
      expect(text).toContain(said);
      expect(text).toMatch(/<input[^>]*name="username"[^>]*value="anna"/);
      expect(stage.app.settings.current.auth.password_hash).toBe(hash);
    }
  });

  test("what else is sent gets a page that says so instead of one that promises to try again", async () => {
    await using stage = await starting();
    const answer = await stage.client.submit("/logout", {});
    expect([answer.status, answer.headers.get("refresh")]).toEqual([503, null]);
    expect(await answer.text()).toContain(
      "Dashdock did not accept your entry. Go back, and send it again in a moment.",
    );
  });
});
