import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { until } from "../support/app/http.ts";
import { PretendTiles, picture, tilePng } from "../support/browser/pretend_tiles.ts";

const PASSWORD = "correct horse battery staple";

describe("GET /tiles/:z/:x/:y", () => {
  let app: RunningApp;
  let tiles: PretendTiles;
  beforeAll(async () => {
    tiles = new PretendTiles();
    app = await startApp({ settings: { viewer: { tile_url: tiles.address } } });
    await app.client.open("/viewer");
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await tiles[Symbol.asyncDispose]();
  });
  const ask = (path: string, init: RequestInit = {}) => app.client.fetch(path, init);
  const set = (viewer: object) => app.client.send("PATCH", "/api/settings/viewer", viewer);

  test("asks nobody until the user has said yes", async () => {
    const answer = await ask("/tiles/9/1/1");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "MAP_TILES_OFF" });
    expect(tiles.asked).toEqual([]);
  });

  test("then answers the picture, with what a browser needs to keep it", async () => {
    expect((await set({ map_tiles: true })).status).toBe(200);
    const answer = await ask("/tiles/9/1/2");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(answer.headers.get("cache-control")).toBe("private, max-age=604800");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await answer.bytes()).toEqual(tilePng());
    const etag = answer.headers.get("etag") ?? "";
    expect((await ask("/tiles/9/1/2", { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await ask("/tiles/9/1/2", { method: "HEAD" })).status).toBe(200);
    expect(tiles.asked).toEqual(["/9/1/2.png"]);
    expect([...tiles.userAgents]).toEqual([
      `Dashdock/${(await import("../../package.json")).version} (self-hosted dashcam viewer)`,
    ]);
    expect(existsSync(join(app.folder, "config", "tiles"))).toBe(true);
  });

  const NOWHERE = [
    "/tiles/20/0/0",
    "/tiles/1/2/0",
    "/tiles/1/0/2",
    "/tiles/-1/0/0",
    "/tiles/1/0/0.png",
    "/tiles/a/b/c",
    "/tiles/1/-1/0",
    "/tiles/1/0.5/0",
    "/tiles/01/0/0",
    "/tiles/1e1/0/0",
    "/tiles/5/99999999999999999999/0",
    "/tiles/0x1/0/0",
    "/tiles/٣/0/0",
  ];
  for (const path of NOWHERE)
    test(`${path} is no square of the map`, async () => {
      const before = tiles.asked.length;
      const answer = await ask(path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: "TILE_NOT_FOUND" });
      expect(tiles.asked.length).toBe(before);
    });

  test("tells in JSON what the tile server did instead, to people who have signed in", async () => {
    tiles.behave = () => new Response("<html>", { status: 503 });
    const viewer = { map_tiles: true, tile_url: tiles.address };
    await using locked = await startApp({ mode: "login", password: PASSWORD, settings: { viewer } });
    await locked.client.signIn("admin", PASSWORD);
    const answer = await locked.client.fetch("/tiles/9/3/3");
    expect(answer.status).toBe(502);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toEqual({
      error: `The tile server ${tiles.host} refused the picture (status 503).`,
      code: "TILE_UNAVAILABLE",
      details: { reason: "status", status: 503 },
    });
    tiles.behave = () => picture();
  });

  test("tells one reason for whatever went wrong where no sign-in is asked for", async () => {
    const behaviours: (() => Response)[] = [
      () => new Response("<html>", { status: 503 }),
      () => new Response("no picture"),
      () => Response.redirect("http://127.0.0.1:1/"),
      () => new Response(new Uint8Array(2_000_000)),
    ];
    const expected = (host: string) => ({
      error: `The tile server ${host} did not send the picture.`,
      code: "TILE_UNAVAILABLE",
      details: { reason: "failed" },
    });
    for (const behave of behaviours) {
      tiles.behave = behave;
      const answer = await ask("/tiles/9/4/4");
      expect([answer.status, await answer.json()]).toEqual([502, expected(tiles.host)]);
    }
    tiles.behave = () => picture();
    const closed = Bun.listen({ port: 0, hostname: "127.0.0.1", socket: { data() {} } });
    closed.stop(true);
    await set({ tile_url: `http://127.0.0.1:${closed.port}/{z}/{x}/{y}` });
    // From the fourth one on it is not asked any more for a while.
    for (let row = 0; row < 5; row++) {
      const answer = await ask(`/tiles/9/4/${row}`);
      expect([answer.status, await answer.json()]).toEqual([502, expected(`127.0.0.1:${closed.port}`)]);
    }
    await set({ tile_url: tiles.address });
  });

  test("is free for others as soon as the browser has gone on", async () => {
    tiles.behave = () => new Promise(() => {});
    const gone = new AbortController();
    const answers = [0, 1, 2, 3].map((x) => ask(`/tiles/8/${x}/0`, { signal: gone.signal }).catch(() => null));
    await until(() => tiles.open === 2);
    gone.abort();
    await Promise.all(answers);
    tiles.behave = () => picture();
    expect((await ask("/tiles/8/9/0")).status).toBe(200);
    expect(app.app.log.lines.filter(({ level_no }) => level_no >= 30)).toEqual([]);
  });

  test("goes to another server as soon as the address is set", async () => {
    await using other = new PretendTiles();
    expect((await set({ tile_url: other.address })).status).toBe(200);
    expect((await ask("/tiles/9/1/2")).status).toBe(200);
    expect(other.asked).toEqual(["/9/1/2.png"]);
  });

  test("needs a session, and answers a picture's request with JSON instead of a page", async () => {
    await using locked = await startApp({ mode: "login", password: PASSWORD });
    const answer = await locked.client.fetch("/tiles/9/1/1", { redirect: "manual" });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "AUTH_REQUIRED" });
  });
});
