import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withOwnBox } from "../../server/domain/places/own_box.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { worldMapFile } from "../support/app/map_file.ts";
import { PretendTiles } from "../support/browser/pretend_tiles.ts";

const MAP = worldMapFile();
const PASSWORD = "correct horse battery staple";

describe("the own map file", () => {
  let app: RunningApp;
  let tiles: PretendTiles;
  let config: string;
  beforeAll(async () => {
    tiles = new PretendTiles();
    app = await startApp({ settings: { viewer: { tile_url: tiles.address, map_tiles: true } } });
    await app.client.open("/viewer");
    config = join(app.folder, "config");
    writeFileSync(join(config, "area.pmtiles"), MAP);
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await tiles[Symbol.asyncDispose]();
  });
  const ask = (init: RequestInit = {}) => app.client.fetch("/map/file.pmtiles", init);
  const set = async (map_file: unknown) => {
    const answer = await app.client.send("PATCH", "/api/settings/viewer", { map_file });
    return [answer.status, answer.status === 200 ? "" : JSON.stringify(await answer.json())] as const;
  };

  test("is none at first", async () => {
    const answer = await ask();
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: "MAP_FILE_OFF" }]);
  });

  test("has to be a map, a plain file in the config folder, by a bare name", async () => {
    mkdirSync(join(config, "folder.pmtiles"));
    symlinkSync(join(config, "area.pmtiles"), join(config, "link.pmtiles"));
    writeFileSync(join(config, "other.pmtiles"), "no map at all");
    writeFileSync(join(config, "empty.pmtiles"), "");
    writeFileSync(join(config, ".hidden.pmtiles"), MAP);
    for (const [name, file] of Object.entries({
      old: worldMapFile({ version: 2 }),
      cut: MAP.subarray(0, -1),
      pictures: worldMapFile({ tileType: 2 }),
      brotli: worldMapFile({ compression: 3 }),
    }))
      writeFileSync(join(config, `${name}.pmtiles`), file);
    for (const [name, words] of [
      ["../area.pmtiles", "is not the name of a .pmtiles file"],
      ["/etc/area.pmtiles", "is not the name of a .pmtiles file"],
      ["area.mbtiles", "is not the name of a .pmtiles file"],
      ["a b.pmtiles", "is not the name of a .pmtiles file"],
      ["", "is not the name of a .pmtiles file"],
      [7, "must be a string or null"],
      ["gone.pmtiles", "is not there: put the file gone.pmtiles into"],
      ["folder.pmtiles", "is no file"],
      ["link.pmtiles", "is a link"],
      ["other.pmtiles", "is not a PMTiles file"],
      ["empty.pmtiles", "is not a PMTiles file"],
      [".hidden.pmtiles", "cannot be read"],
      ["old.pmtiles", "of version 2, and only version 3 can be read"],
      ["cut.pmtiles", "ends too early"],
      ["pictures.pmtiles", "has pictures"],
      ["brotli.pmtiles", "in another way than by gzip"],
    ] as const)
      expect([name, await set(name)]).toEqual([name, [422, expect.stringContaining(words)]]);
    expect(app.app.settings.current.viewer.map_file).toBeNull();
    expect(await set("area.pmtiles")).toEqual([200, ""]);
  });

  test("is answered whole and in parts, with a strong ETag, and never compressed", async () => {
    const whole = await ask({ headers: { "accept-encoding": "gzip, br" } });
    expect(whole.status).toBe(200);
    expect(await whole.bytes()).toEqual(new Uint8Array(MAP));
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-length": String(MAP.length),
      etag: expect.stringMatching(/^"[^"]+"$/),
      "cache-control": "private, no-cache",
    });
    expect(whole.headers.get("content-encoding")).toBeNull();
    const etag = whole.headers.get("etag") ?? "";
    const part = await ask({ headers: { range: "bytes=7-99", "accept-encoding": "gzip" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 7-99/${MAP.length}`]);
    expect(await part.bytes()).toEqual(new Uint8Array(MAP.subarray(7, 100)));
    expect((await ask({ headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await ask({ headers: { range: "bytes=0-1", "if-range": '"other"' } })).status).toBe(200);
    const behind = await ask({ headers: { range: `bytes=${MAP.length}-` } });
    expect([behind.status, behind.headers.get("etag")]).toEqual([416, etag]);
    const end = await ask({ headers: { range: "bytes=-5" } });
    expect([end.status, await end.bytes()]).toEqual([206, new Uint8Array(MAP.subarray(-5))]);
    const rest = await ask({ headers: { range: "bytes=9-99999999999999999999" } });
    expect([rest.status, (await rest.bytes()).length]).toEqual([206, MAP.length - 9]);
    for (const range of ["bytes=9-3", "bytes=0-1,4-5", "lines=0-1", "bytes=-", "bytes=0x1-2"]) {
      const odd = await ask({ headers: { range } });
      expect([range, odd.status, (await odd.bytes()).length]).toEqual([range, 200, MAP.length]);
    }
    const head = await ask({ method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(MAP.length)]);
    // Written again it is another one. A file of many gigabytes takes no more memory than a small one.
    writeFileSync(join(config, "area.pmtiles"), Buffer.concat([MAP, Buffer.alloc(300_000)]));
    truncateSync(join(config, "area.pmtiles"), 10 * 1024 ** 3);
    const other = await ask({ headers: { range: "bytes=0-290000", "if-none-match": etag } });
    expect([other.status, other.headers.get("etag") === etag]).toEqual([206, false]);
    expect((await other.bytes()).length).toBe(290_001);
    const last = await ask({ headers: { range: "bytes=-2" } });
    expect([last.headers.get("content-range"), await last.bytes()]).toEqual([
      "bytes 10737418238-10737418239/10737418240",
      new Uint8Array(2),
    ]);
  });

  test("wins over tiles, which are asked of nobody, and over a file that is no map any more", async () => {
    const tile = await app.client.fetch("/tiles/9/1/1");
    expect([tile.status, await tile.json()]).toMatchObject([404, { code: "MAP_TILES_OFF" }]);
    expect(tiles.asked).toEqual([]);
    const props = await (await app.client.fetch("/viewer")).text();
    expect(props).toContain("map_worker-");
    expect(await (await app.client.fetch("/map")).text()).not.toContain(tiles.host);
    writeFileSync(join(config, "area.pmtiles"), "something secret, and no map");
    const answer = await ask();
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("is not a PMTiles file")]);
    rmSync(join(config, "area.pmtiles"));
    symlinkSync(join(config, "settings.json"), join(config, "area.pmtiles"));
    const link = await ask();
    expect([link.status, await link.text()]).toEqual([404, expect.stringContaining("not in the config folder")]);
    expect((await app.client.fetch("/tiles/9/1/1")).status).toBe(404);
    expect(tiles.asked).toEqual([]);
  });

  test("is made by a command of the guide, which has the box of one's own drives", async () => {
    const chapter = async () => await (await app.client.fetch("/help/viewer")).text();
    expect(await chapter()).toContain("--bbox=5.8,47.2,15.1,55.1 ");
    expect(withOwnBox("--bbox=5.8,47.2,15.1,55.1 x", { west: 9.991, south: -84.99, east: 10.2, north: 50 })).toBe(
      "--bbox=9.94,-85,10.25,50.05 x",
    );
  });

  test("is for those who are signed in", async () => {
    await app.client.send("PATCH", "/api/settings/viewer", { map_file: null });
    await using closed = await startApp({ mode: "login", password: PASSWORD });
    const answer = await closed.client.fetch("/map/file.pmtiles");
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: "AUTH_REQUIRED" }]);
  });
});
