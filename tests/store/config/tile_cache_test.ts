import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TileCache } from "../../../server/store/config/tile_cache.ts";
import { FakeClock } from "../../support/app/clock.ts";

/** A folder for pictures that is not there yet, and a clock. */
class Place implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "tiles-"));
  readonly folder = join(this.root, "tiles");
  readonly clock = new FakeClock();

  cache(mostBytes?: number): TileCache {
    return new TileCache({ folder: this.folder, clock: this.clock, ...(mostBytes !== undefined && { mostBytes }) });
  }

  get files(): string[] {
    return existsSync(this.folder) ? readdirSync(this.folder) : [];
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const address = (x: number) => `https://tiles.example/9/${x}/0.png`;
const bytes = (length: number, value = 1) => new Uint8Array(length).fill(value);
const isThere = async (cache: TileCache, x: number) => (await cache.read(address(x))) !== null;

describe("the cache of map pictures", () => {
  test("gives back what it was given, also after a restart, and with the time it was fetched", async () => {
    using place = new Place();
    const cache = place.cache();
    expect(await cache.read(address(1))).toBeNull();
    await cache.write(address(1), bytes(100, 7));
    for (const one of [cache, place.cache()]) {
      const found = await one.read(address(1));
      expect(found?.bytes).toEqual(bytes(100, 7));
      expect(found?.fetchedAt).toBe(place.clock.now());
    }
    expect(await isThere(cache, 2)).toBe(false);
    await cache.remove(address(1));
    expect(await isThere(cache, 1)).toBe(false);
    expect(place.files).toEqual([]);
  });

  test("lets the oldest used go first when there is too much", async () => {
    using place = new Place();
    const cache = place.cache(1000);
    for (let x = 0; x < 10; x++) await cache.write(address(x), bytes(100));
    expect(place.files).toHaveLength(10);
    expect(await isThere(cache, 0)).toBe(true);
    await cache.write(address(10), bytes(100));
    // One more than fits goes with it, so that not every picture has to look for another.
    const left = await Promise.all(Array.from({ length: 11 }, (_, x) => isThere(cache, x)));
    expect(left.map((is, x) => (is ? null : x)).filter((x) => x !== null)).toEqual([1, 2]);
    expect(place.files).toHaveLength(9);
  });

  test("knows after a restart what was used last", async () => {
    using place = new Place();
    const first = place.cache();
    for (const x of [0, 1, 2]) await first.write(address(x), bytes(100));
    for (const x of [2, 0, 1]) {
      place.clock.jump(7_200_000);
      await first.read(address(x));
    }
    const second = place.cache(310);
    await second.write(address(3), bytes(100));
    expect(await Promise.all([0, 1, 2].map((x) => isThere(second, x)))).toEqual([false, true, false]);
  });

  test("writing a picture again counts it once", async () => {
    using place = new Place();
    const cache = place.cache(1000);
    for (let time = 0; time < 50; time++) await cache.write(address(1), bytes(100));
    await cache.write(address(2), bytes(100));
    expect(await isThere(cache, 1)).toBe(true);
    expect(place.files).toHaveLength(2);
  });

  test("goes on when its folder is deleted, and clears away what was left unfinished", async () => {
    using place = new Place();
    const cache = place.cache();
    await cache.write(address(1), bytes(100));
    rmSync(place.folder, { recursive: true });
    expect(await isThere(cache, 1)).toBe(false);
    await cache.write(address(2), bytes(100));
    expect(await isThere(cache, 2)).toBe(true);
    writeFileSync(join(place.folder, `.${"0".repeat(40)}.1`), "cut");
    await place.cache().read(address(2));
    expect(place.files).toHaveLength(1);
  });

  test("leaves alone what is not its own, wherever its folder leads", async () => {
    using place = new Place();
    const elsewhere = join(place.folder, "../elsewhere");
    mkdirSync(elsewhere);
    for (const name of ["20261120_080000_NF.mp4", ".20261120_080000_NF.mp4.part", ".hidden"])
      writeFileSync(join(elsewhere, name), "mine");
    symlinkSync(elsewhere, place.folder);
    const cache = place.cache();
    await cache.write(address(1), bytes(100));
    expect(await isThere(place.cache(), 1)).toBe(true);
    expect(place.files.filter((name) => !/^[0-9a-f]{40}$/.test(name))).toHaveLength(3);
  });

  test("keeps nothing where nothing can be written, and says no word", async () => {
    using place = new Place();
    writeFileSync(place.folder, "a file where the folder would be");
    const cache = place.cache();
    await cache.write(address(1), bytes(100));
    expect(await isThere(cache, 1)).toBe(false);
    await cache.remove(address(1));
  });
});
