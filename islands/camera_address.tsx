/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { tidyAddress } from "../server/domain/settings/tidy_address.ts";
import { reached } from "./browser/address.ts";
import { Refusal, send, sentenceOfError } from "./browser/client.ts";
import type { CheckedAddress } from "./camera_address/checked_address.tsx";
import { SaveRow, type Saving } from "./camera_address/save_row.tsx";
import type { CheckRun } from "./check/check_run.ts";
import { FieldProblem } from "./parts/note.tsx";
import { ZoneOffer } from "./sign_in/zone_offer.tsx";

interface CameraAddressProps {
  /** Address that is set; empty before the first time. */
  readonly address: string;
  /** The time zone in force where none was chosen, else null. */
  readonly zone: string | null;
  /** The step before this one has offered the browser's zone already. */
  readonly wasOffered: boolean;
  /** It is the whole page, not a part of the dashboard. */
  readonly isAlone: boolean;
}

/** A check that has begun, and what draws it: both come with the first click. */
interface Asked {
  readonly run: CheckRun;
  readonly Checked: typeof CheckedAddress;
}

/** The second step of the first use: the camera's address is checked and saved. */
export default function CameraAddress({ address, zone, wasOffered, isAlone }: CameraAddressProps) {
  const asked = useSignal<Asked | null>(null);
  const problem = useSignal<string | null>(null);
  const saving = useSignal<Saving | null>(null);
  const failure = useSignal<string | null>(null);
  const ownZone = useSignal<string | null>(null);
  /** The address that is being asked, from the first press on: a second press must not end the check of the first. */
  const asking = useRef<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    ownZone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? null;
  }, []);

  /** The address in the field, tidied; null, with a message, when it is empty. */
  const typed = (): string | null => {
    const wanted = tidyAddress(field.current?.value ?? "");
    if (field.current) field.current.value = wanted;
    problem.value = wanted === "" ? "Type the address of the camera first." : null;
    failure.value = null;
    if (wanted !== "") return wanted;
    field.current?.focus();
    return null;
  };
  const refuse = (error: unknown) => {
    const wrong = error instanceof Refusal ? messageOfField(error) : null;
    if (wrong === null) {
      failure.value = sentenceOfError(error);
      return;
    }
    problem.value = wrong;
    field.current?.focus();
  };
  const check = async () => {
    const wanted = typed();
    if (wanted === null || asking.current === wanted) return;
    asked.value?.run.stop();
    asking.current = wanted;
    try {
      const { readyCheck, CheckedAddress: Checked } = await import("./camera_address/checked_address.tsx");
      // Another address was typed while the script was on its way.
      if (asking.current !== wanted) return;
      const run = readyCheck(wanted);
      asked.value = { run, Checked };
      await run.begin();
      const { how, report, error } = run.state.value;
      if (how !== "failed" || report.began_at !== "") return;
      // The service has not begun it, and says why.
      asked.value = null;
      refuse(error);
    } catch (error) {
      refuse(error);
    } finally {
      if (asking.current === wanted) asking.current = null;
    }
  };
  const save = async (how: Saving) => {
    const wanted = typed();
    if (wanted === null || saving.value !== null) return;
    saving.value = how;
    try {
      await send("PATCH /api/settings/connection", { address: wanted });
      const taken = form.current?.querySelector<HTMLInputElement>("[name=timezone]:checked");
      if (taken) await useZone(taken.value);
      asked.value?.run.stop();
      if (how === "start") await start();
      if (isAlone) location.assign(reached("/"));
      else location.reload();
    } catch (error) {
      saving.value = null;
      refuse(error);
    }
  };
  /** The answer was for another address. */
  const change = () => {
    asking.current = null;
    asked.value?.run.stop();
    asked.value = null;
    problem.value = null;
    failure.value = null;
  };
  const { Checked, run } = asked.value ?? {};
  const isChecking = run?.state.value.how === "going";
  const ids = problem.value === null ? "address-says" : "address-error address-says";
  return (
    <form
      class="address"
      onSubmit={(event) => {
        event.preventDefault();
        void check();
      }}
      ref={form}
    >
      <label class={isAlone ? undefined : "sr"} for="address">
        {isAlone ? "Address or name" : "Address or name of the camera"}
      </label>
      <div class="in-group">
        <input
          class="in mono"
          id="address"
          name="address"
          inputmode="url"
          autocomplete="off"
          autocapitalize="none"
          autocorrect="off"
          spellcheck={false}
          placeholder="192.168.1.64"
          defaultValue={address}
          ref={field}
          aria-describedby={ids}
          aria-invalid={problem.value !== null || undefined}
          onInput={change}
        />
        {/* One thing to do at a time: once it is asked, that is to save. */}
        <button class={run === undefined ? "b b-primary" : "b"} type="submit" aria-busy={isChecking || undefined}>
          {isChecking ? "Checking" : "Check"}
        </button>
      </div>
      {problem.value !== null && <FieldProblem id="address-error" text={problem.value} />}
      {zone !== null && <ZoneOffer zone={zone} own={ownZone.value} wasOffered={wasOffered} />}
      {Checked && run ? (
        <Checked run={run} saving={saving.value} save={save} again={() => void check()} isAlone={isAlone} />
      ) : (
        <>
          <p class="says" id="address-says">
            Check asks the camera what it holds. It saves nothing.
          </p>
          <SaveRow found="not-asked" saving={saving.value} save={save} />
        </>
      )}
      {failure.value !== null && <FieldProblem id="address-failure" text={failure.value} />}
    </form>
  );
}

/** A zone the service does not know is left; the address, which matters more, is saved already. */
async function useZone(timezone: string): Promise<void> {
  try {
    await send("PATCH /api/settings/schedule", { timezone });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/** A sync that runs already is what was wanted. */
async function start(): Promise<void> {
  try {
    await send("POST /api/sync/now");
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "SYNC_ALREADY_RUNNING")) throw error;
  }
}

/** The error of the address field as a sentence; null when the refusal has none. */
function messageOfField({ details }: Refusal): string | null {
  const errors = details["field_errors"];
  if (!Array.isArray(errors)) return null;
  const [first] = errors as readonly { readonly path: string; readonly message: string }[];
  return first === undefined ? null : `${first.message.replace(/^connection\.address:? /, "").replace(/\.$/, "")}.`;
}
