import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "./domain/settings/settings_migrations.ts";

/** The forms that a line of the log may have. */
export type LineFormat = "text" | "json";

/** The form that `LOG_FORMAT` asks for; text where it names none. */
export function formatOf(env: Readonly<Record<string, string | undefined>>): LineFormat {
  return env["LOG_FORMAT"] === "json" ? "json" : "text";
}

/**
 * The form of lines that come before the settings are loaded, or in their place: that of the settings file where it
 * can be read, else that of the environment. The service checks the file later and reports its faults.
 */
export function formatAtStart(configDir: string, env: Readonly<Record<string, string | undefined>>): LineFormat {
  let root: unknown;
  try {
    root = JSON.parse(readFileSync(join(configDir, "settings.json"), "utf8"));
  } catch {
    return formatOf(env);
  }
  const logging = isObject(root) ? root["logging"] : null;
  const format = isObject(logging) ? logging["format"] : null;
  return format === "json" || format === "text" ? format : formatOf(env);
}
