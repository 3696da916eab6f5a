/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { SchedulePreview } from "../../server/domain/settings/schedule_preview.ts";
import { aheadInWords } from "../../server/domain/text/format.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { useAsked } from "./asked.ts";
import type { Entry } from "./entry.ts";
import type { Shared } from "./keep/shared.ts";

const READY_MADE: readonly (readonly [words: string, cron: string])[] = [
  ["Every 15 min", "*/15 * * * *"],
  ["Hourly", "0 * * * *"],
  ["At night", "0 3 * * *"],
];

/** Of a service in which no other was set. */
const FIRST_ZONE = "UTC";
/** The time to the next run is shown in minutes. */
const MINUTE_MS = 60_000;

/** The schedule in words and its next runs, as they would be with what is typed; and ready-made ones. */
export function ScheduleRuns({ shared }: { readonly shared: Shared }) {
  const { at, change, runs } = shared;
  const [cron, zone] = [at("schedule", "cron_expression"), at("schedule", "timezone")];
  const paused = at("schedule", "paused");
  const pathOf = (text: (entry: Entry) => string) => {
    const asked = new URLSearchParams({ cron_expression: text(cron).trim(), timezone: text(zone).trim() });
    return `/api/schedule/preview?${asked}` as const;
  };
  const { answer: preview, isStale } = useAsked(
    pathOf(({ draft }) => draft.value),
    runs.peek(),
    { holdsMs: untilCloser, drawnFor: pathOf(({ field }) => field.value) },
  );
  useEffect(() => {
    if (preview.valid) runs.value = preview;
    for (const entry of [cron, zone])
      entry.finding.value = !isStale && !preview.valid && preview.field === entry.field.name ? preview.problem : null;
  }, [preview, isStale]);
  const shownIn = useMemo(() => new ZoneTime(preview.valid ? preview.time_zone : "UTC"), [preview]);
  return (
    <>
      <div class={`schedule-says${isStale ? " stale" : ""}`} aria-busy={isStale}>
        <p class="says" id={`${cron.id}-says`} role="status">
          {preview.valid && <b>{preview.words}</b>}
        </p>
        {preview.valid && (
          <ol class="next-runs" aria-label="Next three runs">
            {preview.next.map((at, index) => (
              <li key={at}>
                <time datetime={new Date(at).toISOString()} title={shownIn.whole(at)}>
                  {shownIn.day(at, preview.now)}, {shownIn.clock(at)}
                </time>
                <span class="quiet">{index === 0 ? aheadInWords((at - preview.now) / 1000) : shownIn.name(at)}</span>
              </li>
            ))}
          </ol>
        )}
        {paused.draft.value === "true" && <p class="says">Paused: none of these starts.</p>}
      </div>
      <ReadyMade cron={cron} zone={zone} change={change} />
    </>
  );
}

/** How long it holds that the next run is so far away, in milliseconds; at most until that run. */
function untilCloser(preview: SchedulePreview): number | null {
  if (!preview.valid) return null;
  const [first = preview.now + MINUTE_MS] = preview.next;
  return Math.min(MINUTE_MS, first - preview.now);
}

interface ChangeProps {
  readonly change: (entry: Entry, text: string) => void;
}

/** Offers the browser's time zone for as long as the first one stands, in which most people do not live. */
function BrowserZone({ zone, change }: { readonly zone: Entry } & ChangeProps) {
  const own = useSignal<string | null>(null);
  useEffect(() => {
    own.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? null;
  }, []);
  const { value: name } = own;
  const isFirst = zone.saved.value === FIRST_ZONE && zone.draft.value.trim() === FIRST_ZONE;
  if (name === null || name === FIRST_ZONE || !isFirst) return null;
  return (
    <button class="chip" type="button" onClick={() => change(zone, name)}>
      Use this browser’s time zone ({name})
    </button>
  );
}

/** Buttons for the schedules most people want. */
function ReadyMade({ cron, zone, change }: { readonly cron: Entry; readonly zone: Entry } & ChangeProps) {
  return (
    <div class="chips" role="group" aria-label="Ready-made schedules">
      {READY_MADE.map(([words, expression]) => (
        <button
          key={words}
          class="chip"
          type="button"
          aria-pressed={cron.draft.value.trim() === expression}
          onClick={() => change(cron, expression)}
        >
          {words}
        </button>
      ))}
      <BrowserZone zone={zone} change={change} />
    </div>
  );
}
