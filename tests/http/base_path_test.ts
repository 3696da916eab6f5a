import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { request } from "node:http";
import { simulatedCard } from "../../server/dashcam/simulator/simulated_card.ts";
import { demoFootage } from "../../server/dashcam/simulator/simulated_demo.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { Client } from "../support/app/client.ts";

const BASE = "/dashcam";
const PASSWORD = "correct horse battery staple";

interface Told {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}

/** The answer to a path that is sent as it stands. @param from an address of this machine that the request comes from */
function asked(app: RunningApp, path: string, headers: Record<string, string> = {}, from = "127.0.0.1"): Promise<Told> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: app.listening.port, path, headers, localAddress: from, agent: false };
    const sent = request(options, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? null, text }),
      );
    });
    sent.on("error", reject).end();
  });
}

/** The base that a page names to its scripts; null without one. */
const baseIn = ({ text }: Told) => /<html data-base="([^"]*)"/.exec(text)?.[1] ?? null;

describe("below the base of the settings", () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { web: { base_path: BASE }, retention: { keep: "" } } });
    app.app.job.start("manual");
    await app.synced();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const rows: [path: string, status: number, location?: string][] = [
    ["/dashcam/", 200],
    ["/dashcam/viewer", 200],
    ["/dashcam", 302, "/dashcam/"],
    ["/dashcam?start", 302, "/dashcam/?start"],
    ["/dashcam/login", 302, "/dashcam/"],
    ["/dashcam/help", 302, "/dashcam/help/first-steps"],
    ["/dashcam/api/status", 200],
    ["/dashcam/healthz", 200],
    ["/dashcam/readyz", 200],
    ["/healthz", 200],
    ["/readyz", 200],
    ["/", 404],
    ["/viewer", 404],
    ["/api/status", 404],
    ["/metrics", 404],
    ["/assets/app.css", 404],
    ["/dashcam2/viewer", 404],
    ["/dashcamviewer", 404],
    ["/dashcam//viewer", 404],
    ["//dashcam/viewer", 404],
    ["/dashcam/dashcam/viewer", 404],
    ["/%64ashcam/viewer", 404],
    ["/dashcam%2fviewer", 404],
    ["/dashcam/../viewer", 404],
    ["/x/../dashcam/viewer", 404],
    ["/dashcam/..%2fviewer", 404],
    ["//evil.example/dashcam/", 404],
    ["/Dashcam/viewer", 404],
  ];
  for (const [path, status, location = null] of rows)
    test(`${path} is answered with ${status}`, async () => {
      const told = await asked(app, path);
      expect([told.status, told.location]).toEqual([status, location]);
    });

  test("a page outside is not found, as a page or as JSON, and leads back in", async () => {
    const page = await asked(app, "/viewer");
    expect([baseIn(page), page.text.includes('href="/dashcam/"')]).toEqual([BASE, true]);
    expect(JSON.parse((await asked(app, "/api/status")).text)).toMatchObject({ code: "NOT_FOUND" });
  });

  test("only GET and HEAD lead from the base to its page", async () => {
    const post = await fetch(`${app.url}${BASE}`, { method: "POST", redirect: "manual" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const head = await fetch(`${app.url}${BASE}`, { method: "HEAD", redirect: "manual" });
    expect([head.status, head.headers.get("location")]).toEqual([302, "/dashcam/"]);
  });

  test("addresses in JSON begin with it, but not for our own pages", async () => {
    const ask = async (headers: Record<string, string>) =>
      JSON.parse((await asked(app, `${BASE}/api/viewer/recordings`, headers)).text) as {
        days: { recordings: { videos: Record<string, string>; thumb: string | null }[] }[];
      };
    const addresses = ({ days }: Awaited<ReturnType<typeof ask>>) =>
      days.flatMap(({ recordings }) =>
        recordings.flatMap(({ videos, thumb }) => [...Object.values(videos), thumb ?? ""]),
      );
    const based = addresses(await ask({}));
    expect(based.length).toBeGreaterThan(3);
    expect(based.filter((address) => !address.startsWith("/dashcam/media/"))).toEqual([]);
    expect((await asked(app, based[0] ?? "")).status).toBe(200);
    const bare = addresses(await ask({ accept: "application/json;base=no" }));
    expect(bare.map((address) => BASE + address)).toEqual(based);
  });

  test("the description of the API and the manifest name it", async () => {
    const { servers } = JSON.parse((await asked(app, `${BASE}/api/openapi.json`)).text);
    expect(servers).toEqual([{ url: BASE }]);
    const manifest = JSON.parse((await asked(app, `${BASE}/manifest.webmanifest`)).text);
    expect(manifest).toMatchObject({ id: "/dashcam/", start_url: "/dashcam/", scope: "/dashcam/" });
    expect([manifest.icons[0].src, manifest.shortcuts[0].url]).toEqual([
      expect.stringMatching(/^\/dashcam\/assets\//),
      "/dashcam/viewer",
    ]);
  });

  test("a change of it counts from the next start on", async () => {
    const client = new Client(app.url + BASE);
    await client.open("/settings");
    const answer = await client.send("PATCH", "/api/settings/web", { base_path: "/other" });
    expect([answer.status, (await answer.json()).tier]).toEqual([200, "restart"]);
    expect([(await asked(app, "/dashcam/viewer")).status, (await asked(app, "/other/viewer")).status]).toEqual([
      200, 404,
    ]);
    const refused = await client.send("PATCH", "/api/settings/web", { base_path: "/a/../b" });
    expect(refused.status).toBe(422);
  });
});

describe("signing in below a base", () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({
      mode: "login",
      password: PASSWORD,
      settings: { web: { base_path: BASE }, share: { enabled: true }, retention: { keep: "" } },
      card: simulatedCard({ recordings: 2, now: Date.UTC(2026, 5, 7, 10, 20), footage: await demoFootage() }),
    });
    app.app.job.start("manual");
    await app.synced();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("leads there and back, with cookies for the base alone", async () => {
    const client = new Client(app.url + BASE);
    const first = await client.fetch("/viewer?key=1");
    expect([first.status, first.headers.get("location")]).toEqual([302, "/dashcam/login?next=/viewer%3Fkey%3D1"]);
    const fragment = await client.fetch("/hx/state", {
      headers: { "hx-request": "true", "hx-current-url": `${app.url}${BASE}/settings#auth` },
    });
    expect([fragment.status, fragment.headers.get("hx-redirect")]).toEqual([
      401,
      "/dashcam/login?next=/settings%23auth",
    ]);
    await client.open("/login");
    const signedIn = await client.submit("/login", { username: "admin", password: PASSWORD, next: "/settings" });
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([302, "/dashcam/settings"]);
    const cookies = signedIn.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(1);
    expect(cookies.filter((cookie) => !cookie.includes("; Path=/dashcam;"))).toEqual([]);
    await client.open("/");
    const signedOut = await client.submit("/logout", {});
    expect([signedOut.status, signedOut.headers.get("location")]).toEqual([302, "/dashcam/login"]);
    expect(signedOut.headers.getSetCookie().filter((cookie) => !cookie.includes("; Path=/dashcam;"))).toEqual([]);
  });

  test("a link for others is below it, with the cookie of its password", async () => {
    const client = new Client(app.url + BASE);
    await client.signIn("admin", PASSWORD);
    const keys = [...new Bun.Glob("**/*F.mp4").scanSync(app.destination)].map((path) => path.split("/").at(-1) ?? "");
    const made = await client.send("POST", "/api/shares", {
      span: { key: keys[0]?.slice(0, 17) },
      password: "open sesame",
    });
    const { url } = (await made.json()) as { url: string };
    expect(url).toStartWith(`${app.url}/dashcam/s/`);
    const path = new URL(url).pathname;
    const page = await (await fetch(url)).text();
    expect(page).toContain(`action="${path}"`);
    const answer = await fetch(url, {
      method: "POST",
      body: new URLSearchParams({ password: "open sesame" }),
      redirect: "manual",
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, path]);
    expect(answer.headers.getSetCookie().join()).toContain(`; Path=${path};`);
  });
});

