import type { App } from "../app.ts";
import { AppError } from "../domain/api/errors.ts";
import { parseArtifact } from "../domain/recordings/recording_name.ts";
import { readByteRange } from "../http/listen/byte_range.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import type { MediaFile } from "../store/library/media_files.ts";

const CONTENT_TYPES: Readonly<Record<string, string>> = { mp4: "video/mp4", thm: "image/jpeg" };
/** A recording never changes once it is complete; a week later the browser asks whether that still holds. */
const CACHE = "private, max-age=604800";

/** `GET /media/<path>`: a recording's video or thumbnail, whole or in part; `?download=1` saves it instead of showing it. */
export async function media(context: RequestContext, { served }: Pick<App, "served">): Promise<Response> {
  const { rest, request } = context;
  const name = rest.slice(rest.lastIndexOf("/") + 1);
  const type = CONTENT_TYPES[parseArtifact(name)?.kind ?? ""];
  const file = type ? await served.find(rest) : null;
  if (!type || !file) throw new AppError("NOT_FOUND", "There is no such recording.");

  const isDownload = context.url.searchParams.get("download") === "1";
  const headers: Record<string, string> = {
    etag: file.etag,
    "last-modified": file.modified,
    "cache-control": CACHE,
    "accept-ranges": "bytes",
  };
  if (isUnchanged(request.headers, file)) return new Response(null, { status: 304, headers });
  // Names of recordings have no character that needs quoting.
  headers["content-disposition"] = `${isDownload ? "attachment" : "inline"}; filename="${name}"`;
  headers["content-type"] = type;

  const range = wantsPart(request, file) ? readByteRange(request.headers.get("range"), file.size) : null;
  if (range === "unsatisfiable") {
    const { "accept-ranges": unit } = headers;
    return new Response(null, {
      status: 416,
      headers: { "content-range": `bytes */${file.size}`, "accept-ranges": unit ?? "", "cache-control": "no-store" },
    });
  }
  // Given an empty file, the listener would read ranges by itself and refuse them.
  if (range === null) return new Response(file.size === 0 ? "" : Bun.file(file.path), { headers });
  // An explicit slice goes to the socket without passing through the program, and nothing is added to its headers.
  return new Response(Bun.file(file.path).slice(range.start, range.end + 1), {
    status: 206,
    headers: { ...headers, "content-range": `bytes ${range.start}-${range.end}/${file.size}` },
  });
}

/** RFC 9110 §13.2.2: the ETag decides when the client sent one, else the date. */
function isUnchanged(headers: Headers, { etag, modifiedMs }: MediaFile): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) {
    return tags.trim() === "*" || tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  }
  // A date that cannot be read is no number, and compares false.
  return modifiedMs <= Date.parse(headers.get("if-modified-since") ?? "");
}

/** Only GET has ranges, and `If-Range` asks for one only of the version the client already has a part of. */
function wantsPart({ method, headers }: Request, { etag, modified }: MediaFile): boolean {
  if (method !== "GET") return false;
  const condition = headers.get("if-range")?.trim();
  return condition === undefined || condition === etag || condition === modified;
}
