import { basename } from "node:path";
import * as v from "valibot";
import type { App } from "../app.ts";
import { orNull } from "../domain/answers/answer_fields.ts";
import { AppError } from "../domain/answers/errors.ts";
import { verbosityOf } from "../domain/logs/log_line.ts";
import { RECENT_LOGS } from "../domain/logs/log_schema.ts";
import { eventStream, type StreamSource } from "../http/listen/event_stream.ts";
import type { Log } from "../log.ts";
import { endpoint, eventsOf, responseEndpoint, WHOLE_NUMBER } from "./endpoint.ts";

const SEQ = v.pipe(v.string(), v.regex(/^[0-9]{1,15}$/), v.transform(Number), WHOLE_NUMBER);
const HEARD = v.object({
  boot: orNull(v.string(), "The `boot_id` of an earlier frame; of another process it is passed over"),
  after: v.pipe(v.fallback(v.nullable(SEQ), null), v.description("The `seq` of the last line that was heard")),
});

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

export const logStream = responseEndpoint({
  summary: "Log lines as they come",
  description:
    "The first frame holds all lines in memory, the others only new ones. With `boot` and `after` of this process it goes on after that line.",
  query: HEARD,
  answers: eventsOf("logs", "LogFrame"),
  errors: ["TOO_MANY_STREAMS"],
  respond({ context, query }, app: App) {
    return eventStream(context, app, { event: "logs", source: linesOf(app.log, app.bootId, lastSeq(query, app)) });
  },
});

/** The `seq` of the last line that the client has; before all lines when the request names none of this process. */
function lastSeq({ boot, after }: v.InferOutput<typeof HEARD>, { log, bootId }: App): number {
  // A number above that of the newest line would hold back lines that were never sent.
  return boot === bootId && after !== null && after <= (log.lines.at(-1)?.seq ?? 0) ? after : Number.NEGATIVE_INFINITY;
}

export const downloadLog = responseEndpoint({
  summary: "The log file, to be saved",
  answers: { 200: { description: "Every line since it was last put aside", type: "text/plain", schema: v.string() } },
  errors: ["NOT_FOUND"],
  async respond({ context }, { logFile }: App) {
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
});

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
