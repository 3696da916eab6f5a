import type { LogFrame, LogLine } from "../../server/domain/logs/log_line.ts";

/** A line as the page holds it. */
export interface LineEntry {
  readonly kind: "line";
  /** Grows from entry to entry, over restarts of the service too. */
  readonly key: number;
  readonly line: LogLine;
}

/** Gap between lines: the service has restarted, or there were more lines than it keeps. */
export interface CutEntry {
  readonly kind: "restarted" | "missing";
  readonly key: number;
  /** Time of the first line after the gap, ISO 8601 UTC. */
  readonly ts: string;
  /** Number of lines that are missing; 0 for a restart, after which the number is unknown. */
  readonly missing: number;
}

export type Entry = LineEntry | CutEntry;

/** The lines received so far, and the position they reach. */
export interface ReceivedLog {
  readonly bootId: string;
  /** The `seq` of the last line from this process of the service; 0 before the first. */
  readonly position: number;
  /** Offset added to a line's number to make its key. */
  readonly base: number;
  readonly entries: readonly Entry[];
}

/** The log as the server has drawn it. */
export function receivedLog({ boot_id: bootId, lines }: LogFrame): ReceivedLog {
  const entries = lines.flatMap((line, at): Entry[] => {
    const entry = { kind: "line", key: line.seq, line } as const;
    const isFirst = line.seq > 0 && (lines[at - 1]?.seq ?? 1) <= 0;
    return isFirst ? [restartBefore(line), entry] : [entry];
  });
  return { bootId, position: lines.at(-1)?.seq ?? 0, base: 0, entries };
}

/** Between the last line of the process before and the first one of this. */
function restartBefore({ seq, ts }: LogLine): CutEntry {
  return { kind: "restarted", key: seq - 0.5, ts, missing: 0 };
}

/**
 * The log after one more frame. Lines received before are left out. Another process, or numbers that run backwards, are
 * a restart: the old lines stay above the cut.
 * @param now ISO 8601 UTC, for a restart without any lines yet
 * @returns the same object when nothing is new
 */
export function withFrame(log: ReceivedLog, frame: LogFrame, now: string): ReceivedLog {
  const { boot_id: bootId, lines } = frame;
  const isRestart = bootId !== log.bootId || (lines.at(-1)?.seq ?? log.position) < log.position;
  const position = isRestart ? 0 : log.position;
  const base = isRestart ? (log.entries.at(-1)?.key ?? log.base) + 1 : log.base;
  const entry = (line: LogLine): Entry => ({ kind: "line", key: base + line.seq, line });

  // Lines of an earlier process have numbers up to 0 and are here already.
  const newer = lines.filter(({ seq }) => seq > position);
  const ts = newer[0]?.ts ?? now;
  const missing = (newer[0]?.seq ?? 0) - position - 1;
  const cuts: Entry[] = [];
  if (isRestart && log.entries.length > 0) cuts.push({ kind: "restarted", key: base, ts, missing: 0 });
  else if (position > 0 && missing > 0) cuts.push({ kind: "missing", key: base + position + 0.5, ts, missing });

  // The server draws only the newest lines of a long log; those before them come with the first frame.
  const first = log.entries[0];
  const isShort = !isRestart && first?.kind === "line" && first.key > base;
  const older = isShort ? lines.filter(({ seq }) => base + seq < first.key) : [];

  if (!isRestart && newer.length === 0 && older.length === 0) return log;
  const entries = [...older.map(entry), ...log.entries, ...cuts, ...newer.map(entry)];
  return { bootId, position: lines.at(-1)?.seq ?? position, base, entries };
}

/** The log with its newest entries only; the same object when it has no more. */
export function trimmed(log: ReceivedLog, capacity: number): ReceivedLog {
  const { entries } = log;
  return entries.length <= capacity ? log : { ...log, entries: entries.slice(-capacity) };
}
