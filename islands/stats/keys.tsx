/** @jsxImportSource preact */
import { REASON_NAMES } from "../../server/domain/runs/run_text.ts";
import type { StatsView } from "../../server/domain/runs/statistics_text.ts";

interface LineKey {
  readonly name: string;
  readonly look: "used" | "trash" | "ahead" | "stops" | "settles";
}

/** Names of the disk's lines, each with its dashes. */
export function DiskKeys({ view }: { readonly view: StatsView }) {
  const keys: readonly LineKey[] = [
    { name: "Used", look: "used" },
    ...(view.hasTrash ? [{ name: "With the trash", look: "trash" } as const] : []),
    ...(view.hasForecast ? [{ name: "Forecast", look: "ahead" } as const] : []),
    { name: `Stops at ${view.stops}`, look: "stops" },
    ...(view.settles === null ? [] : [{ name: `Settles with ${view.settles}`, look: "settles" } as const]),
  ];
  return (
    <ul class="keys">
      {keys.map(({ name, look }) => (
        <li key={look}>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <path class={`key-${look}`} d="M0 5H20" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Names of the bars of failed runs; "away" hangs below the line, in the chart as in its key. */
export function FailedKeys({ view }: { readonly view: StatsView }) {
  return (
    <ul class="keys">
      {view.reasons.map((reason) => (
        <li key={reason}>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <rect class={`key-${reason}`} x="6" width="8" height="8" />
            <path class="key-zero" d="M1 9H19" />
          </svg>
          {REASON_NAMES[reason]}
        </li>
      ))}
      {view.summary.offline > 0 && (
        <li>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <rect class="key-away" x="6" y="2" width="8" height="8" />
            <path class="key-zero" d="M1 1H19" />
          </svg>
          Camera away, below the line
        </li>
      )}
    </ul>
  );
}
