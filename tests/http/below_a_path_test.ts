import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { simulatedCard } from "../../server/dashcam/simulator/simulated_card.ts";
import { demoFootage } from "../../server/dashcam/simulator/simulated_demo.ts";
import { ROUTES } from "../../server/routes.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { Client } from "../support/app/client.ts";
import { crawl } from "../support/app/crawl.ts";
import { type Behind, type FrontProxy, PROXIES, startCaddy, startNginx } from "../support/app/front_proxy.ts";
import { INGRESS_PATH, type Ingress, startIngress, SUPERVISOR } from "../support/app/ingress.ts";
import { Frames } from "../support/browser/frames.ts";

setDefaultTimeout(60_000);

const BASE = "/dashcam";
const PASSWORD = "a long enough password";
/** Pages that a crawl has to come to: all that are not for those who are signed out, and need no run or link of their own. */
const PAGES = ROUTES.filter(
  ({ method, path, access }) =>
    method === "GET" && /^(look|signed-in)$/.test(access) && !/^\/(api|hx|media|film|tiles)\//.test(path),
).map(({ path }) => path);

/** Has something to show on each page. */
async function fill(app: RunningApp, client: Client): Promise<void> {
  app.app.job.start("manual");
  await app.synced();
  app.simulator.fault("list-500");
  app.app.job.start("manual");
  await app.synced();
  await client.open("/");
  const [deleted = "", kept = ""] = [...new Bun.Glob("**/*F.mp4").scanSync(app.destination)].map(
    (path) => path.split("/").at(-1)?.slice(0, 17) ?? "",
  );
  expect((await client.send("DELETE", `/api/recordings/${deleted}`)).status).toBe(200);
  expect((await client.send("PUT", `/api/recordings/${kept}/keep`, { note: "here" })).status).toBe(200);
  expect((await client.send("POST", "/api/shares", { span: { key: kept } })).status).toBe(201);
}

const cardOf = async () =>
  simulatedCard({ recordings: 6, now: Date.UTC(2026, 5, 7, 10, 20), footage: await demoFootage() });
const SETTINGS = {
  share: { enabled: true },
  retention: { keep: "" },
  sync: { grouping: "daily" as const },
  schedule: { paused: true },
};

const FRONTS: readonly {
  readonly name: keyof typeof PROXIES;
  readonly start: (behind: Behind) => Promise<FrontProxy>;
  readonly file: string;
}[] = [
  { name: "nginx", start: startNginx, file: "nginx-sub-path.conf" },
  { name: "Caddy", start: startCaddy, file: "Caddyfile-sub-path" },
];

for (const { name, start, file } of FRONTS)
  describe.skipIf(PROXIES[name] === null)(`below a path behind ${name}, as ${file} sets it up`, () => {
    let app: RunningApp;
    let front: FrontProxy;
    let client: Client;
    beforeAll(async () => {
      const settings = { ...SETTINGS, web: { base_path: BASE } };
      const env = { SERVICE_TRUST_PROXY: "1" };
      app = await startApp({ mode: "login", password: PASSWORD, settings, env, card: await cardOf() });
      front = await start({ file, service: app.listening.port, signIn: 0 });
      client = front.visitor(BASE);
      await client.signIn("admin", PASSWORD);
      await fill(app, client);
    });
    afterAll(async () => {
      await front[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    });

    test("every page is there, and none leads out of it", async () => {
      const { routes, problems } = await crawl((path, init) => client.fetch(path.slice(BASE.length), init), BASE);
      expect(problems).toEqual([]);
      expect(PAGES.filter((path) => !routes.has(path))).toEqual([]);
    });

    test("the path without its slash leads to the dashboard", async () => {
      const answer = await front.client.fetch(BASE);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, "/dashcam/"]);
    });

    test("what a client says of the path does not count", async () => {
      const headers = { "x-forwarded-prefix": "/evil", "x-ingress-path": "/evil" };
      expect(await (await client.fetch("/viewer", { headers })).text()).not.toContain("/evil");
    });

    test("events arrive when they happen", async () => {
      await using frames = await Frames.open(client, "/api/sync/progress/stream");
      expect((await frames.next())?.data["state"]).toBeString();
      expect((await client.send("POST", "/api/sync/now")).status).toBe(202);
      await frames.until(({ state }) => state === "running" || state === "failed");
    });
  });

describe("as an app of Home Assistant", () => {
  let app: RunningApp;
  let ingress: Ingress;
  let client: Client;
  beforeAll(async () => {
    const auth = { trusted_proxies: [SUPERVISOR], proxy_user_header: "X-Remote-User-Name" };
    app = await startApp({ mode: "proxy", settings: { ...SETTINGS, auth }, card: await cardOf() });
    ingress = await startIngress(app.listening.port, "ada");
    client = new Client(ingress.url + INGRESS_PATH);
    await fill(app, client);
  });
  afterAll(async () => {
    await ingress[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });

  test("every page is there, and none leads out of it", async () => {
    const ask = (path: string, init?: RequestInit) => client.fetch(path.slice(INGRESS_PATH.length), init);
    const { routes, problems } = await crawl(ask, INGRESS_PATH);
    expect(problems).toEqual([]);
    expect(PAGES.filter((path) => !routes.has(path))).toEqual([]);
  });

  test("its page may show the pages in a frame, and no other site may", async () => {
    const policy = (await client.fetch("/viewer")).headers.get("content-security-policy");
    expect(policy).toContain("frame-ancestors 'self'");
    const direct = await fetch(`${app.url}/viewer`);
    expect(direct.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  test("the user is whom the Supervisor names, whatever a client says", async () => {
    for (const headers of [{}, { "x-remote-user-name": "eve" }]) {
      const me = await client.fetch("/api/auth/me", { headers });
      expect(await me.json()).toEqual({ username: "ada", mode: "proxy", role: "admin" });
    }
  });

  test("from any other address neither user nor path is believed", async () => {
    const headers = { "x-remote-user-name": "ada", "x-remote-user-id": "8d1f", "x-ingress-path": INGRESS_PATH };
    for (const more of [{}, { "x-forwarded-for": SUPERVISOR }]) {
      const me = await fetch(`${app.url}/api/auth/me`, { headers: { ...headers, ...more } });
      expect(me.status).toBe(401);
      const page = await fetch(`${app.url}/`, { headers: { ...headers, ...more } });
      expect([page.status, (await page.text()).includes("hassio")]).toEqual([401, false]);
    }
  });

  test("a change from its pages goes through, and events arrive", async () => {
    await using frames = await Frames.open(client, "/api/sync/progress/stream");
    expect((await frames.next())?.data["state"]).toBeString();
    await client.open("/");
    const origin = { origin: ingress.url };
    expect((await client.send("POST", "/api/sync/now", undefined, origin)).status).toBe(202);
    await frames.until(({ state }) => state === "running" || state === "failed");
  });
});
