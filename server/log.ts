import type { Clock } from "./clock.ts";
import { LEVELS, type Level, type LogLine } from "./domain/logs/log_line.ts";
import { credentialsIn } from "./domain/settings/gateway.ts";
import type { Settings } from "./domain/settings/settings.ts";
import { keysIn } from "./domain/settings/tile_address.ts";
import { withoutDirectionMarks } from "./domain/text/direction_marks.ts";
import { Topic } from "./topic.ts";

/** The buffer is cut in steps of this many lines: cutting it at each line would move all the others each time. */
const SLACK = 100;

/** Facts that go with a line into the JSON form, such as `event: "file_downloaded"`. Never secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** What a line says; as a function where there are many that are kept only at the level DEBUG. */
export type LogMessage = string | (() => string);

export type LogSink = (line: LogLine, fields: LogFields) => void;

/**
 * Numbered lines into a bounded buffer, a topic and the sinks it was given. A message is one line whatever went into
 * it: control characters become spaces, so nothing a camera or a client sends can forge a line.
 */
export class Log {
  readonly latest: Topic<LogLine | null> = new Topic<LogLine | null>(null);
  readonly #clock: Clock;
  readonly #sinks: readonly LogSink[];
  readonly #redact: (text: string) => string;
  /** Which lines are kept; by logger, so that a quiet mode can still keep the lines of one logger. */
  #threshold: (logger: string) => number;
  #capacity: number;
  #lines: LogLine[] = [];
  #seq = 0;

  /** @param options.redact takes what is secret out of a message */
  constructor(
    clock: Clock,
    sinks: readonly LogSink[] = [],
    options: { capacity?: number; level?: Level; redact?: (text: string) => string } = {},
  ) {
    this.#clock = clock;
    this.#sinks = sinks;
    this.#capacity = options.capacity ?? 500;
    this.#redact = options.redact ?? ((text) => text);
    const level = LEVELS[options.level ?? "INFO"];
    this.#threshold = () => level;
  }

  debug(logger: string, message: LogMessage, fields: LogFields = {}): void {
    this.#write("DEBUG", logger, message, fields);
  }
  info(logger: string, message: LogMessage, fields: LogFields = {}): void {
    this.#write("INFO", logger, message, fields);
  }
  warning(logger: string, message: LogMessage, fields: LogFields = {}): void {
    this.#write("WARNING", logger, message, fields);
  }
  error(logger: string, message: LogMessage, fields: LogFields = {}): void {
    this.#write("ERROR", logger, message, fields);
  }

  /** From now on keeps lines of at least `threshold(logger)`. */
  setThreshold(threshold: (logger: string) => number): void {
    this.#threshold = threshold;
  }

  /** The kept lines, oldest first. */
  get lines(): readonly LogLine[] {
    return this.#lines.slice(-this.#capacity);
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** Resizes the buffer, keeping the newest lines. */
  setCapacity(capacity: number): void {
    this.#capacity = capacity;
    this.#lines = this.#lines.slice(-capacity);
  }

  #write(level: Level, logger: string, message: LogMessage, fields: LogFields): void {
    if (LEVELS[level] < this.#threshold(logger)) return;
    const line: LogLine = {
      seq: ++this.#seq,
      ts: new Date(this.#clock.now()).toISOString(),
      level,
      level_no: LEVELS[level],
      logger,
      message: oneLine(this.#redact(typeof message === "string" ? message : message())),
    };
    this.#lines.push(line);
    if (this.#lines.length >= this.#capacity + SLACK) this.#lines.splice(0, SLACK);
    for (const sink of this.#sinks) sink(line, fields);
    this.latest.set(line);
  }
}

/** Printable, on one line: C0 and C1 controls and the Unicode line separators become a space, direction marks nothing. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
  return withoutDirectionMarks(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}

/** `2026-11-21 08:15:03,250: INFO message`, in the process's own zone. */
export function formatText(line: LogLine): string {
  const at = new Date(line.ts);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return `${day} ${time},${String(at.getMilliseconds()).padStart(3, "0")}: ${line.level} ${line.message}`;
}

/** One compact JSON object: `timestamp`, `level`, `logger`, `message`, then the fields. */
export function formatJson(line: LogLine, fields: LogFields): string {
  const { ts: timestamp, level, logger, message } = line;
  return withoutDirectionMarks(JSON.stringify({ timestamp, level, logger, message, ...fields }));
}

/** What must never be read in a log, wherever it came from. */
export function withoutSecrets(text: string, settings: Settings | null): string {
  if (!settings) return text;
  const { auth, metrics, viewer } = settings;
  const gateway = credentialsIn(metrics.pushgateway_url ?? "");
  const secrets = [auth.session_secret, auth.password_hash, metrics.scrape_token ?? ""];
  const hidden: (readonly [secret: string, shown: string])[] = [
    ...secrets.map((secret) => [secret, "***"] as const),
    [gateway === null ? "" : `${gateway}@`, "***@"],
    ...keysIn(viewer.tile_url),
  ];
  let clean = text;
  for (const [secret, shown] of hidden)
    if (secret !== "" && clean.includes(secret)) clean = clean.replaceAll(secret, () => shown);
  return clean;
}

/** Where an error came from, for the log. */
export function causeOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}

/** What an error says, for sentences. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
