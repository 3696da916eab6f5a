/** @jsxImportSource preact */
import { TextField } from "./text_field.tsx";

interface CodeFieldProps {
  readonly typed: string;
  readonly problem: string | undefined;
  readonly onInput: () => void;
}

/** The code that the service printed at its start, asked of visitors from other networks. */
export function CodeField({ typed, problem, onInput }: CodeFieldProps) {
  return (
    <TextField
      class="in mono"
      name="code"
      label="One-time code"
      autocomplete="one-time-code"
      autocapitalize="characters"
      maxLength={40}
      required
      autofocus
      defaultValue={typed}
      onInput={onInput}
      describedBy="code-hint"
      problem={problem}
    >
      <p class="says" id="code-hint">
        You come from outside of this service’s own network. It printed the code when it started: in the terminal, in
        what its container says (<code>docker logs</code>) or in the system’s journal (<code>journalctl</code>).
      </p>
    </TextField>
  );
}
