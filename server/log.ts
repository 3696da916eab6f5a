import type { Clock } from "./clock.ts";
import { LEVELS, type Level, type LogLine } from "./domain/logs/log_line.ts";
import { credentialsIn } from "./domain/settings/gateway.ts";
import type { Settings } from "./domain/settings/settings.ts";
import { secretsIn } from "./domain/settings/notify_address.ts";
import { secretsOfPing } from "./domain/settings/ping_address.ts";
import { keysIn } from "./domain/settings/tile_address.ts";
import { withoutDirectionMarks } from "./domain/text/direction_marks.ts";
import { Topic } from "./topic.ts";

/** The buffer is cut in steps of this many lines: cutting it at each line would move all the others each time. */
const SLACK = 100;

/** Facts that go with a line into the JSON form, such as `event: "file_downloaded"`. Never secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Text of a line; a function where there are many that are kept only at the level DEBUG. */
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
  /** Lowest level that is kept, by logger, so that a quiet mode can still keep the lines of one logger. */
  #threshold: (logger: string) => number;
  #capacity: number;
  #lines: LogLine[] = [];
  #earlier: readonly LogLine[] = [];
  #seq = 0;

  /** @param options.redact takes secrets out of a message */
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

  /**
   * Returns a log for the work with one of several cameras: its lines go into this log, with the camera's name before the
   * message and its id among the fields.
   */
  ofCamera(id: string, name: () => string): Log {
    const pass: LogSink = ({ level, logger, message }, fields) =>
      this.#write(level, logger, `${name()}: ${message}`, { ...fields, camera: id });
    const log = new Log(this.#clock, [pass], { capacity: 1 });
    log.setThreshold((logger) => this.#threshold(logger));
    return log;
  }

  /** Keeps lines of at least `threshold(logger)` from now on. */
  setThreshold(threshold: (logger: string) => number): void {
    this.#threshold = threshold;
  }

  /** Lines of the process before, the newest last: with them the log begins, numbered up to 0. */
  recall(earlier: readonly Omit<LogLine, "seq">[]): void {
    this.#earlier = earlier.map((line, at) => ({ ...line, seq: at + 1 - earlier.length }));
  }

  /** The newest lines, those of the process before among them while there is room, oldest first. */
  get all(): readonly LogLine[] {
    const { lines } = this;
    const room = this.#capacity - lines.length;
    return room > 0 && this.#earlier.length > 0 ? [...this.#earlier.slice(-room), ...lines] : lines;
  }

  /** The kept lines of this process, oldest first. */
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

/** Returns the milliseconds by which the process's own zone is ahead of UTC at a moment. */
export function ownOffset(ms: number): number {
  return -new Date(ms).getTimezoneOffset() * 60_000;
}

/**
 * `2026-11-21 08:15:03,250 +11:00: INFO message`
 * @param offset of the zone of all times at a moment, in milliseconds; the process's own when left out
 */
export function formatText(line: LogLine, offset: (ms: number) => number = ownOffset): string {
  const at = Date.parse(line.ts);
  const minutes = Math.round(offset(at) / 60_000);
  const wall = new Date(at + minutes * 60_000).toISOString();
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  const zone = `${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
  return `${wall.slice(0, 10)} ${wall.slice(11, 19)},${wall.slice(20, 23)} ${zone}: ${line.level} ${line.message}`;
}

const TEXT_LINE =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9:]{8}),([0-9]{3})( [+-][0-9]{2}:[0-9]{2})?: (DEBUG|INFO|WARNING|ERROR) (.*)$/;

/** Stands for the logger, which lines of text do not name. */
const EARLIER = "earlier";

/**
 * Reads a line of the log file, in either form, without its number; null when it is none. A time without a zone is of
 * the process's own.
 */
export function readLogLine(text: string): Omit<LogLine, "seq"> | null {
  const found = TEXT_LINE.exec(text);
  const [, day, clock, ms, zone = "", level, message] = found ?? [];
  if (found) return lineOf(Date.parse(`${day}T${clock}.${ms}${zone.trim()}`), level, EARLIER, message);
  try {
    const json: unknown = text.startsWith("{") ? JSON.parse(text) : null;
    if (typeof json !== "object" || json === null) return null;
    const { timestamp, level, logger, message } = json as Record<string, unknown>;
    return lineOf(Date.parse(String(timestamp)), level, logger, message);
  } catch {
    return null;
  }
}

function lineOf(at: number, level: unknown, logger: unknown, message: unknown): Omit<LogLine, "seq"> | null {
  const isOurs = typeof message === "string" && typeof logger === "string" && typeof level === "string";
  if (!isOurs || !Object.hasOwn(LEVELS, level) || !(at >= 0 && at < LAST_MS)) return null;
  const known = level as Level;
  return { ts: new Date(at).toISOString(), level: known, level_no: LEVELS[known], logger, message: oneLine(message) };
}
/** The last moment with a year of four digits, which is what compares as text. */
const LAST_MS = 253_402_300_800_000;

/** One compact JSON object: `timestamp`, `level`, `logger`, `message`, then the fields. */
export function formatJson(line: LogLine, fields: LogFields): string {
  const { ts: timestamp, level, logger, message } = line;
  return withoutDirectionMarks(JSON.stringify({ timestamp, level, logger, message, ...fields }));
}

/** Hides the secrets that a log must never show, wherever the text came from. */
export function withoutSecrets(text: string, settings: Settings | null): string {
  if (!settings) return text;
  const { auth, metrics, mqtt, offsite, viewer } = settings;
  const gateway = credentialsIn(metrics.pushgateway_url ?? "");
  const secrets = [
    auth.session_secret,
    auth.password_hash,
    auth.viewer_password_hash,
    metrics.scrape_token ?? "",
    // A short one stands in many texts by chance.
    ...[mqtt.password, offsite.access_key, offsite.secret_key, offsite.passphrase].map((secret) =>
      secret !== null && secret.length >= 4 ? secret : "",
    ),
  ];
  const hidden: (readonly [secret: string, shown: string])[] = [
    ...secrets.map((secret) => [secret, "***"] as const),
    [gateway === null ? "" : `${gateway}@`, "***@"],
    ...keysIn(viewer.tile_url),
    ...keysIn(settings.export.timestamp_url ?? ""),
    ...settings.notify.targets.flatMap(secretsIn).map((secret) => [secret, "***"] as const),
    ...secretsOfPing(settings.notify.ping_url ?? "").map((secret) => [secret, "***"] as const),
  ];
  let clean = text;
  for (const [secret, shown] of hidden)
    if (secret !== "" && clean.includes(secret)) clean = clean.replaceAll(secret, () => shown);
  return clean;
}

/** Returns the stack of an error, for the log. */
export function causeOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}

/** Returns the message of an error, for sentences. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
