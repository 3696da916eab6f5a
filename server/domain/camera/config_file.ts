import { withoutDirectionMarks } from "../text/direction_marks.ts";

/** One setting of the camera as its file holds it. */
export interface ConfigEntry {
  /** Case counts. */
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

/** Section for keys that come before any section. */
const HEADLESS = "General";
const SECTION = /^\[([^\]]*)\]$/;
const KEY = /^[A-Za-z0-9_.-]+$/;
/** Far more than any camera has. */
const MOST_SETTINGS = 2000;

/**
 * Reads `/Config/config.ini`: sections in brackets, `key=value` lines, of which the first of a section and key counts;
 * all other lines are passed over. Cameras write UTF-8. A file that a person has saved with an editor may be UTF-16,
 * with or without a byte order mark.
 * @returns the settings in the file's order; none for another kind of file, such as a router's page or an endless list
 */
export function parseConfig(bytes: Uint8Array): ConfigEntry[] {
  const text = decoded(bytes);
  if (/^\s*</.test(text)) return [];
  const entries = new Map<string, ConfigEntry>();
  let section = HEADLESS;
  for (const line of text.split(/[\r\n]+/)) {
    const trimmed = line.trim();
    const head = SECTION.exec(trimmed);
    if (head) section = withoutDirectionMarks(head[1] ?? "").trim();
    const equals = trimmed.indexOf("=");
    const key = trimmed.slice(0, Math.max(0, equals)).trim();
    if (head || !KEY.test(key)) continue;
    const place = configKey({ section, key });
    if (!entries.has(place)) entries.set(place, { section, key, value: trimmed.slice(equals + 1).trim() });
    if (entries.size > MOST_SETTINGS) return [];
  }
  return [...entries.values()];
}

/** Names a setting as answers do: `Tab3.VOLUME`. */
export function configKey({ section, key }: Pick<ConfigEntry, "section" | "key">): string {
  return `${section}.${key}`;
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  // It begins with a letter or a bracket: where one of two bytes is empty, they are one character.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
    return new TextDecoder("utf-16le").decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
