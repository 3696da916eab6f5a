import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MapTiles } from "../../../server/engine/viewer/map_tiles.ts";
import { TileServer } from "../../../server/remote/tile_server.ts";
import { TileCache } from "../../../server/store/config/tile_cache.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { until } from "../../support/app/http.ts";
import { PretendTiles, picture, tilePng } from "../../support/browser/pretend_tiles.ts";

const STAYS = new AbortController().signal;
const DAY_MS = 86_400_000;

class Place implements AsyncDisposable {
  readonly root = mkdtempSync(join(tmpdir(), "tiles-"));
  readonly folder = join(this.root, "tiles");
  readonly clock = new FakeClock();
  readonly tiles = new PretendTiles();
  readonly map = new MapTiles({
    server: new TileServer({ clock: this.clock, userAgent: "Dashdock/test" }),
    cache: new TileCache({ folder: this.folder, clock: this.clock }),
    clock: this.clock,
  });

  get(x = 0, signal = STAYS) {
    return this.map.get(this.tiles.address.replace("{z}/{x}/{y}", `9/${x}/0`), signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tiles[Symbol.asyncDispose]();
    rmSync(this.root, { recursive: true, force: true });
  }
}

describe("map pictures", () => {
  test("are fetched once a week", async () => {
    await using place = new Place();
    for (let time = 0; time < 3; time++) expect((await place.get()).bytes).toEqual(tilePng());
    expect(place.tiles.asked).toHaveLength(1);
    place.clock.jump(8 * DAY_MS);
    place.tiles.behave = () => picture(30);
    for (let time = 0; time < 2; time++) expect((await place.get()).bytes).toEqual(tilePng(30));
    expect(place.tiles.asked).toHaveLength(2);
    // A clock that was set back makes nothing fresh for ever.
    place.clock.jump(-30 * DAY_MS);
    await place.get();
    expect(place.tiles.asked).toHaveLength(3);
  });

  test("that are asked for by several at once are fetched once, and for as long as one of them waits", async () => {
    await using place = new Place();
    const gate = Promise.withResolvers<void>();
    place.tiles.behave = async () => {
      await gate.promise;
      return picture();
    };
    const one = new AbortController();
    const other = new AbortController();
    const pictures = [place.get(0, one.signal), place.get(0, other.signal), place.get(0)];
    const gone = pictures.slice(0, 2).map((one) => one.catch((error: Error) => error.message));
    await until(() => place.tiles.open === 1);
    one.abort();
    other.abort();
    expect(await Promise.all(gone)).toEqual(Array(2).fill("The picture is not wanted any more."));
    gate.resolve();
    expect((await pictures[2])?.type).toBe("image/png");
    expect(place.tiles.asked).toHaveLength(1);
  });

  test("are fetched no further when all who asked are gone, and anew for who comes after", async () => {
    await using place = new Place();
    let hungUp = false;
    place.tiles.behave = (request) =>
      new Promise(() => {
        request.signal.addEventListener("abort", () => {
          hungUp = true;
        });
      });
    const caller = new AbortController();
    const picked = place.get(0, caller.signal).catch(() => null);
    await until(() => place.tiles.open === 1);
    caller.abort();
    await picked;
    place.tiles.behave = () => picture();
    expect((await place.get()).type).toBe("image/png");
    await until(() => hungUp);
    expect(await place.get(1, AbortSignal.abort()).catch((error: Error) => error.name)).toBe("TileProblem");
  });

  test("are old ones rather than none, and never what only looks like a file of ours", async () => {
    await using place = new Place();
    await place.get();
    place.clock.jump(8 * DAY_MS);
    place.tiles.behave = () => new Response("<html>", { status: 500 });
    expect((await place.get()).bytes).toEqual(tilePng());
    for (const name of readdirSync(place.folder)) writeFileSync(join(place.folder, name), "<html>");
    expect(await place.get().catch((error: Error) => error.name)).toBe("TileProblem");
    expect(readdirSync(place.folder)).toEqual([]);
    place.tiles.behave = () => picture();
    expect((await place.get()).bytes).toEqual(tilePng());
  });
});
