import { LEVELS } from "./domain/logs/log_line.ts";
import { credentialsIn } from "./domain/settings/gateway.ts";
import type { Settings } from "./domain/settings/settings.ts";
import { formatJson, formatText, type Log } from "./log.ts";
import type { LogFile } from "./store/config/log_file.ts";

/** Puts the logging settings in force. */
export function applyLogging(log: Log, file: LogFile, { logging }: Settings): void {
  file.setLimits({ maxBytes: logging.file_max_bytes, backups: logging.file_backup_count });
  log.setCapacity(logging.ring_buffer_capacity);
  log.setThreshold((logger) => {
    if (logging.quiet) return LEVELS.ERROR;
    if (logging.verbose >= 2) return LEVELS.DEBUG;
    return logging.verbose === 1 && logger === "sync" ? LEVELS.DEBUG : LEVELS.INFO;
  });
}

/** What must never be read in a log, wherever it came from. */
export function withoutSecrets(text: string, settings: Settings | null): string {
  if (!settings) return text;
  let clean = text;
  const { auth, metrics } = settings;
  const gateway = credentialsIn(metrics.pushgateway_url ?? "");
  for (const secret of [auth.session_secret, auth.password_hash, metrics.scrape_token, gateway && `${gateway}@`])
    if (secret && clean.includes(secret)) clean = clean.replaceAll(secret, secret.endsWith("@") ? "***@" : "***");
  return clean;
}

/** The code of a first run from outside as a line beside those of the log, in their form. */
export function codeLine(code: string, now: number, format: Settings["logging"]["format"]): string {
  const message = `No password is set yet. Setting it from outside of your own network asks for this code: ${code}`;
  const line = {
    seq: 0,
    ts: new Date(now).toISOString(),
    level: "INFO",
    level_no: LEVELS.INFO,
    logger: "auth",
  } as const;
  return format === "json" ? formatJson({ ...line, message }, {}) : formatText({ ...line, message });
}
