const NBSP = "\u00a0";
const NARROW = "\u202f";

/** Decimal units, one decimal at most: `999 B`, `1.2 kB`, `52 MB`, `4.2 GB`. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  for (const unit of ["B", "kB", "MB", "GB"]) {
    if (value < 999.5) return `${decimal(value, unit === "B")}${NBSP}${unit}`;
    value /= 1000;
  }
  return `${decimal(value, false)}${NBSP}TB`;
}

/** A part of a whole, both in the unit of the whole: `2.6 of 9.1 GB`. */
export function formatBytesOf(done: number, all: number): string {
  const [, unit = "B"] = formatBytes(all).split(NBSP);
  const size = 1000 ** ["B", "kB", "MB", "GB", "TB"].indexOf(unit);
  return `${decimal(Math.max(0, done) / size, unit === "B")} of ${formatBytes(all)}`;
}

function decimal(value: number, whole: boolean): string {
  return whole || value >= 99.95 ? String(Math.round(value)) : (Math.round(value * 10) / 10).toString();
}

/** Bytes per second: `12 MB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** Whole numbers grouped by narrow no-break spaces: `3 918`. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=([0-9]{3})+$)/g, NARROW);
}

/** `1 file`, `3 918 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)}${NBSP}${count === 1 ? one : many}`;
}

/** A length of time, the two largest units at most: `45 s`, `9 min`, `1 h 05 min`, `3 d 4 h`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole}${NBSP}s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes}${NBSP}min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}${NBSP}h ${String(minutes % 60).padStart(2, "0")}${NBSP}min`;
  return `${Math.floor(hours / 24)}${NBSP}d ${hours % 24}${NBSP}h`;
}

/** As `formatSeconds`, as people say it of what is usual: hours to ten minutes, without nothings: `11 h`, `2 h 20 min`. */
export function formatRoughly(seconds: number): string {
  const rough = seconds < 7200 ? seconds : Math.round(seconds / 600) * 600;
  return formatSeconds(rough).replace(/\s00\s?min$/, "");
}

/** Says how long ago, in whole units: `just now`, `59 min ago`, `1 h ago`, `1 d ago`. The future counts as now. */
export function agoInWords(seconds: number): string {
  if (!(seconds >= 60)) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)}${NBSP}min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}${NBSP}h ago`;
  return `${formatCount(Math.floor(seconds / 86_400))}${NBSP}d ago`;
}

/** Says how long until something, to the second: `in 45 s`, `in 9 min`; `now` when its time has come. */
export function aheadInWords(seconds: number): string {
  return seconds >= 0.5 ? `in ${formatSeconds(seconds)}` : "now";
}

/** Says how long something took: `in 38 s`, `in under a second`. */
export function withinInWords(seconds: number): string {
  return seconds >= 0.5 ? `in ${formatSeconds(seconds)}` : "in under a second";
}

/** The length of a video as players show it: `0:45`, `1:00`, `1:02:03`. */
export function formatLength(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Words as a sentence: with a capital and a full stop, unless they end like one; nothing stays nothing. */
export function asSentence(words: string): string {
  return words && `${capitalized(words)}${/[.?!]$/.test(words) ? "" : "."}`;
}

/** Words with a capital letter first. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
