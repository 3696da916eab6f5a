import { knownSetting } from "./config_catalogue.ts";
import { type ConfigEntry, configKey } from "./config_file.ts";
import { isSecret } from "./config_value.ts";

/** A setting that is another one than before. */
export interface ConfigChange {
  readonly key: string;
  readonly label: string;
  /** As the camera stores them, empty for none; `changed` for passwords. */
  readonly from: string;
  readonly to: string;
}

/** What differs: changed and added settings in the order of the new file, then those that are gone in that of the old. */
export function configChanges(before: readonly ConfigEntry[], after: readonly ConfigEntry[]): ConfigChange[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const gone = before.filter((entry) => !now.has(configKey(entry)));
  return [...after, ...gone].flatMap((entry) => {
    const key = configKey(entry);
    const [from, to] = [old.get(key) ?? "", now.get(key) ?? ""];
    if (old.has(key) && now.has(key) && from === to) return [];
    const label = knownSetting(entry.section, entry.key)?.label ?? entry.key;
    return [isSecret(entry) ? { key, label, from: "changed", to: "changed" } : { key, label, from, to }];
  });
}

function valuesOf(entries: readonly ConfigEntry[]): Map<string, string> {
  return new Map(entries.map((entry) => [configKey(entry), entry.value]));
}
