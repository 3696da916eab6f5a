/** @jsxImportSource preact */

import { GUIDE_PLACES } from "../../../server/domain/guide/places.ts";
import { allHere } from "../../../server/domain/retention/retention_text.ts";
import { formatBytes } from "../../../server/domain/text/format.ts";
import { type Entry, isFound } from "../entry.ts";
import { inputOf } from "../input.ts";
import { Facts, Problems } from "../setting.tsx";
import type { KeepState } from "./shared.ts";

interface LimitsProps {
  readonly keep: KeepState;
}

/** Limits of the disk's use and of the size of all recordings; above them the oldest are deleted. */
export function Limits({ keep }: LimitsProps) {
  const percent = keep.at("retention", "max_percent");
  const gb = keep.at("retention", "max_gb");
  const stop = keep.at("retention", "max_used_disk_percent").draft.value.trim();
  const query = keep.query.value;
  const { disk } = keep.standing.value;
  const { answer } = keep.preview.value;
  const bytes = (answer.valid ? allHere(answer)?.bytes : null) ?? null;
  const isChanged = percent.isChanged.value || gb.isChanged.value;
  return (
    <div
      class={`field${isChanged ? " changed" : ""}`}
      hidden={!isFound(percent, query) && !isFound(gb, query)}
      role="group"
      aria-labelledby="limits-label"
    >
      <div class="field-name">
        <span class="lab" id="limits-label">
          Delete oldest above
        </span>
        <p id="limits-help">
          Above either limit the oldest recordings are deleted first. Events and manual recordings go last. Protected
          recordings stay.
        </p>
      </div>
      <div>
        <Limit entry={percent} change={keep.change}>
          % of the disk{disk && `, now ${disk.says}`}
        </Limit>
        <Limit entry={gb} change={keep.change}>
          GB for recordings{bytes !== null && `, now ${formatBytes(bytes)}`}
        </Limit>
        <p class="field-meta">
          <span>Default no limit</span>
          <span>Downloading stops at {stop === "" ? "…" : stop}&nbsp;%</span>
          <a href={GUIDE_PLACES.limits} aria-label="Help: Delete oldest above">
            Help
          </a>
        </p>
      </div>
    </div>
  );
}

interface LimitProps {
  readonly entry: Entry;
  readonly change: KeepState["change"];
  readonly children: preact.ComponentChildren;
}

function Limit({ entry, change, children }: LimitProps) {
  const { id, field, problem, draft, isChanged } = entry;
  const { widget } = field;
  const describedBy = ["limits-help", `${id}-says`, problem.value !== null && `${id}-error`].filter(Boolean).join(" ");
  return (
    <>
      <div class="in-unit in-gap">
        <input
          class="in mono"
          type="number"
          inputMode="decimal"
          min={0}
          max={widget.kind === "number" ? widget.max : undefined}
          step="any"
          placeholder={field.empty}
          autocomplete="off"
          aria-label={field.label}
          {...inputOf({ entry, describedBy, change })}
        />
        <span class="soft" id={`${id}-says`}>
          {children}
        </span>
      </div>
      <Problems entry={entry} />
      {(isChanged.value || draft.value.trim() !== "") && (
        <Facts entry={entry} change={change}>
          <span hidden />
        </Facts>
      )}
    </>
  );
}
