import type { DeletionForecast, KindForecast } from "../../../server/domain/retention/deletion.ts";
import { KEEP_CLASSES, type KeepClass } from "../../../server/domain/retention/keep_times.ts";
import type { ValidPreview } from "../../../server/domain/retention/retention_text.ts";

const EACH_BYTES = 100_000_000;
const DAY_MS = 86_400_000;

/** A forecast over days, with what is said of its kinds; of the others there is nothing. */
export function forecastOf(
  bars: string[],
  kinds: Readonly<Partial<Record<KeepClass, Partial<KindForecast>>>>,
): DeletionForecast {
  const last = bars.at(-1);
  const nothing = { recordings: 0, bytes: 0 };
  const none = bars.map(() => 0);
  const kind = (name: KeepClass) => ({
    cutoff: null,
    here: nothing,
    due: nothing,
    stays: none,
    goes: none,
    ...kinds[name],
  });
  return {
    bars,
    end: last === undefined ? null : new Date(Date.parse(last) + DAY_MS).toISOString().slice(0, 10),
    kinds: { normal: kind("normal"), event: kind("event"), parking: kind("parking"), manual: kind("manual") },
  };
}

/** Preview of a run: for each kind, how many recordings there are and how many are deleted, each of 100 MB. */
export function previewOf(
  counts: Readonly<Partial<Record<KeepClass, readonly [here: number, due: number]>>>,
): ValidPreview {
  const amount = (recordings: number) => ({ recordings, bytes: recordings * EACH_BYTES });
  const kinds = Object.fromEntries(
    KEEP_CLASSES.map((name) => {
      const [here, due] = counts[name] ?? [0, 0];
      return [name, { here: amount(here), due: amount(due), stays: [0, here - due], goes: [due, 0] }];
    }),
  );
  const all = amount(Object.values(counts).reduce((sum, [, due]) => sum + due, 0));
  const isAny = all.recordings > 0;
  return {
    valid: true,
    cutoff: "2026-11-07",
    dry_run: false,
    ...all,
    oldest: isAny ? "2026-10-24" : null,
    newest: isAny ? "2026-11-06" : null,
    forecast: forecastOf(["2026-10-24", "2026-11-07"], kinds),
  };
}
