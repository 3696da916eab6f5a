/** @jsxImportSource preact */
import { settingPlace } from "../../../server/domain/guide/places.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { type Entry, isFound } from "../entry.ts";
import { inputOf } from "../input.ts";
import type { Shared } from "../keep/shared.ts";
import { Problems } from "../setting.tsx";

/** From when to when nothing but the urgent is told: two times in one line. */
export function QuietHours({ shared }: { readonly shared: Shared }) {
  const from = shared.at("notify", "quiet_from");
  const to = shared.at("notify", "quiet_to");
  const { value: query } = shared.query;
  const schedule = shared.runs.value;
  const zone = schedule.valid ? new ZoneTime(schedule.time_zone).name(schedule.now) : "";
  const isChanged = from.isChanged.value || to.isChanged.value;
  return (
    <div
      class={`field${isChanged ? " changed" : ""}`}
      hidden={!isFound(from, query) && !isFound(to, query)}
      role="group"
      aria-labelledby="quiet-label"
    >
      <div class="field-name">
        <span class="lab" id="quiet-label">
          Quiet hours
        </span>
        <p id="quiet-help">
          What happens then comes in one message when they end. Damaged files, and what will be overwritten, are told at
          once.
        </p>
      </div>
      <div>
        <div class="in-unit">
          <Time entry={from} label="From" change={shared.change} />
          <span class="soft">to</span>
          <Time entry={to} label="To" change={shared.change} />
          <span class="soft">{zone}</span>
        </div>
        <Problems entry={from} />
        <Problems entry={to} />
        <p class="field-meta">
          <span>Default none</span>
          <span>Applies at once</span>
          <a href={settingPlace(from.path)} aria-label="Help: Quiet hours">
            Help
          </a>
        </p>
      </div>
    </div>
  );
}

interface TimeProps {
  readonly entry: Entry;
  readonly label: string;
  readonly change: Shared["change"];
}

function Time({ entry, label, change }: TimeProps) {
  const describedBy = `quiet-help${entry.problem.value === null ? "" : ` ${entry.id}-error`}`;
  return (
    <input
      class="in mono"
      type="text"
      inputMode="numeric"
      placeholder="none"
      aria-label={label}
      autocomplete="off"
      spellcheck={false}
      {...inputOf({ entry, describedBy, change })}
    />
  );
}
