import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { temporaryPlace } from "./support/app/process.ts";
import { call, LISTENING, putSettings, serve, serveArgs } from "./support/app/service.ts";

setDefaultTimeout(60_000);

const CODE = /: INFO No password is set yet\. .* asks for this code: ([2-9A-Z]{4}-[2-9A-Z]{4})$/m;
const PASSWORD = "three quiet green harbours";

test("the start prints the code of a first run from outside on standard error, and nowhere else", async () => {
  await using place = await temporaryPlace();
  await using service = await serve(place, [], { env: { SERVICE_TRUST_PROXY: "1" } });
  const { running, client } = service;
  await running.says(CODE, "err");
  const [, code = ""] = CODE.exec(running.err) ?? [];
  expect(code).not.toBe("");
  expect(running.out).toMatch(LISTENING);

  const outside = { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
  const page = await client.fetch("/first-run", { headers: outside });
  const [, csrf_token = ""] = /<meta name="csrf-token" content="([^"]*)"/.exec(await page.text()) ?? [];
  const send = (more: Record<string, string>) => {
    const body = new URLSearchParams({ csrf_token, password: PASSWORD, confirm: PASSWORD, ...more });
    return client.fetch("/first-run", { method: "POST", body, headers: outside });
  };
  expect((await send({})).status).toBe(400);
  const set = await send({ code });
  expect([set.status, set.headers.get("location")]).toEqual([302, "/login"]);

  await client.signIn("admin", PASSWORD);
  expect(await (await client.fetch("/api/logs/recent")).text()).not.toContain(code);
  running.signal("SIGTERM");
  const { out, err } = await running.ended;
  expect(out).not.toContain(code);
  expect(err.split(code)).toHaveLength(2);
  expect(await readFile(place.at("config", "logs", "dashdock.log"), "utf8")).not.toContain(code);
  expect(await readFile(place.at("config", "settings.json"), "utf8")).not.toContain(code);
});

test("nothing of it is printed where a password is set, or nobody has to sign in", async () => {
  for (const env of [{ SERVICE_ADMIN_PASSWORD: PASSWORD }, {}]) {
    await using place = await temporaryPlace();
    if (!("SERVICE_ADMIN_PASSWORD" in env)) putSettings(place, { auth: { mode: "none" } });
    await using running = call(place, serveArgs(place), { env });
    await running.says(LISTENING);
    running.signal("SIGTERM");
    expect((await running.ended).err).not.toMatch(/code/);
  }
});
