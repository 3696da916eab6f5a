import { withoutDirectionMarks } from "../text/direction_marks.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { clockOf } from "../text/zone_time.ts";
import { knownSetting, type ValueReading } from "./config_catalogue.ts";
import type { ConfigEntry } from "./config_file.ts";
import { isSecret, MASK } from "./secret_settings.ts";

const INTEGER = /^-?[0-9]{1,9}$/;
const SIGNIFICANT_DIGITS = 6;

/**
 * Shows a setting: words, a value with its unit, the mask of a password. A value that cannot be read is shown as it
 * is.
 */
export function shownValue(entry: ConfigEntry, format: TimeFormat = USUAL_FORMAT): string {
  const { section, key, value } = entry;
  if (isSecret(entry)) return value === "" ? "" : MASK;
  const reads = knownSetting(section, key)?.reads;
  return withoutDirectionMarks(reads ? read(reads, value, format) : value);
}

function read(reads: ValueReading, raw: string, format: TimeFormat): string {
  switch (reads.kind) {
    case "options":
      return wordFor(reads.words, raw) ?? raw;
    case "hour":
      return /^([01]?[0-9]|2[0-3])$/.test(raw) ? clockOf({ hour: Number(raw), minute: 0 }, format) : raw;
    case "offset":
      return offsetText(raw);
    case "number": {
      const word = wordFor(reads.words ?? {}, raw);
      if (word !== null || !INTEGER.test(raw)) return word ?? raw;
      const scaled = Number((Number(raw) * (reads.scale ?? 1)).toPrecision(SIGNIFICANT_DIGITS));
      return `${scaled} ${reads.unit}`;
    }
  }
}

function wordFor(words: Readonly<Record<string, string>>, raw: string): string | null {
  return Object.hasOwn(words, raw) ? (words[raw] ?? null) : null;
}

/** `1000` is UTC+10:00, `-930` UTC-09:30: hours and minutes written as one number. */
function offsetText(raw: string): string {
  const [, sign = "", digits = ""] = /^(-?)([0-9]{1,4})$/.exec(raw) ?? [];
  const padded = digits.padStart(4, "0");
  const minutes = padded.slice(2);
  if (digits === "" || Number(minutes) >= 60) return raw;
  return `UTC${sign || "+"}${padded.slice(0, 2)}:${minutes}`;
}
