/** @jsxImportSource preact */
import { KEEP_CLASSES, KEEP_FIELDS, type KeepClass } from "../../../server/domain/retention/keep_times.ts";
import { hereInWords, KIND_NAMES } from "../../../server/domain/retention/retention_text.ts";
import { draftInWords, normalText } from "../../../server/domain/settings/form_values.ts";
import { Icon } from "../../parts/icon.tsx";
import { KIND_LOOKS } from "../../parts/recording_type.tsx";
import { type Entry, isFound } from "../entry.ts";
import { inputOf } from "../input.ts";
import { Facts, Problems } from "../setting.tsx";
import type { KeepState } from "./keep_state.ts";

interface KeepTimesProps {
  readonly keep: KeepState;
}

const HELP = "keep-times-help";

/** How long each kind of recordings is kept, a row for each. */
export function KeepTimes({ keep }: KeepTimesProps) {
  const rows = KEEP_CLASSES.map((kind) => ({ kind, entry: keep.at("retention", KEEP_FIELDS[kind]) }));
  const query = keep.query.value;
  return (
    <div class="field keep-field" hidden={!rows.some(({ entry }) => isFound(entry, query))}>
      <div class="field-name">
        <span class="lab" id="keep-times-label">
          Keep times
        </span>
        <p id={HELP}>
          A number with d, w or y. Empty: Normal for ever, the others as Normal. “always” is never deleted. Events are
          impacts, hard braking and cornering, too; kinds not named here follow Normal.
        </p>
      </div>
      <div class="keep-rows" role="group" aria-labelledby="keep-times-label">
        {rows.map(({ kind, entry }) => (
          <KeepTime key={kind} kind={kind} entry={entry} keep={keep} />
        ))}
      </div>
    </div>
  );
}

interface KeepTimeProps extends KeepTimesProps {
  readonly kind: KeepClass;
  readonly entry: Entry;
}

function KeepTime({ kind, entry, keep }: KeepTimeProps) {
  const { id, field, draft, isChanged, problem } = entry;
  const [look, icon] = KIND_LOOKS[kind];
  const { answer } = keep.preview.value;
  const here = answer.valid ? answer.forecast?.kinds[kind].here : null;
  const describedBy = [HELP, `${id}-says`, problem.value !== null && `${id}-error`].filter(Boolean).join(" ");
  const normal = keep.at("retention", "keep");
  const words = draftInWords(field, draft.value);
  const isAsNormal = kind !== "normal" && normalText(field, draft.value) === "";
  const normalWords = isAsNormal ? draftInWords(normal.field, normal.draft.value) : "";
  return (
    <div class={`keep-row${isChanged.value ? " changed" : ""}`} hidden={!isFound(entry, keep.query.value)}>
      <label for={id} id={`${id}-label`}>
        <span class={`type ${look}`}>
          <Icon name={icon} />
          {KIND_NAMES[kind]}
        </span>
      </label>
      <div class="in-unit">
        <input
          class="in mono"
          type="text"
          placeholder={field.empty}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          {...inputOf({ entry, describedBy, change: keep.change })}
        />
        <span class="soft" id={`${id}-says`}>
          {[words, normalWords].filter(Boolean).join(", ")}
        </span>
      </div>
      <Problems entry={entry} />
      <Facts entry={entry} change={keep.change}>
        {here ? <span>{hereInWords(here)}</span> : null}
      </Facts>
    </div>
  );
}
