import type { Clock } from "../../clock.ts";
import { pictureType } from "../../domain/viewer/map_tile.ts";
import { type TilePicture, TileProblem, type TileServer } from "../../remote/tile_server.ts";
import type { TileCache } from "../../store/config/tile_cache.ts";

/** Streets do not change every week, and public servers ask that pictures are kept for one. */
const FRESH_MS = 7 * 86_400_000;

interface Parts {
  readonly server: Pick<TileServer, "fetch">;
  readonly cache: Pick<TileCache, "read" | "write" | "remove">;
  readonly clock: Clock;
}

interface Pending {
  readonly picture: Promise<TilePicture>;
  readonly ended: AbortController;
  callers: number;
}

/** Map pictures, from the cache while they are fresh, else from their server; what is asked for twice at once is fetched once. */
export class MapTiles {
  readonly #parts: Parts;
  readonly #pending = new Map<string, Pending>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * @param signal of the caller; when all who asked for a picture are gone it is fetched no further
   * @throws TileProblem, also when the caller is gone
   */
  async get(address: string, signal: AbortSignal): Promise<TilePicture> {
    const pending = this.#pending.get(address) ?? this.#begin(address);
    pending.callers++;
    const gone = new TileProblem("gone", "The picture is not wanted any more.");
    const left = Promise.withResolvers<never>();
    const leave = () => {
      if (--pending.callers === 0) {
        if (this.#pending.get(address) === pending) this.#pending.delete(address);
        pending.ended.abort(gone);
      }
      left.reject(gone);
    };
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([pending.picture, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #begin(address: string): Pending {
    const ended = new AbortController();
    const picture = this.#find(address, ended.signal).finally(() => {
      if (this.#pending.get(address) === pending) this.#pending.delete(address);
    });
    const pending: Pending = { picture, ended, callers: 0 };
    // Callers get the rejection; this handler keeps it from counting as unhandled once all of them are gone.
    picture.catch(() => {});
    this.#pending.set(address, pending);
    return pending;
  }

  async #find(address: string, signal: AbortSignal): Promise<TilePicture> {
    const { server, cache, clock } = this.#parts;
    const known = await cache.read(address);
    const type = known && pictureType(known.bytes);
    if (known && type === null) await cache.remove(address);
    const kept = known && type !== null ? { bytes: known.bytes, type } : null;
    // A clock that was set back must not make a picture fresh for ever.
    if (kept && known && Math.abs(clock.now() - known.fetchedAt) < FRESH_MS) return kept;
    try {
      const picture = await server.fetch(address, signal);
      await cache.write(address, picture.bytes);
      return picture;
    } catch (error) {
      // Old streets are better than none.
      if (kept && error instanceof TileProblem) return kept;
      throw error;
    }
  }
}
