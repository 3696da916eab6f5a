/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { DIRECTIONS, TYPES } from "../../server/domain/recordings/recording_codes.ts";
import { partsOfCode } from "../../server/domain/recordings/selection_codes.ts";
import { upperCode } from "../../server/domain/recordings/upper_code.ts";
import { linesOf } from "../../server/domain/settings/form_values.ts";
import { Icon } from "../parts/icon.tsx";
import { lookOfType, RecordingType, typeInWords } from "../parts/recording_type.tsx";
import { type ControlProps, describe, inputOf, rowsOf } from "./input.ts";
import type { PartProps } from "./later_place.tsx";

/** The kinds people choose by; the others come with "More kinds". */
const USUAL = "MENP";

/** A list of recording codes: buttons for whole kinds, the list itself, and what each line of it means. */
export function CodeControl({ shared: { entries, change }, path }: PartProps) {
  const entry = entries.find((one) => one.path === path);
  return entry ? <Codes entry={entry} change={change} /> : null;
}

function Codes({ entry, change }: Omit<ControlProps, "describedBy">) {
  const { draft, field, id } = entry;
  const describedBy = describe(entry);
  const codes = linesOf(draft.value).map(upperCode);
  const isOpen = useSignal(false);
  const letters = Object.keys(TYPES);
  const shown = isOpen.value ? letters : letters.filter((letter) => USUAL.includes(letter) || codes.includes(letter));
  const turn = (code: string) =>
    change(entry, (codes.includes(code) ? codes.filter((other) => other !== code) : [...codes, code]).join("\n"));
  return (
    <>
      <div class="chips" role="group" aria-label={`Kinds: ${field.label.toLowerCase()}`}>
        {shown.map((letter) => {
          const [look, icon] = lookOfType(letter);
          return (
            <button
              key={letter}
              class={`chip ${look}`}
              type="button"
              aria-pressed={codes.includes(letter)}
              onClick={() => turn(letter)}
            >
              <Icon name={icon} />
              {typeInWords(letter)} <b>{letter}</b>
            </button>
          );
        })}
        <button
          class="chip chip-more"
          type="button"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? "Fewer kinds" : "More kinds"}
        </button>
      </div>
      <textarea
        class="in in-narrow mono"
        rows={rowsOf(draft.value)}
        aria-label={field.label}
        placeholder={field.empty}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        {...inputOf({ entry, describedBy, change })}
      />
      <ul class="codes" id={`${id}-codes`} aria-label="What the codes mean" hidden={codes.length === 0}>
        {[...new Set(codes)].map((code) => (
          <li key={code}>
            <code>{code}</code> <CodeInWords code={code} />
          </li>
        ))}
      </ul>
    </>
  );
}

function CodeInWords({ code }: { readonly code: string }) {
  const parts = partsOfCode(code);
  if (!parts) return <span class="bad">is no recording code</span>;
  const camera = Object.entries(DIRECTIONS).find(([letter]) => letter === parts.direction)?.[1];
  return (
    <>
      <RecordingType letter={parts.type} /> {camera}
    </>
  );
}
