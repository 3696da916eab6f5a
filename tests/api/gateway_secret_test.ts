import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startApp } from "../support/app/app.ts";

setDefaultTimeout(30_000);

const PATCH = "/api/settings/metrics";
const SHOWN = "http://***@127.0.0.1:1/push";
const WHOLE = "http://anna:s3cret-word@127.0.0.1:1/push";

test("user and password of the push gateway are shown to nobody, and stay when what is shown comes back", async () => {
  await using running = await startApp({ settings: { retention: { keep: "" } } });
  const { client, app } = running;
  await client.open("/");
  expect((await client.send("PATCH", PATCH, { pushgateway_url: WHOLE })).status).toBe(200);
  const { metrics } = await (await client.fetch("/api/settings")).json();
  expect(metrics.pushgateway_url).toBe(SHOWN);
  const page = (await client.open("/settings")).text;
  expect([page.includes("***@127.0.0.1:1/push"), page.includes("s3cret")]).toEqual([true, false]);

  for (const body of [
    metrics,
    { pushgateway_url: SHOWN },
    { pushgateway_url: "***" },
    { pushgateway_url: SHOWN, job: "b" },
  ])
    expect((await client.send("PATCH", PATCH, body)).status).toBe(200);
  expect(app.settings.current.metrics).toMatchObject({ pushgateway_url: WHOLE, job: "b" });
  const stored = JSON.parse(await readFile(join(running.folder, "config", "settings.json"), "utf8"));
  expect(stored.metrics.pushgateway_url).toBe(WHOLE);

  // The password does not go to another gateway unasked.
  for (const pushgateway_url of ["http://***@evil.example/push", "http://***@127.0.0.1:1/other"]) {
    const answer = await client.send("PATCH", PATCH, { pushgateway_url });
    expect([pushgateway_url, answer.status]).toEqual([pushgateway_url, 422]);
    const [error] = (await answer.json()).details.field_errors;
    expect(error).toEqual({ path: "metrics.pushgateway_url", message: expect.stringMatching(/type both anew$/) });
  }
  const wrong = await client.send("PATCH", PATCH, { pushgateway_url: "http://anna:s3cret-word@gate?x" });
  expect([wrong.status, (await wrong.text()).includes("s3cret")]).toEqual([422, false]);

  app.log.error("metrics", `What another part may say: PUT ${WHOLE}/metrics failed`);
  await client.send("POST", "/api/sync/now");
  await running.synced();
  await app.logFile.flush();
  const log = await readFile(join(running.folder, "config", "logs", "dashdock.log"), "utf8");
  expect([log.includes("Cannot push metrics"), log.includes("http://***@127.0.0.1:1/push")]).toEqual([true, true]);
  const lines = JSON.stringify(await (await client.fetch("/api/logs/recent")).json());
  expect(`${log}${lines}`).not.toContain("s3cret");

  expect((await client.send("PATCH", PATCH, { pushgateway_url: "http://127.0.0.1:1" })).status).toBe(200);
  expect((await client.send("PATCH", PATCH, { pushgateway_url: null })).status).toBe(200);
  expect(app.settings.current.metrics.pushgateway_url).toBeNull();
});

test("the gateway gets the user and the password all the same", async () => {
  const heard: (string | null)[] = [];
  const gateway = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ headers }) => {
      heard.push(headers.get("authorization"));
      return new Response(null, { status: 202 });
    },
  });
  try {
    const metrics = { pushgateway_url: `http://an%40na:s3cret@127.0.0.1:${gateway.port}` };
    await using running = await startApp({ settings: { metrics, retention: { keep: "" } } });
    await running.client.open("/");
    await running.client.send("POST", "/api/sync/now");
    await running.synced();
    expect(heard).toEqual([`Basic ${btoa("an@na:s3cret")}`]);
  } finally {
    await gateway.stop(true);
  }
});
