/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
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
  const chosen = useSignal(verbosity);
  const saving = useSignal<"no" | "pending" | "done">("no");
  const problem = useSignal<string | null>(null);

  const choose = async (wanted: Verbosity) => {
    const before = chosen.peek();
    chosen.value = wanted;
    saving.value = "pending";
    problem.value = null;
    try {
      await send("PATCH /api/settings/logging", settingsOfVerbosity(wanted));
      saving.value = "done";
    } catch (error) {
      chosen.value = before;
      saving.value = "no";
      problem.value = sentenceOfError(error);
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
          {saving.value === "done" ? "Saved" : ""}
        </span>
      </span>
      <select
        class="in"
        id="log-capture"
        value={chosen.value}
        aria-busy={saving.value === "pending"}
        aria-describedby={problem.value === null ? undefined : "log-capture-problem"}
        onChange={({ currentTarget }) => void choose(currentTarget.value as Verbosity)}
      >
        {CHOICES.map(([name, words]) => (
          <option key={name} value={name} selected={chosen.value === name}>
            {words}
          </option>
        ))}
      </select>
      {problem.value !== null && (
        <p class="error" role="alert" id="log-capture-problem">
          <Icon name="s-failed" />
          {problem.value}
        </p>
      )}
    </div>
  );
}
