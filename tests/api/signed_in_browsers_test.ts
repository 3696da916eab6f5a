import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app/app.ts";
import { Client } from "../support/app/client.ts";

setDefaultTimeout(30_000);

const PASSWORD = "correct horse battery staple";

interface Listed {
  readonly sessions: readonly { readonly id: string; readonly browser: string; readonly current: boolean }[];
}

const signedIn = async (url: string) => {
  const client = new Client(url);
  await client.signIn("admin", PASSWORD);
  await client.open("/");
  return client;
};
const listed = async (client: Client) => (await (await client.fetch("/api/auth/sessions")).json()) as Listed;

describe("the browsers that are signed in", () => {
  test("are listed, and one is signed out without the others", async () => {
    await using app = await startApp({ mode: "login", password: PASSWORD });
    const one = await signedIn(app.url);
    const other = await signedIn(app.url);
    const { sessions } = await listed(one);
    expect(sessions.map(({ current }) => current).sort()).toEqual([false, true]);
    const foreign = sessions.find(({ current }) => !current)?.id ?? "";
    expect(JSON.stringify(sessions)).not.toContain(one.cookie("dashdock_session")?.slice(0, 20) ?? "?");
    expect((await one.send("DELETE", `/api/auth/sessions/${foreign}`)).status).toBe(200);
    expect((await other.fetch("/api/status")).status).toBe(401);
    expect((await one.fetch("/api/status")).status).toBe(200);
    expect((await listed(one)).sessions.length).toBe(1);
    expect((await one.send("DELETE", `/api/auth/sessions/${foreign}`)).status).toBe(404);
  });

  test("are known again after a restart, and end with another password", async () => {
    const first = await startApp({ mode: "login", password: PASSWORD });
    await signedIn(first.url);
    const [before, cookie] = await (async () => {
      const client = await signedIn(first.url);
      return [(await listed(client)).sessions.length, client.cookie("dashdock_session")] as const;
    })();
    expect(before).toBe(2);
    await first.stop();
    await using second = await startApp({ mode: "login", folder: first.folder });
    const again = await signedIn(second.url);
    expect((await listed(again)).sessions.length).toBe(3);
    const changed = await again.send("POST", "/api/auth/password", {
      current_password: PASSWORD,
      new_password: `${PASSWORD}!`,
    });
    expect(changed.status).toBe(200);
    expect((await listed(again)).sessions.map(({ current }) => current)).toEqual([true]);
    expect(cookie).toBeDefined();
  });

  test("are none where nobody signs in with a password", async () => {
    await using app = await startApp();
    expect((await listed(app.client)).sessions).toEqual([]);
  });
});
