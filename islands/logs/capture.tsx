/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { settingsOfVerbosity, type Verbosity } from "../../server/domain/logs/log_line.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { Icon } from "../parts/icon.tsx";

const CHOICES: readonly (readonly [Verbosity, string])[] = [
  ["quiet", "Quiet: errors only"],
  ["normal", "Normal"],
  ["verbose", "Verbose: syncs in detail"],
  ["debug", "Debug: everything"],
];

/** Chooses what the service logs from now on: a setting, not a filter of this view. */
export function Capture({ verbosity }: { readonly verbosity: Verbosity }) {
  const [chosen, setChosen] = useState(verbosity);
  const [saving, setSaving] = useState<"no" | "pending" | "done">("no");
  const [problem, setProblem] = useState<string | null>(null);

  const choose = async (wanted: Verbosity) => {
    setChosen(wanted);
    setSaving("pending");
    setProblem(null);
    try {
      await send("PATCH /api/settings/logging", settingsOfVerbosity(wanted));
      setSaving("done");
    } catch (error) {
      setChosen(chosen);
      setSaving("no");
      setProblem(sentenceOfError(error));
    }
  };
  return (
    <div class="log-capture log-extra needs-script" id="log-capture-field">
      <span class="log-capture-head">
        <label
          class="label"
          for="log-capture"
          title="From now on, for everyone. It does not change what is shown here."
        >
          Detail recorded
        </label>
        <span class="says" role="status">
          {saving === "done" ? "Saved" : ""}
        </span>
      </span>
      <select
        class="in"
        id="log-capture"
        value={chosen}
        aria-busy={saving === "pending"}
        aria-describedby={problem === null ? undefined : "log-capture-problem"}
        onChange={({ currentTarget }) => void choose(currentTarget.value as Verbosity)}
      >
        {CHOICES.map(([name, words]) => (
          <option key={name} value={name} selected={chosen === name}>
            {words}
          </option>
        ))}
      </select>
      {problem !== null && (
        <p class="error" role="alert" id="log-capture-problem">
          <Icon name="s-failed" />
          {problem}
        </p>
      )}
    </div>
  );
}
