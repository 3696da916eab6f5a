import { basename } from "node:path";
import type { App } from "../app.ts";
import { AppError } from "../domain/api/errors.ts";
import { verbosityOf } from "../domain/logs/log_line.ts";
import { eventStream, type StreamSource } from "../http/listen/event_stream.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";
import type { Log } from "../log.ts";

/** `GET /api/logs/recent`: the lines in memory. */
export function recentLogs(_visit: RequestContext, { log, logFile, bootId, settings }: App): Response {
  return json({
    boot_id: bootId,
    lines: log.lines,
    file_path: logFile.path,
    capacity: log.capacity,
    verbosity: verbosityOf(settings.current.logging),
  });
}

/**
 * `GET /api/logs/stream?boot=&after=`: all lines in memory first, then those that come. Who has heard this process before
 * goes on after the last line heard.
 */
export function logStream(context: RequestContext, app: App): Response {
  return eventStream(context, app, { event: "logs", source: linesOf(app.log, app.bootId, heardUpTo(context, app)) });
}

/** The number of the last line that the reader has; 0 when it says nothing of this process. */
function heardUpTo({ url: { searchParams } }: RequestContext, { log, bootId }: App): number {
  const after = searchParams.get("after") ?? "";
  const isOurs = searchParams.get("boot") === bootId && /^[0-9]{1,15}$/.test(after);
  // A number that has not been given yet is a mistake: it would hold back lines that nobody has seen.
  return isOurs && Number(after) <= (log.lines.at(-1)?.seq ?? 0) ? Number(after) : 0;
}

/** `GET /api/logs/file`: the log file, with everything written so far. @throws AppError NOT_FOUND */
export async function downloadLog(_visit: RequestContext, { logFile }: App): Promise<Response> {
  await logFile.flush();
  const size = await logFile.size();
  if (size === null)
    throw new AppError("NOT_FOUND", "No log file is written. The lines in memory are on the logs page.");
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": `attachment; filename="${basename(logFile.path)}"`,
  };
  // A slice: the file may grow while it is read, and the promised length holds. Empty files cannot be sliced.
  return new Response(size === 0 ? "" : Bun.file(logFile.path).slice(0, size), { headers });
}

/** Frames with the lines after this number, each once. */
function linesOf(log: Log, bootId: string, after: number): StreamSource {
  let seen = after;
  let first = true;
  return {
    subscribe: (changed) => log.latest.subscribe(changed),
    next() {
      const lines = log.lines.filter((line) => line.seq > seen);
      if (lines.length === 0 && !first) return undefined;
      first = false;
      seen = lines.at(-1)?.seq ?? seen;
      return { boot_id: bootId, lines };
    },
  };
}
