/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { Entry } from "./entry.ts";
import { inputOf } from "./input.ts";
import { focusControl } from "./typing.ts";

/** Choice of the menu beside the number. */
export interface LengthUnit {
  /** The letter behind the number; of a choice without a number, the whole text. */
  readonly text: string;
  readonly words: string;
  readonly hasNumber: boolean;
}

interface LengthControlProps {
  readonly entry: Entry;
  readonly units: readonly LengthUnit[];
  /** Name for screen readers, such as `Event`. */
  readonly name: string;
  readonly describedBy: string;
  readonly change: (entry: Entry, text: string) => void;
}

/** Number for the empty field when a unit is chosen. */
const FIRST_COUNT = "2";

/**
 * A length of time as a number and a unit. The field understands what people type into it, too: `2w`, `3 weeks`,
 * `always`.
 */
export function LengthControl({ entry, units, name, describedBy, change }: LengthControlProps) {
  /** Text that is being typed, until the field is left: it must not change while the user types. */
  const typing = useSignal<string | null>(null);
  const last = useSignal(FIRST_COUNT);
  const text = entry.draft.value;
  const { count, unit } = partsOf(text, units);
  const choose = (chosen: string) => {
    const wanted = units.find((one) => one.text === chosen);
    if (!wanted) return;
    if (unit.hasNumber && count !== "") last.value = count;
    typing.value = null;
    change(entry, wanted.hasNumber ? `${count || last.value}${chosen}` : chosen);
    if (wanted.hasNumber && !unit.hasNumber) focusControl(entry.id);
  };
  const input = inputOf({ entry, describedBy, change });
  return (
    <div class="in-num">
      <input
        {...input}
        class="in"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        hidden={!unit.hasNumber && typing.value === null}
        aria-label={`${name}: number`}
        value={typing.value ?? count}
        onInput={({ currentTarget: { value } }) => {
          typing.value = value;
          const plain = value.trim();
          change(entry, /^[0-9]*$/.test(plain) ? `${plain}${unit.text}` : plain);
        }}
        onBlur={() => {
          typing.value = null;
        }}
      />
      <select
        class="in"
        id={`${entry.id}-choice`}
        aria-label={`${name}: unit`}
        autocomplete="off"
        value={unit.text}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {units.map((one) => (
          <option key={one.text} value={one.text} selected={one === unit}>
            {one.words}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Number and unit of a text; what cannot be read stands in the number field as it is. */
function partsOf(text: string, units: readonly LengthUnit[]): { readonly count: string; readonly unit: LengthUnit } {
  const plain = text.trim().toLowerCase();
  const counted = units.filter(({ hasNumber }) => hasNumber);
  const [first] = counted;
  const whole = units.find((one) => !one.hasNumber && one.text === plain);
  if (whole) return { count: "", unit: whole };
  if (!first) throw new Error("A length needs a unit");
  const [, count = text.trim(), letters = ""] = /^([0-9]*)\s*([a-z]*)$/.exec(plain) ?? [];
  const unit = counted.find((one) => one.text !== "" && letters.startsWith(one.text)) ?? first;
  return { count, unit };
}
