import { basename } from "node:path";
import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { verbosityOf } from "../domain/logs/log_line.ts";
import { RECENT_LOGS } from "../domain/logs/log_schema.ts";
import { eventStream, type StreamSource } from "../http/listen/event_stream.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import type { Log } from "../log.ts";
import { type Endpoint, endpoint, eventsOf, query, WHOLE_NUMBER } from "./endpoint.ts";

export const recentLogs = endpoint({
  summary: "The log lines in memory",
  shape: RECENT_LOGS,
  returns: "Oldest first",
  answer(_context, { log, logFile, bootId, settings }) {
    return {
      boot_id: bootId,
      lines: log.all,
      file_path: logFile.path,
      capacity: log.capacity,
      verbosity: verbosityOf(settings.current.logging),
    };
  },
});

export const logStream: Endpoint<App> = {
  summary: "Log lines as they come",
  description:
    "The first frame holds all lines in memory, the others only new ones. With `boot` and `after` of this process it goes on after that line.",
  parameters: {
    boot: query("The `boot_id` of an earlier frame; of another process it is passed over"),
    after: query("The `seq` of the last line that was heard", WHOLE_NUMBER),
  },
  answers: eventsOf("logs", "LogFrame"),
  errors: ["TOO_MANY_STREAMS"],
  handle(context, app) {
    return eventStream(context, app, { event: "logs", source: linesOf(app.log, app.bootId, lastSeq(context, app)) });
  },
};

/** The `seq` of the last line that the client has; before all lines when the request names none of this process. */
function lastSeq({ url: { searchParams } }: RequestContext, { log, bootId }: App): number {
  const after = searchParams.get("after") ?? "";
  const isOurs = searchParams.get("boot") === bootId && /^[0-9]{1,15}$/.test(after);
  // A number above that of the newest line would hold back lines that were never sent.
  return isOurs && Number(after) <= (log.lines.at(-1)?.seq ?? 0) ? Number(after) : Number.NEGATIVE_INFINITY;
}

export const downloadLog: Endpoint<App> = {
  summary: "The log file, to be saved",
  answers: { 200: { description: "Every line since it was last put aside", type: "text/plain", schema: v.string() } },
  errors: ["NOT_FOUND"],
  async handle(context, { logFile }) {
    await logFile.flush();
    const size = await logFile.size();
    if (size === null)
      throw new AppError("NOT_FOUND", "No log file is written. The lines in memory are on the logs page.");
    const headers = {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="${basename(logFile.path)}"`,
    };
    context.takesTime = true;
    // A slice: the file may grow while it is read, and the promised length holds. Empty files cannot be sliced.
    return new Response(size === 0 ? "" : Bun.file(logFile.path).slice(0, size), { headers });
  },
};

/** Frames with the lines after this number, each once. */
function linesOf(log: Log, bootId: string, after: number): StreamSource {
  let seen = after;
  let first = true;
  return {
    subscribe: (changed) => log.latest.subscribe(changed),
    next() {
      const lines = (first ? log.all : log.lines).filter((line) => line.seq > seen);
      if (lines.length === 0 && !first) return undefined;
      first = false;
      seen = lines.at(-1)?.seq ?? seen;
      return { boot_id: bootId, lines };
    },
  };
}
