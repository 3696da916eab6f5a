/** @jsxImportSource preact */
import { KEEP_CLASSES, KEEP_FIELDS, type KeepClass } from "../../../server/domain/retention/keep_times.ts";
import { hereInWords, KIND_NAMES } from "../../../server/domain/retention/retention_text.ts";
import { ALWAYS } from "../../../server/domain/settings/duration.ts";
import { draftInWords } from "../../../server/domain/settings/form_problems.ts";
import { normalText } from "../../../server/domain/settings/form_values.ts";
import { Icon } from "../../parts/icon.tsx";
import { KIND_LOOKS } from "../../parts/recording_type.tsx";
import { type Entry, isFound } from "../entry.ts";
import { LengthControl, type LengthUnit } from "../length_control.tsx";
import { Facts, Problems } from "../setting.tsx";
import type { KeepState } from "./shared.ts";

interface KeepTimesProps {
  readonly keep: KeepState;
}

const HELP = "keep-times-help";
const UNITS: readonly LengthUnit[] = [
  { text: "d", words: "days", hasNumber: true },
  { text: "w", words: "weeks", hasNumber: true },
  { text: "y", words: "years", hasNumber: true },
];
const FOREVER = "Keep forever";
const NORMAL_UNITS: readonly LengthUnit[] = [...UNITS, { text: "", words: FOREVER, hasNumber: false }];
const KIND_UNITS: readonly LengthUnit[] = [
  ...UNITS,
  { text: ALWAYS, words: FOREVER, hasNumber: false },
  { text: "", words: "Same as Normal", hasNumber: false },
];

/** Time that each kind of recordings is kept, a row for each. */
export function KeepTimes({ keep }: KeepTimesProps) {
  const rows = KEEP_CLASSES.map((kind) => ({ kind, entry: keep.at("retention", KEEP_FIELDS[kind]) }));
  const query = keep.query.value;
  return (
    <div class="field keep-field" hidden={!rows.some(({ entry }) => isFound(entry, query))}>
      <div class="field-name">
        <span class="lab" id="keep-times-label">
          Keep recordings for
        </span>
        <p id={HELP}>
          Older ones go to the trash. Impacts, hard braking and hard cornering count as events. Other kinds follow
          Normal.
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
  const isAsNormal = kind !== "normal" && normalText(field, draft.value) === "";
  const normalWords = isAsNormal ? draftInWords(normal.field, normal.draft.value) : "";
  return (
    <div class={`keep-row${isChanged.value ? " changed" : ""}`} hidden={!isFound(entry, keep.query.value)}>
      <span id={`${id}-label`}>
        <span class={`type ${look}`}>
          <Icon name={icon} />
          {KIND_NAMES[kind]}
        </span>
      </span>
      <div class="in-unit">
        <LengthControl
          entry={entry}
          units={kind === "normal" ? NORMAL_UNITS : KIND_UNITS}
          name={KIND_NAMES[kind]}
          describedBy={describedBy}
          change={keep.change}
        />
        <span class="soft" id={`${id}-says`}>
          {normalWords}
        </span>
      </div>
      <Problems entry={entry} />
      <Facts entry={entry} change={keep.change}>
        {here ? <span>{hereInWords(here)}</span> : null}
      </Facts>
    </div>
  );
}
