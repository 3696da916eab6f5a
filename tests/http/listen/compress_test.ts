import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { takesGzip } from "../../../server/http/listen/compress.ts";
import { type RunningApp, startApp } from "../../support/app/app.ts";

setDefaultTimeout(30_000);

describe("a client takes gzip when Accept-Encoding says", () => {
  for (const [accept, takes] of [
    ["gzip", true],
    ["gzip, deflate, br, zstd", true],
    ["br;q=1.0, GZIP;q=0.8", true],
    ["x-gzip", true],
    ["*", true],
    ["*;q=0.1, gzip", true],
    ["", false],
    ["identity", false],
    ["br, deflate", false],
    ["gzip;q=0", false],
    ["gzip; q=0.000, *", false],
    ["*;q=0", false],
    ["notgzip", false],
  ] as const)
    test(`"${accept}": ${takes}`, () => {
      const headers = { "accept-encoding": accept };
      expect(takesGzip(new Request("http://localhost", { headers }))).toBe(takes);
    });
});

describe("an answer", () => {
  let app: RunningApp;
  let video: string;
  let key: string;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" } } });
    app.app.job.start("manual");
    await app.synced();
    const [name = ""] = [...new Bun.Glob("**/*.mp4").scanSync(app.destination)];
    [key = ""] = /[0-9]{8}_[0-9]{6}_[A-Z]/.exec(name) ?? [];
    video = `/media/${name}`;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** Answer as it travels. */
  async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
    const response = await fetch(app.url + path, {
      method,
      headers: { "accept-encoding": "gzip", ...headers },
      decompress: false,
    });
    return { response, encoding: response.headers.get("content-encoding"), vary: response.headers.get("vary") };
  }

  for (const path of [
    "/",
    "/settings",
    "/logs",
    "/stats",
    "/hx/sync/status-card",
    "/api/openapi.json",
    "/api/settings",
    "/no-such-page",
  ])
    test(`of HTML or JSON is compressed for those who take it: ${path}`, async () => {
      const { response, encoding, vary } = await ask(path);
      expect([encoding, vary]).toEqual(["gzip", "accept-encoding"]);
      const bytes = await response.bytes();
      expect(Number(response.headers.get("content-length"))).toBe(bytes.length);
      const plain = await ask(path, { "accept-encoding": "identity" });
      expect([plain.encoding, plain.vary]).toEqual([null, "accept-encoding"]);
      const length = Number(plain.response.headers.get("content-length"));
      expect(bytes.length).toBeLessThan(length * 0.6);
      const text = gunzipSync(bytes).toString();
      expect(text).toContain(path.startsWith("/api") ? "{" : "<");
      expect(plain.response.status).toBe(response.status);
      expect(response.headers.get("content-security-policy")).toBe(
        plain.response.headers.get("content-security-policy") ?? "",
      );
    });

  test("of a few bytes is sent as it is", async () => {
    for (const path of ["/healthz", "/api/status", "/api/nothing"]) {
      const { response, encoding, vary } = await ask(path);
      expect([path, encoding, vary]).toEqual([path, null, "accept-encoding"]);
      expect(Number(response.headers.get("content-length"))).toBeLessThan(1400);
      await response.json();
    }
  });

  test("to HEAD has the headers of that to GET", async () => {
    const headers = async (method: string) => {
      const { response, encoding, vary } = await ask("/api/openapi.json", {}, method);
      return {
        encoding,
        vary,
        length: response.headers.get("content-length"),
        text: (await response.bytes()).length > 0,
      };
    };
    const got = await headers("GET");
    expect(await headers("HEAD")).toEqual({ ...got, text: false });
  });

  test("keeps its cookies", async () => {
    const { response, encoding } = await ask("/settings");
    expect([encoding, response.headers.getSetCookie()]).toEqual([
      "gzip",
      [expect.stringContaining("dashdock_visitor=")],
    ]);
  });

  test("that a page of another site has asked for is not compressed: its length would tell what stands in it", async () => {
    for (const [site, expected] of [
      ["cross-site", null],
      ["same-site", null],
      ["same-origin", "gzip"],
      ["none", "gzip"],
    ] as const)
      for (const path of ["/settings", "/api/settings"])
        expect([site, (await ask(path, { "sec-fetch-site": site })).encoding]).toEqual([site, expected]);
  });

  test("of media, a part of it, an archive or events is never compressed", async () => {
    const stream = new AbortController();
    for (const [path, headers, status] of [
      [video, {}, 200],
      [video, { range: "bytes=0-99" }, 206],
      [video.replace("mp4", "thm"), {}, 200],
      [`/api/viewer/export/zip?key=${key}`, {}, 200],
    ] as const) {
      const { response, encoding } = await ask(path, headers);
      expect([path, response.status, encoding]).toEqual([path, status, null]);
      const { length } = await response.bytes();
      const isMedia = path.startsWith("/media/");
      expect([path, response.headers.get("content-length")]).toEqual([path, isMedia ? String(length) : null]);
    }
    const events = await fetch(`${app.url}/api/sync/progress/stream`, {
      headers: { "accept-encoding": "gzip" },
      decompress: false,
      signal: stream.signal,
    });
    expect([events.status, events.headers.get("content-encoding"), events.headers.get("vary")]).toEqual([
      200,
      null,
      null,
    ]);
    stream.abort();
  });
});
