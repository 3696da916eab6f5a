/** @jsxImportSource preact */

import type { Choice, Widget } from "../../server/domain/settings/field.ts";
import { fittingInWords, isDuration, linesOf } from "../../server/domain/settings/form_values.ts";
import { type ControlProps, inputOf, rowsOf } from "./input.ts";

const PLAIN = { autocomplete: "off", autocapitalize: "none", spellcheck: false } as const;

/** True when the control is a group that is named by a label, false when it has a label element of its own. */
export function isGroup({ kind }: Widget): boolean {
  return /^(choices|page|password|sessions|viewer)$/.test(kind);
}

/** The control of a setting, as its kind of value asks for it. */
export function Control(props: ControlProps) {
  const { entry, describedBy, change } = props;
  const { id, field, draft, problem } = entry;
  const { widget } = field;
  const words = () => (problem.value === null ? fittingInWords(field, draft.value) : "");
  switch (widget.kind) {
    case "switch": {
      const isOn = draft.value === "true";
      return (
        <label class="check">
          <input
            class="switch"
            type="checkbox"
            role="switch"
            id={id}
            name={field.name}
            checked={isOn}
            aria-labelledby={`${id}-label`}
            aria-describedby={describedBy}
            onInput={(event) => change(entry, String(event.currentTarget.checked))}
          />
          <span>{isOn ? widget.on : widget.off}</span>
        </label>
      );
    }
    case "select":
      return (
        <select class="in in-narrow" {...inputOf(props)}>
          {widget.options.map(({ value, words }) => (
            <option key={value} value={value} selected={value === draft.value}>
              {words}
            </option>
          ))}
        </select>
      );
    case "choices":
      return <Choices {...props} options={widget.options} />;
    case "number":
      return (
        <WithWords unit={field.unit} words={words()}>
          <input
            class="in"
            type="number"
            inputMode={widget.whole ? "numeric" : "decimal"}
            min={widget.min}
            max={widget.max}
            step={widget.whole ? 1 : "any"}
            autocomplete="off"
            {...inputOf(props)}
          />
        </WithWords>
      );
    case "lines":
      return <textarea class="in in-narrow mono" rows={rowsOf(draft.value)} {...PLAIN} {...inputOf(props)} />;
    case "text":
      if (isDuration(widget))
        return (
          <WithWords words={words()}>
            <input class="in mono" type="text" {...PLAIN} {...inputOf(props)} />
          </WithWords>
        );
      return (
        <input
          class={`in ${isLong(field.initial) ? "in-wide" : "in-narrow"}${widget.reading === "cron" ? " mono" : ""}`}
          list={widget.reading === "time_zone" ? "time-zones" : undefined}
          type="text"
          placeholder={field.initial === "" ? field.empty : undefined}
          {...PLAIN}
          {...inputOf(props)}
        />
      );
    case "secret":
      return (
        <input
          class="in in-narrow mono"
          type="text"
          placeholder="none"
          onFocus={(event) => event.currentTarget.select()}
          {...PLAIN}
          {...inputOf(props)}
        />
      );
    default:
      return <input type="hidden" name={field.name} value="***" />;
  }
}

function isLong(text: string): boolean {
  return text.length > 30;
}

interface WithWordsProps {
  readonly unit?: string | undefined;
  readonly words: string;
  readonly children: preact.ComponentChildren;
}

/** A short control, its unit, and what it means. */
function WithWords({ unit, words, children }: WithWordsProps) {
  return (
    <div class="in-unit">
      {children}
      <span class="soft">{[unit, words].filter(Boolean).join(", ")}</span>
    </div>
  );
}

interface ChoicesProps extends ControlProps {
  readonly options: readonly Choice[];
}

/** Any of a few options, as checkboxes. */
function Choices({ entry, describedBy, change, options }: ChoicesProps) {
  const { id, field, draft } = entry;
  const chosen = linesOf(draft.value);
  const turn = (value: string, isOn: boolean) =>
    change(entry, [...chosen.filter((other) => other !== value), ...(isOn ? [value] : [])].join("\n"));
  return (
    <div class="checks" role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {options.map(({ value, words }, at) => (
        <label class="check" key={value}>
          <input
            type="checkbox"
            id={at === 0 ? id : undefined}
            name={field.name}
            value={value}
            checked={chosen.includes(value)}
            onInput={(event) => turn(value, event.currentTarget.checked)}
          />
          <span>{words}</span>
        </label>
      ))}
    </div>
  );
}
