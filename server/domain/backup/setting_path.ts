import { isSectionName, SECTIONS } from "../settings/settings.ts";

/** True for the name of a setting, such as `sync.keep`. */
export function isSettingPath(text: string): boolean {
  const [section = "", field = ""] = text.split(".");
  return isSectionName(section) && Object.hasOwn(SECTIONS[section].fields, field);
}
