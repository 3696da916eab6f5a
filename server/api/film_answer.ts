import type { App } from "../app.ts";
import { isUnchanged, rangeAsked, unsatisfiable } from "../http/request/part_request.ts";
import type { Caller } from "../http/request/request_context.ts";
import type { StreamSlots } from "../http/request/stream_slots.ts";
import { causeOf } from "../log.ts";
import type { Film, FilmPart } from "../store/clips/film.ts";
import { versionOfOpen } from "../store/clips/film_clips.ts";
import { pathOfOpen } from "../store/library/opened_file.ts";

const LOGGER = "http";
/** Told at once, with its length; what is longer and lies in several files is made while it is sent. */
const MOST_AT_ONCE = 1024 * 1024;

export interface FilmSending {
  readonly app: Pick<App, "mediaFiles" | "log">;
  readonly etag: string;
  /** The value of `Cache-Control`; with `no-store` no client is told that what it has is still right. */
  readonly cache: string;
  /** Name under which it is saved. */
  readonly name: string;
  readonly isDownload: boolean;
  readonly slots: StreamSlots;
  /** Whose slot it takes; null for nobody's. */
  readonly session: string | null;
}

/** Sends a film, or the part that was asked for. @throws AppError TOO_MANY_STREAMS */
export async function filmAnswer(
  context: Caller,
  film: Film,
  { app, etag, cache, name, isDownload, slots, session }: FilmSending,
): Promise<Response> {
  const { request } = context;
  const size = film.length;
  const headers: Record<string, string> = { etag, "cache-control": cache, "accept-ranges": "bytes" };
  if (cache !== "no-store" && isUnchanged(request.headers, { etag }))
    return new Response(null, { status: 304, headers });
  const range = rangeAsked(request, { etag }, size);
  if (range === "unsatisfiable") return unsatisfiable(size);
  const [from, to] = range === null ? [0, size] : [range.start, range.end + 1];
  if (range !== null) headers["content-range"] = `bytes ${from}-${to - 1}/${size}`;
  headers["content-type"] = "video/mp4";
  headers["content-disposition"] = `${isDownload ? "attachment" : "inline"}; filename="${name}"`;
  const status = range === null ? 200 : 206;
  // Told here, since there is no body that would tell it.
  if (request.method === "HEAD") headers["content-length"] = String(to - from);
  if (request.method === "HEAD") return new Response(null, { status, headers });
  if (to - from <= MOST_AT_ONCE) return new Response(await film.read(from, to), { status, headers });
  context.takesTime = true;
  const [part, ...more] = film.parts(from, to);
  const inOneFile = part !== undefined && more.length === 0 ? await bodyOf(part, app) : null;
  if (inOneFile !== null) return new Response(inOneFile, { status, headers });
  const release = slots.take(() => {}, session);
  const body = film.stream(from, to, (failure) => {
    release();
    if (failure !== undefined) app.log.error(LOGGER, `A film could not be sent to its end: ${causeOf(failure)}`);
  });
  return new Response(body, { status, headers });
}

/** A part that lies in one file, to be put into an answer at once; null when the file is another one by now. */
async function bodyOf(
  part: FilmPart,
  { mediaFiles }: Pick<App, "mediaFiles">,
): Promise<Blob | Uint8Array<ArrayBuffer> | null> {
  if ("bytes" in part) return new Uint8Array(part.bytes);
  using file = await mediaFiles.open(part.file.path);
  if (file === null || versionOfOpen(file) !== part.file.version) return null;
  // The listener opens it before the next turn of the loop, and sends it without passing it through the program.
  return Bun.file(pathOfOpen(file)).slice(part.at, part.at + part.length);
}
