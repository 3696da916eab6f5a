import * as v from "valibot";
import type { App } from "../app.ts";
import { text } from "../domain/answers/answer_fields.ts";
import { AppError } from "../domain/answers/errors.ts";
import type { HeaderPatch } from "../domain/recordings/hevc_header.ts";
import { keyFrameAt } from "../domain/recordings/key_frame.ts";
import { parseArtifact } from "../domain/recordings/recording_name.ts";
import { isUnchanged, rangeAsked, unsatisfiable } from "../http/request/part_request.ts";
import { type MediaFiles, MOST_AT_ONCE } from "../store/clips/media_files.ts";
import { repairedPart } from "../store/clips/repaired_videos.ts";
import { embeddedIn, readerOf } from "../store/library/embedded_files.ts";
import { type OpenFile, pathOfOpen, readPart } from "../store/library/opened_file.ts";
import { responseEndpoint, SWITCH } from "./endpoint.ts";

type Parts = Pick<App, "mediaFiles" | "repairedVideos">;

const CONTENT_TYPES: Readonly<Record<string, string>> = { mp4: "video/mp4", thm: "image/jpeg" };
/** A recording never changes once it is complete; a week later the browser asks whether that still holds. */
const CACHE = "private, max-age=604800";

export const media = responseEndpoint({
  summary: "A recording's video or thumbnail, whole or in part",
  params: v.object({ path: text("Path of an .mp4 or .thm below the recordings folder, with its slashes") }),
  query: v.object({
    download: v.pipe(SWITCH, v.description("`1` saves the file instead of showing it")),
    view: v.pipe(
      v.fallback(v.nullable(v.picklist(["browser", "preview", "frame"])), null),
      v.description(
        "`browser`: with what keeps browsers from playing the video repaired in its header, of the same length; `preview`: the picture that a camera put into it; `frame`: a video of one picture, that at `t` or next before it that stands by itself",
      ),
    ),
    t: v.pipe(
      // No picture is at less than 0.
      v.fallback(v.pipe(v.nullable(v.string(), "0"), v.transform(Number), v.number()), -1),
      v.description("With `view=frame`: seconds since the beginning"),
    ),
  }),
  headers: {
    Range: "The bytes that are wanted",
    "If-Range": "Only if the file is still this one, by ETag or date",
    "If-None-Match": "Not if the file is still this one, by ETag",
    "If-Modified-Since": "Not if the file is not newer",
  },
  answers: {
    200: { description: "The file", type: "*/*" },
    206: { description: "The part that was asked for", type: "*/*" },
    304: { description: "What you have is still right" },
    401: { description: "The request comes without a session", type: "text/html", schema: v.string() },
    404: { description: "There is no such recording", type: "text/html", schema: v.string() },
    416: { description: "The file has no such part" },
    503: { description: "The service is starting or stopping", type: "text/html", schema: v.string() },
  },
  async respond({ context, params: { path }, query }, { mediaFiles, repairedVideos }: Parts) {
    const { request } = context;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const type = CONTENT_TYPES[parseArtifact(name)?.kind ?? ""];
    using found = type ? await mediaFiles.open(path) : null;
    if (!type || !found) throw new AppError("NOT_FOUND", "There is no such recording.");

    const view = type === "video/mp4" ? query.view : null;
    if (view === "preview") return await preview(request, found);
    if (view === "frame") return await frame(request, found, query.t, await (await repairedVideos()).patchesOf(found));
    const isDownload = query.download === "1";
    const isView = view === "browser";
    const patches = isView ? await (await repairedVideos()).patchesOf(found) : [];
    const file = patches.length === 0 ? found : { ...found, etag: found.etag.replace(/"$/, '-browser"') };
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

    const range = rangeAsked(request, file, file.size);
    if (range === "unsatisfiable") return unsatisfiable(file.size);
    if (range !== null) headers["content-range"] = `bytes ${range.start}-${range.end}/${file.size}`;
    const [from, to] = range === null ? [0, file.size] : [range.start, range.end + 1];
    const status = range === null ? 200 : 206;
    // Told here, since there is no body that would tell it.
    if (request.method === "HEAD") headers["content-length"] = String(to - from);
    if (request.method === "HEAD") return new Response(null, { status, headers });
    context.takesTime = to - from > MOST_AT_ONCE;
    const isRepaired = patches.length > 0;
    const repairedBody = isRepaired ? await repairedPart(found, patches, from, to, () => mediaFiles.open(path)) : null;
    return new Response(repairedBody ?? bodyOf(mediaFiles, found, from, to), { status, headers });
  },
});

/** The bytes of an open file from `from` to `to`, the latter not included; to be put into an answer at once. */
function bodyOf(mediaFiles: MediaFiles, file: OpenFile, from: number, to: number): Uint8Array<ArrayBuffer> | Blob {
  // The listener opens it before the next turn of the loop, and sends it without passing it through the program. It goes
  // by the descriptor's path: the file under the recording's own name may be another by now.
  if (to - from > MOST_AT_ONCE) return Bun.file(pathOfOpen(file)).slice(from, to);
  const bytes = mediaFiles.part(file, from, to);
  if (bytes === null) throw new AppError("NOT_FOUND", "The file became shorter meanwhile.");
  return bytes;
}

/** The picture in a video; not found where there is none. */
async function preview({ method, headers: asked }: Request, video: OpenFile): Promise<Response> {
  const { thumbnail } = await embeddedIn(video);
  if (thumbnail === null) throw new AppError("NOT_FOUND", "There is no preview in this video.");
  const etag = video.etag.replace(/"$/, '-preview"');
  const headers = { etag, "cache-control": CACHE };
  if (isUnchanged(asked, { etag })) return new Response(null, { status: 304, headers });
  const picture = method === "HEAD" ? null : await readPart(video, thumbnail.at, thumbnail.length);
  const length = { "content-length": String(thumbnail.length), "content-type": "image/jpeg" };
  return new Response(picture, { headers: { ...headers, ...length } });
}

/** A video of one picture; not found where the video has no index that leads to it. */
async function frame(
  request: Request,
  video: OpenFile,
  seconds: number,
  patches: readonly HeaderPatch[],
): Promise<Response> {
  const found = seconds >= 0 ? await keyFrameAt(video.size, readerOf(video), seconds, patches).catch(() => null) : null;
  if (found === null) throw new AppError("NOT_FOUND", "There is no such picture in this video.");
  const { head, at, length } = found;
  const etag = video.etag.replace(/"$/, `-frame-${found.sample}"`);
  const headers: Record<string, string> = { etag, "cache-control": CACHE, "accept-ranges": "bytes" };
  if (isUnchanged(request.headers, { etag })) return new Response(null, { status: 304, headers });
  const size = head.length + length;
  const range = rangeAsked(request, { etag }, size);
  if (range === "unsatisfiable") return unsatisfiable(size);
  headers["content-type"] = "video/mp4";
  const [from, to] = range === null ? [0, size] : [range.start, range.end + 1];
  headers["content-length"] = String(to - from);
  if (range !== null) headers["content-range"] = `bytes ${from}-${to - 1}/${size}`;
  const status = range === null ? 200 : 206;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const bytes = new Uint8Array(size);
  bytes.set(head);
  bytes.set(await readPart(video, at, length), head.length);
  return new Response(bytes.subarray(from, to), { status, headers });
}