describe("below a base that a proxy names", () => {
  const PROXY = "127.0.0.2";
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { auth: { trusted_proxies: [PROXY] } } });
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const prefix = (value: string) => ({ "x-forwarded-prefix": value });
  const ingress = (value: string) => ({ "x-ingress-path": value });

  const rows: [name: string, path: string, headers: Record<string, string>, status: number, base: string | null][] = [
    ["without it in the path", "/viewer", prefix(BASE), 200, BASE],
    ["with it in the path", "/dashcam/viewer", prefix(BASE), 200, BASE],
    ["of Home Assistant", "/viewer", ingress("/api/hassio_ingress/a-B_1"), 200, "/api/hassio_ingress/a-B_1"],
    ["of two headers", "/viewer", { ...prefix(BASE), ...ingress("/other") }, 200, BASE],
    ["of the good one of two headers", "/viewer", { ...prefix("/a/../b"), ...ingress("/other") }, 200, "/other"],
    ["of the name of a page, without it in the path", "/viewer", prefix("/viewer"), 200, "/viewer"],
    ["of the name of a page, with it in the path", "/viewer/settings", prefix("/viewer"), 200, "/viewer"],
    ["of the name of a page, with it and a slash alone", "/viewer/", prefix("/viewer"), 200, "/viewer"],
    ["that another path begins with", "/dashcam2/viewer", prefix(BASE), 404, BASE],
    ["twice in the path", "/dashcam/dashcam/viewer", prefix(BASE), 404, BASE],
    ["with dots in the path behind it", "/dashcam/s/%2e%2e/viewer", prefix(BASE), 404, BASE],
    ["with dots in the path behind it that lead out", "/dashcam/../viewer", prefix(BASE), 404, BASE],
    ["with dots in the path before it", "/x/../dashcam/viewer", prefix(BASE), 404, BASE],
    ["with backslashes in the path", "/dashcam\\..\\dashcam\\viewer", prefix(BASE), 404, BASE],
    ["with dots and a slash at the end", "/dashcam/s/%2e%2e/", prefix(BASE), 404, BASE],
    ["with more parts than any path has", `/dashcam/media${"/a".repeat(30)}`, prefix(BASE), 404, BASE],
    ["in none", "/viewer", {}, 200, null],
    ...[
      "",
      "/",
      "/dashcam/",
      "//evil.example",
      "/a/../b",
      "/.",
      "/%64",
      "/a b",
      "dashcam",
      "https://evil.example",
      "/a, /b",
    ].map((value): [string, string, Record<string, string>, number, null] => [
      `of ${JSON.stringify(value)}, which is none`,
      "/viewer",
      prefix(value),
      200,
      null,
    ]),
    ["that is too long", "/viewer", prefix(`/${"a".repeat(200)}`), 200, null],
  ];
  for (const [name, path, headers, status, base] of rows)
    test(`${name}: ${path} is answered with ${status}`, async () => {
      const told = await asked(app, path, headers, PROXY);
      expect([told.status, baseIn(told)]).toEqual([status, base]);
      if (base !== null && status === 200) expect(told.text).toContain(`href="${base}/settings"`);
      expect(told.text).not.toContain("evil.example/");
    });

  test("leads from the base without its slash to its page", async () => {
    const told = await asked(app, BASE, prefix(BASE), PROXY);
    expect([told.status, told.location]).toEqual([302, "/dashcam/"]);
  });

  test("counts from a trusted proxy alone, in every mode", async () => {
    const told = await asked(app, "/viewer", prefix(BASE));
    expect([told.status, baseIn(told)]).toEqual([200, null]);
    expect((await asked(app, "/dashcam/viewer", prefix(BASE))).status).toBe(404);
    expect((await asked(app, "/dashcam", prefix(BASE))).status).toBe(404);
  });

  test("counts in place of the setting's, whose path is taken off", async () => {
    await using both = await startApp({
      settings: { web: { base_path: "/inner" }, auth: { trusted_proxies: [PROXY] } },
    });
    for (const path of ["/inner/viewer", "/viewer", "/outer/viewer", "/outer/", "/"]) {
      const told = await asked(both, path, prefix("/outer"), PROXY);
      expect([path, told.status, baseIn(told)]).toEqual([path, 200, "/outer"]);
    }
    expect((await asked(both, "/viewer", {}, PROXY)).status).toBe(404);
  });
});

describe("without a base", () => {
  test("nothing of an answer tells of one, whatever a client sends", async () => {
    await using app = await startApp();
    for (const path of ["/", "/viewer", "/settings", "/help/sign-in", "/nothing"]) {
      const told = await asked(app, path, { "x-forwarded-prefix": "/some/where", "x-ingress-path": "/some/where" });
      expect([path, baseIn(told), told.text.includes("/some/where")]).toEqual([path, null, false]);
    }
    expect((await asked(app, "/dashcam/")).status).toBe(404);
  });
});
