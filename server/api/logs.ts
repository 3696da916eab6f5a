import type { App } from "../app.ts";
import { eventStream, type StreamSource } from "../http/event_stream.ts";
import { json } from "../http/respond.ts";
import type { Visit } from "../http/visit.ts";
import type { Log } from "../log.ts";

/** `GET /api/logs/recent`: the lines in memory. */
export function recentLogs(_visit: Visit, { log, logFile, bootId, settings }: App): Response {
  const { quiet, verbose } = settings.current.logging;
  return json({
    boot_id: bootId,
    lines: log.lines,
    file_path: logFile.path,
    capacity: log.capacity,
    verbosity: quiet ? "quiet" : (["normal", "verbose"][verbose] ?? "debug"),
  });
}

/** `GET /api/logs/stream`: all lines in memory first, then those that come. */
export function logStream(visit: Visit, app: App): Response {
  return eventStream(visit, app, { event: "logs", source: linesOf(app.log, app.bootId) });
}

/** Frames with the lines that the reader has not had yet. */
function linesOf(log: Log, bootId: string): StreamSource {
  let seen = 0;
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
