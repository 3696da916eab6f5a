import { basename } from "node:path";
import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { MAP_FILE_HEAD, mapFileProblem } from "../domain/viewer/map_file.ts";
import { isUnchanged, rangeAsked, unsatisfiable } from "../http/request/part_request.ts";
import { MOST_AT_ONCE } from "../store/clips/media_files.ts";
import { type OpenFile, pathOfOpen, readPart } from "../store/library/opened_file.ts";
import { responseEndpoint } from "./endpoint.ts";

type Parts = Pick<App, "settings" | "mapFile">;

/** It is asked each time whether the file is still the same: a part of another one would be no map. */
const CACHE = "private, no-cache";

export const mapFile = responseEndpoint({
  summary: "The map file of `viewer.map_file`, whole or in part",
  headers: {
    Range: "The bytes that are wanted",
    "If-Range": "Only if the file is still this one, by ETag or date",
    "If-None-Match": "Not if the file is still this one, by ETag",
  },
  answers: {
    200: { description: "The file, never compressed", type: "*/*", schema: v.string() },
    206: { description: "The part that was asked for", type: "*/*", schema: v.string() },
    304: { description: "What you have is still right" },
    416: { description: "The file has no such part" },
  },
  errors: ["MAP_FILE_OFF"],
  async respond({ context }, { settings, mapFile: opened }: Parts) {
    const { request } = context;
    const { map_file: name } = settings.current.viewer;
    if (name === null) throw new AppError("MAP_FILE_OFF", "No map file is set.");
    const files = await opened();
    using file = await files.open(name);
    if (file === null || basename(file.place) !== name) {
      const sentence = `The map file ${name} is not in the config folder any more.`;
      throw new AppError("MAP_FILE_OFF", sentence);
    }
    await requireMap(file, name);
    const headers: Record<string, string> = {
      etag: file.etag,
      "last-modified": file.modified,
      "cache-control": CACHE,
      "accept-ranges": "bytes",
      "content-type": "application/octet-stream",
    };
    if (isUnchanged(request.headers, file)) return new Response(null, { status: 304, headers });
    const range = rangeAsked(request, file, file.size);
    if (range === "unsatisfiable") {
      const refused = unsatisfiable(file.size);
      // It tells a damaged file from another one.
      refused.headers.set("etag", file.etag);
      return refused;
    }
    if (range !== null) headers["content-range"] = `bytes ${range.start}-${range.end}/${file.size}`;
    const [from, to] = range === null ? [0, file.size] : [range.start, range.end + 1];
    const status = range === null ? 200 : 206;
    if (request.method === "HEAD") {
      headers["content-length"] = String(to - from);
      return new Response(null, { status, headers });
    }
    context.takesTime = to - from > MOST_AT_ONCE;
    // The listener opens it before the next turn of the loop, and sends it without passing it through the program.
    if (to - from > MOST_AT_ONCE) return new Response(Bun.file(pathOfOpen(file)).slice(from, to), { status, headers });
    const bytes = files.part(file, from, to);
    if (bytes === null) throw new AppError("MAP_FILE_OFF", "The map file became shorter meanwhile.");
    return new Response(bytes, { status, headers });
  },
});

/** Another file may have the name by now: nothing but a map is handed out. @throws AppError MAP_FILE_OFF */
async function requireMap(file: OpenFile, name: string): Promise<void> {
  const problem = mapFileProblem(await readPart(file, 0, MAP_FILE_HEAD), file.size);
  if (problem !== null) throw new AppError("MAP_FILE_OFF", `The map file ${name} ${problem}.`);
}
