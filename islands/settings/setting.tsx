/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { settingPlace } from "../../server/domain/guide/places.ts";
import { normalText, shortly } from "../../server/domain/settings/form_values.ts";
import { Icon } from "../parts/icon.tsx";
import { Control, isGroup } from "./control.tsx";
import { APPLIES, type Entry, isFound } from "./entry.ts";
import { describe } from "./input.ts";
import { focusControl } from "./typing.ts";

interface SettingProps {
  readonly entry: Entry;
  readonly query: string;
  readonly change: (entry: Entry, text: string) => void;
  /** The id of what its label names, where that is not the usual control. */
  readonly labelled?: string;
  /** Control in place of the usual one. */
  readonly control?: ComponentChildren;
  /** Beside a control that is hidden, for what is changed by an action of its own. */
  readonly action?: ComponentChildren;
  /** Meaning of the value, under the control; its id is `<id>-says`. */
  readonly says?: ComponentChildren;
  /** Another action in the line of facts. */
  readonly extra?: ComponentChildren;
  /** More that belongs to the control. */
  readonly children?: ComponentChildren;
}

/** One setting: its name and help, its control with what the value means, and what there is to know about both. */
export function Setting({ entry, query, change, labelled, control, action, says, extra, children }: SettingProps) {
  const { id, field, isChanged } = entry;
  const given = entry.given.value;
  const isPlain = action === undefined;
  return (
    <div class={`field${isChanged.value ? " changed" : ""}`} hidden={!isFound(entry, query)}>
      <div class="field-name">
        {isGroup(field.widget) ? (
          <span class="lab" id={`${id}-label`}>
            {field.label}
          </span>
        ) : (
          <label for={labelled ?? id} id={`${id}-label`}>
            {field.label}
          </label>
        )}
        <p id={`${id}-help`}>{field.help}</p>
      </div>
      <div>
        {control ?? (
          <Control entry={entry} describedBy={describe(entry, Boolean(says) || given !== null)} change={change} />
        )}
        {action}
        <Problems entry={entry} />
        {says}
        {given !== null && (
          <p class="says" id={`${id}-says`}>
            In use now: <code>{given}</code>, given at this start.
          </p>
        )}
        {children}
        {isPlain ? (
          <Facts entry={entry} change={change} extra={extra} />
        ) : (
          <p class="field-meta">
            <HelpLink entry={entry} />
          </p>
        )}
      </div>
    </div>
  );
}

/** Problems of the typed value, and of the value in the settings file. */
export function Problems({ entry }: { readonly entry: Entry }) {
  const problem = entry.problem.value;
  return (
    <>
      {problem !== null && (
        <p class="error" id={`${entry.id}-error`}>
          <Icon name="s-failed" />
          {problem}
        </p>
      )}
      {entry.unusable.value !== null && <Unusable entry={entry} sentence={entry.unusable.value} />}
    </>
  );
}

/** A value of the settings file that cannot be used, and a button that saves what is used in its place. */
function Unusable({ entry, sentence }: { readonly entry: Entry; readonly sentence: string }) {
  const { field, saved, draft, isConfirmed } = entry;
  return (
    <div class="note is-attention">
      <Icon name="s-attention" />
      <b class="strong">{sentence}</b>
      {!isConfirmed.value && (
        <button
          class="b"
          type="button"
          onClick={() => {
            draft.value = saved.value;
            isConfirmed.value = true;
          }}
        >
          {isKeepTime(entry) ? "Keep" : "Set it to"} {shortly(field, saved.value).text}
        </button>
      )}
    </div>
  );
}

function isKeepTime({ field: { widget } }: Entry): boolean {
  return widget.kind === "text" && (widget.reading === "age" || widget.reading === "age_or_always");
}

interface FactsProps extends Pick<SettingProps, "entry" | "change" | "extra"> {
  /** Words in place of the time at which a change applies. */
  readonly children?: ComponentChildren;
  /** Leaves out values that are too long to name. */
  readonly isBrief?: boolean;
}

/** Default, when it applies, and the way back. */
export function Facts({ entry, change, extra, children, isBrief = false }: FactsProps) {
  const { id, field, draft, saved, isChanged, awaitsRestart, given } = entry;
  const goBack = (event: MouseEvent, text: string) => {
    change(entry, text);
    // The button disappears: after a key press the control takes the focus.
    if (event.detail === 0) focusControl(id);
  };
  const isDefault = normalText(field, draft.value) === normalText(field, field.initial);
  return (
    <p class="field-meta">
      {isChanged.value && !isBrief && (
        <span>
          Was <Value entry={entry} text={saved.value} />
          {saved.value === field.initial && ", the default"}
        </span>
      )}
      {!isBrief && !(isChanged.value && saved.value === field.initial) && (
        <span>
          Default <Value entry={entry} text={field.initial} />
        </span>
      )}
      {awaitsRestart.value ? (
        <span class="awaits">Saved, applies after a restart</span>
      ) : (
        given.value === null && (children ?? <span>Applies {APPLIES[field.tier]}</span>)
      )}
      {isChanged.value && (
        <button type="button" aria-label={`Undo: ${field.label}`} onClick={(event) => goBack(event, saved.value)}>
          Undo
        </button>
      )}
      {!isDefault && !field.own && field.initial !== saved.value && (
        <button
          type="button"
          aria-label={`Use the default: ${field.label}`}
          onClick={(event) => goBack(event, field.initial)}
        >
          Use the default
        </button>
      )}
      {extra}
      <HelpLink entry={entry} />
    </p>
  );
}

/** Leads to the setting's paragraph in the guide. */
function HelpLink({ entry: { path, field } }: { readonly entry: Entry }) {
  return (
    <a href={settingPlace(path)} aria-label={`Help: ${field.label}`}>
      Help
    </a>
  );
}

function Value({ entry: { field }, text }: { readonly entry: Entry; readonly text: string }) {
  const { text: words, isCode } = shortly(field, text);
  return isCode ? <code>{words}</code> : words;
}
