import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { CLOSEST_ZOOM, tileAddress, tileOf } from "../domain/viewer/map_tile.ts";
import type { MapTiles } from "../engine/viewer/map_tiles.ts";
import { TileProblem } from "../remote/tile_server.ts";
import { responseEndpoint, WHOLE_NUMBER } from "./endpoint.ts";

/** As long as pictures are kept here. */
const CACHE = "private, max-age=604800";

type TileParts = Pick<App, "settings" | "mapTiles">;

/** No square, where one of the three is none; that the map is off is told before. */
const part = (description: string) =>
  v.fallback(
    v.pipe(v.string(), v.regex(/^(0|[1-9][0-9]{0,6})$/), v.transform(Number), WHOLE_NUMBER, v.description(description)),
    Number.NaN,
  );
const PLACE = v.pipe(
  v.object({
    z: part(`Zoom, 0 to ${CLOSEST_ZOOM}`),
    x: part("Column, from the west"),
    y: part("Row, from the north"),
  }),
  v.transform(tileOf),
);

export const tile = responseEndpoint({
  summary: "A square of the street map, fetched from `viewer.tile_url` and kept for a week",
  params: PLACE,
  headers: { "If-None-Match": "Not if the picture is still this one, by ETag" },
  answers: {
    200: { description: "The picture: PNG, JPEG or WebP", type: "*/*" },
    304: { description: "What you have is still right" },
  },
  errors: ["MAP_TILES_OFF", "TILE_NOT_FOUND", "TILE_UNAVAILABLE"],
  async respond({ context: { request, user }, params: asked }, { settings, mapTiles }: TileParts) {
    const { map_tiles: isOn, map_file: ownMap, tile_url: template } = settings.current.viewer;
    if (ownMap !== null) throw new AppError("MAP_TILES_OFF", "Streets come from the map file; no tile is fetched.");
    if (!isOn) throw new AppError("MAP_TILES_OFF", "Street tiles are off. They can be allowed on the viewer's map.");
    const address = asked && tileAddress(template, asked);
    if (address === null) throw new AppError("TILE_NOT_FOUND", "The map has no such square.");
    const { bytes, type } = await fetched(await mapTiles(), address, {
      signal: request.signal,
      inShort: user?.mode === "none",
    });
    const etag = `"${Bun.hash(bytes).toString(36)}"`;
    const headers = { etag, "cache-control": CACHE };
    const known = (request.headers.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
    if (known.includes(etag)) return new Response(null, { status: 304, headers });
    return new Response(bytes, { headers: { ...headers, "content-type": type } });
  },
});

/**
 * @param inShort where no sign-in is asked for: any reason but one would let everyone find out through us which ports
 * answer in our network
 */
async function fetched(
  mapTiles: MapTiles,
  address: string,
  { signal, inShort }: { readonly signal: AbortSignal; readonly inShort: boolean },
) {
  try {
    return await mapTiles.get(address, signal);
  } catch (error) {
    if (!(error instanceof TileProblem)) throw error;
    if (inShort) {
      const { host } = new URL(address);
      throw new AppError("TILE_UNAVAILABLE", `The tile server ${host} did not send the picture.`, { reason: "failed" });
    }
    const { message, kind: reason, status } = error;
    throw new AppError("TILE_UNAVAILABLE", message, { reason, ...(status !== null && { status }) });
  }
}
