import { knownSetting } from "./config_catalogue.ts";
import type { ConfigEntry } from "./config_file.ts";

/** Stands for a stored password. */
export const MASK = "\u2022".repeat(8);

/** True when a setting is a password: one that is known as such, or has a name like one. */
export function isSecret({ section, key }: Pick<ConfigEntry, "section" | "key">): boolean {
  const known = knownSetting(section, key);
  return known ? known.isSecret === true : /_pw$|password|passwd|pwd/i.test(key);
}
