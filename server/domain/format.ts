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
