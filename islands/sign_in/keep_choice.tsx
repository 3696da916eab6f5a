/** @jsxImportSource preact */

import type { KeepQuestion } from "../../server/domain/retention/keep_choice.ts";
import { counted } from "../../server/domain/text/format.ts";
import { FieldProblem } from "../parts/note.tsx";

interface KeepChoiceProps extends KeepQuestion {
  readonly problem: string | undefined;
}

/** Asks how long recordings are kept, since some are here already; with no answer nothing is deleted. */
export function KeepChoice({ recordings, options, chosen, problem }: KeepChoiceProps) {
  return (
    <fieldset class="keep-choice" aria-describedby={problem === undefined ? undefined : "keep-error"}>
      <legend>
        {counted(recordings, "recording")} {recordings === 1 ? "is" : "are"} here already. How long should recordings be
        kept?
      </legend>
      {options.map(({ value, label, meaning }) => (
        <label class="opt" key={value}>
          <input type="radio" name="keep" value={value} defaultChecked={value === chosen} />
          <span>
            <b>{label}</b>
            <span>{meaning}</span>
          </span>
        </label>
      ))}
      {problem !== undefined && <FieldProblem id="keep-error" text={problem} />}
    </fieldset>
  );
}
