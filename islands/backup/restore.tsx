/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { RestoreCheck } from "../../server/domain/backup/restore_schema.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { reached } from "../browser/address.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { FieldProblem } from "../parts/note.tsx";
import { RestoreDialog } from "./restore_dialog.tsx";
import { untilRestarted } from "./until_restarted.ts";

export interface RestoreProps {
  readonly sections: Readonly<Record<string, string>>;
  readonly zone: ZoneTime;
  readonly now: number;
}

/** A backup that was checked, and waits for the answer. */
interface Checked {
  readonly file: Blob;
  readonly check: RestoreCheck;
}

type Step = "ready" | "checking" | "restoring";

/** Takes a file, has it checked, asks with what it would change, and waits until all of it is in place. */
export function Restore({ sections, zone, now }: RestoreProps) {
  const step = useSignal<Step>("ready");
  const problem = useSignal<string | null>(null);
  const checked = useSignal<Checked | null>(null);
  const input = useRef<HTMLInputElement>(null);

  const check = async (chosen: File) => {
    // Systems call a ZIP by several types.
    const file = new Blob([chosen], { type: "application/zip" });
    step.value = "checking";
    problem.value = null;
    try {
      checked.value = { file, check: await send<RestoreCheck>("POST /api/restore", file) };
    } catch (error) {
      problem.value = sentenceOfError(error);
    }
    step.value = "ready";
  };
  const restore = async ({ file }: Checked) => {
    step.value = "restoring";
    try {
      const { boot_id: boot = "" } = await send<RestoreCheck>("POST /api/restore?apply=true", file);
      await untilRestarted((path) => fetch(reached(path)), boot);
      // Everyone signs in again; where no one does, the page shows how it went.
      location.reload();
    } catch (error) {
      problem.value = sentenceOfError(error);
      step.value = "ready";
    }
  };
  return (
    <>
      <input
        ref={input}
        class="sr"
        type="file"
        accept=".zip,application/zip"
        aria-label="Backup to restore"
        tabIndex={-1}
        disabled={step.value !== "ready"}
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? [];
          if (chosen) void check(chosen);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
      <button class="b" type="button" disabled={step.value !== "ready"} onClick={() => input.current?.click()}>
        Choose a file…
      </button>
      <p class="says" role="status">
        {step.value === "checking" && "Checking the backup…"}
        {step.value === "restoring" && "Restoring the backup. Dashdock answers again in a moment."}
      </p>
      {problem.value !== null && <FieldProblem id="restore-problem" text={problem.value} />}
      {checked.value !== null && (
        <RestoreDialog
          check={checked.value.check}
          sections={sections}
          made={zone.moment(Date.parse(checked.value.check.made_at), now)}
          restore={() => checked.value && void restore(checked.value)}
          onClosed={() => {
            checked.value = null;
          }}
        />
      )}
    </>
  );
}
