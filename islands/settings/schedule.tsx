/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { SchedulePreview } from "../../server/domain/settings/schedule_preview.ts";
import { USUAL_SCHEDULES, usualSchedule } from "../../server/domain/settings/usual_schedules.ts";
import type { TimeFormat } from "../../server/domain/text/time_format.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { useAsked } from "./asked.ts";
import type { Entry } from "./entry.ts";
import { describe, inputOf } from "./input.ts";
import type { PartProps } from "./later_place.tsx";
import { focusControl } from "./typing.ts";

const OWN = "own";

/** Times at which the camera is looked for: a menu, a rule of the user, and the next runs with the typed values. */
export function Schedule({ shared }: PartProps) {
  const { at, change, runs } = shared;
  const cron = at("schedule", "cron_expression");
  const zone = at("schedule", "timezone");
  const paused = at("schedule", "paused");
  const pathOf = (text: (entry: Entry) => string) => {
    const asked = new URLSearchParams({ cron_expression: text(cron).trim(), timezone: text(zone).trim() });
    return `/api/schedule/preview?${asked}` as const;
  };
  const { answer: preview, isStale } = useAsked(
    pathOf(({ draft }) => draft.value),
    runs.peek(),
    { holdsMs: untilNext, drawnFor: pathOf(({ field }) => field.value) },
  );
  useEffect(() => {
    if (preview.valid) runs.value = preview;
    for (const entry of [cron, zone])
      entry.finding.value = !isStale && !preview.valid && preview.field === entry.field.name ? preview.problem : null;
  }, [preview, isStale]);
  const isAsked = useSignal(false);
  const { value: typed } = cron.draft;
  const isOwn = isAsked.value || usualSchedule(typed.trim()) === null;
  const choose = (value: string) => {
    isAsked.value = value === OWN;
    if (value === OWN) focusControl(cron.id);
    else change(cron, value);
  };
  return (
    <>
      <select
        class="in in-narrow"
        id={`${cron.id}-choice`}
        autocomplete="off"
        aria-describedby={describe(cron, true)}
        value={isOwn ? OWN : typed.trim()}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {USUAL_SCHEDULES.map(([expression, words]) => (
          <option key={expression} value={expression} selected={!isOwn && typed.trim() === expression}>
            {words}
          </option>
        ))}
        <option value={OWN} selected={isOwn}>
          Own rule…
        </option>
      </select>
      <div class="own-rule" hidden={!isOwn}>
        <input
          class="in in-narrow mono"
          type="text"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-label="Own rule: minute, hour, day of month, month, day of week"
          {...inputOf({ entry: cron, describedBy: describe(cron, true), change })}
        />
        <p class="says">Five fields: minute, hour, day of month, month, day of week.</p>
      </div>
      <div class={`schedule-says${isStale ? " stale" : ""}`} aria-busy={isStale}>
        <p class="says" id={`${cron.id}-says`} role="status">
          {preview.valid && (
            <>
              {isOwn && <>{preview.words} </>}
              <Next preview={preview} format={shared.format} />
            </>
          )}
        </p>
        {paused.draft.value === "true" && <p class="says">Paused: no scheduled run starts.</p>}
      </div>
    </>
  );
}

interface NextProps {
  readonly preview: SchedulePreview & { readonly valid: true };
  readonly format: TimeFormat;
}

/** The next three runs, with the day where that is another one than today. */
function Next({ preview: { next, now, time_zone: id }, format }: NextProps) {
  const zone = useMemo(() => new ZoneTime(id, format), [id]);
  const [first = now] = next;
  const today = zone.isoDay(now);
  return (
    <>
      <b>Next: </b>
      {next.map((at, index) => (
        <>
          {index > 0 && ", "}
          <time key={at} datetime={new Date(at).toISOString()} title={zone.whole(at)}>
            {zone.isoDay(at) === today ? zone.clock(at) : `${zone.day(at, now)}, ${zone.clock(at)}`}
          </time>
        </>
      ))}{" "}
      {zone.name(first)}
    </>
  );
}

/** Milliseconds until the first of the next runs: so long the preview holds. */
function untilNext(preview: SchedulePreview): number | null {
  if (!preview.valid) return null;
  const [first] = preview.next;
  return first === undefined ? null : Math.max(0, first - preview.now);
}
