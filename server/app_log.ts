import { LEVELS } from "./domain/log_line.ts";
import type { Settings } from "./domain/settings.ts";
import type { Log } from "./log.ts";
import type { LogFile } from "./store/log_file.ts";

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
  for (const secret of [settings.auth.session_secret, settings.auth.password_hash, settings.metrics.scrape_token])
    if (secret && clean.includes(secret)) clean = clean.replaceAll(secret, "***");
  return clean;
}
