import type * as v from "valibot";
import type { CONFIG_CHANGE, CONFIG_VISIT } from "./camera_schema.ts";
import { knownSetting } from "./config_catalogue.ts";
import { type ConfigEntry, configKey } from "./config_file.ts";
import { isSecret } from "./secret_settings.ts";

/** Stands for both values of a password. */
const SECRET_CHANGED = "changed";

/** A setting that is another one than before. */
export type ConfigChange = v.InferOutput<typeof CONFIG_CHANGE>;

/**
 * Lists the differences: changed and added settings in the order of the new file, then those that are gone in that of
 * the old.
 */
export function configChanges(before: readonly ConfigEntry[], after: readonly ConfigEntry[]): ConfigChange[] {
  const old = valuesOf(before);
  const now = valuesOf(after);
  const gone = before.filter((entry) => !now.has(configKey(entry)));
  return [...after, ...gone].flatMap((entry) => {
    const key = configKey(entry);
    const from = old.get(key) ?? "";
    const to = now.get(key) ?? "";
    if (old.has(key) && now.has(key) && from === to) return [];
    const label = knownSetting(entry.section, entry.key)?.label ?? entry.key;
    return [isSecret(entry) ? { key, label, from: SECRET_CHANGED, to: SECRET_CHANGED } : { key, label, from, to }];
  });
}

function valuesOf(entries: readonly ConfigEntry[]): Map<string, string> {
  return new Map(entries.map((entry) => [configKey(entry), entry.value]));
}

/** The changes of one visit of the camera. */
export type ConfigVisit = v.InferOutput<typeof CONFIG_VISIT>;

/**
 * Lists the differences since the first of these visits. A setting that has its old value again is none. Dismissed
 * visits count as seen.
 */
export function openChanges(visits: readonly ConfigVisit[]): ConfigChange[] {
  const merged = new Map<string, ConfigChange>();
  for (const { changes, dismissed } of visits) {
    if (dismissed) continue;
    for (const change of changes)
      merged.set(change.key, { ...change, from: merged.get(change.key)?.from ?? change.from });
  }
  return [...merged.values()].filter(({ from, to }) => from !== to || from === SECRET_CHANGED);
}
