import { durationInWords } from "../settings/duration.ts";
import { KEEP_CLASSES, type KeepClass, type KeepSettings, keepOf } from "./keep_times.ts";

/** The plural of each. */
const KINDS: Readonly<Record<Exclude<KeepClass, "normal">, string>> = {
  event: "events",
  parking: "parking",
  manual: "manual ones",
};

/**
 * Says how long recordings are kept: `2 weeks kept`, `2 weeks kept, parking 3 days, events and manual ones for ever`.
 */
export function keepInWords(settings: KeepSettings): string {
  const usual = keepOf("normal", settings);
  const others = new Map<string | null, string[]>();
  for (const kind of KEEP_CLASSES) {
    const keep = keepOf(kind, settings);
    if (kind === "normal" || keep === usual) continue;
    others.set(keep, [...(others.get(keep) ?? []), KINDS[kind]]);
  }
  // Kinds that are kept for ever come last: it is the longest time.
  const parts = [...others].sort(([one], [other]) => Number(one === null) - Number(other === null));
  const first = usual === null ? "kept for ever" : `${timeInWords(usual)} kept`;
  return [first, ...parts.map(([keep, kinds]) => `${kinds.join(" and ")} ${timeInWords(keep)}`)].join(", ");
}

/** The age over which recordings are deleted, `2 weeks`; null when kinds differ in it. */
export function usualAge(settings: KeepSettings): string | null {
  const keeps = new Set(KEEP_CLASSES.map((kind) => keepOf(kind, settings)).filter((keep) => keep !== null));
  const [only] = keeps;
  return keeps.size === 1 && only !== undefined ? timeInWords(only) : null;
}

/** Writes a keep time in words, such as `2 weeks`. Null is for ever, and a text that cannot be read stays as it is. */
export function timeInWords(keep: string | null): string {
  if (keep === null) return "for ever";
  try {
    return durationInWords(keep);
  } catch {
    return keep;
  }
}
