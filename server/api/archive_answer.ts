import type { App } from "../app.ts";
import { isUnchanged, rangeAsked, unsatisfiable } from "../http/request/part_request.ts";
import type { Caller } from "../http/request/request_context.ts";
import { causeOf } from "../log.ts";
import type { RecordingArchive } from "../store/clips/recording_archive.ts";
import type { Description } from "./endpoint.ts";

const LOGGER = "http";

/** The headers of a file that a browser saves. */
export function attachment(type: string, name: string): Record<string, string> {
  return { "content-type": type, "content-disposition": `attachment; filename="${name}"` };
}

/** Answers of an endpoint that sends an archive. */
export function archiveAnswers(what: string): Description["answers"] {
  return {
    200: { description: `The ${what}`, type: "application/zip" },
    206: { description: "The part that was asked for", type: "application/zip" },
    304: { description: "What you have is still right" },
    416: { description: `The ${what} has no such part` },
  };
}

/**
 * An archive, or the part of it that was asked for.
 * @throws AppError TOO_MANY_STREAMS
 */
export function archiveAnswer(
  context: Caller,
  archive: RecordingArchive,
  name: string,
  { downloads, log }: Pick<App, "downloads" | "log">,
): Response {
  const { request } = context;
  const { size } = archive.layout;
  const headers = { etag: archive.etag, "cache-control": "private, no-cache", "accept-ranges": "bytes" };
  if (isUnchanged(request.headers, archive)) return new Response(null, { status: 304, headers });
  const range = rangeAsked(request, archive, size);
  if (range === "unsatisfiable") return unsatisfiable(size);
  const [from, to] = range === null ? [0, size] : [range.start, range.end + 1];
  context.takesTime = true;
  const sent = () => {
    const release = downloads.take(() => {}, context.streamOwner);
    return archive.stream(from, to, (failure) => {
      release();
      if (failure !== undefined) log.error(LOGGER, `An archive could not be sent to its end: ${causeOf(failure)}`);
    });
  };
  const isHead = request.method === "HEAD";
  return new Response(isHead ? null : sent(), {
    status: range === null ? 200 : 206,
    headers: {
      ...headers,
      ...attachment("application/zip", name),
      // The listener sends what is made while it is sent in chunks, and drops a length.
      ...(isHead && { "content-length": String(to - from) }),
      ...(range !== null && { "content-range": `bytes ${from}-${to - 1}/${size}` }),
    },
  });
}
