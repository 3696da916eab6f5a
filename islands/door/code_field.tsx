/** @jsxImportSource preact */
import { FieldProblem } from "../parts/field_problem.tsx";

interface CodeFieldProps {
  readonly typed: string;
  readonly problem: string | undefined;
  readonly onInput: () => void;
}

/** Asks those who are not at home for the code that the start has printed. */
export function CodeField({ typed, problem, onInput }: CodeFieldProps) {
  return (
    <div>
      <label for="code">One-time code</label>
      <input
        class="in mono"
        id="code"
        name="code"
        type="text"
        autocomplete="one-time-code"
        autocapitalize="characters"
        autocorrect="off"
        spellcheck={false}
        maxLength={40}
        required
        autofocus
        defaultValue={typed}
        onInput={onInput}
        aria-describedby={problem === undefined ? "code-hint" : "code-hint code-error"}
        aria-invalid={problem !== undefined || undefined}
      />
      <p class="says" id="code-hint">
        You come from outside of this service’s own network. It printed the code when it started: in the terminal, or in
        what its container says (<code>docker logs</code>).
      </p>
      {problem !== undefined && <FieldProblem id="code-error" text={problem} />}
    </div>
  );
}
