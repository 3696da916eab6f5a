/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { CameraCheck } from "../server/domain/camera/camera_check.ts";
import { tidyAddress } from "../server/domain/settings/address.ts";
import { Refusal, send, sentenceOfError } from "./browser/client.ts";
import { type Answer, CheckAnswer, type Saving } from "./camera_address/check_answer.tsx";
import { ZoneOffer } from "./door/zone_offer.tsx";
import { FieldProblem } from "./parts/note.tsx";

interface CameraAddressProps {
  /** As it is set; empty before the first time. */
  readonly address: string;
  /** The time zone in force where none was chosen, else null. */
  readonly zone: string | null;
  /** The step before this one has offered the browser's zone already. */
  readonly wasOffered: boolean;
}

/** The second step of the first use: the camera's address is checked and saved. */
export default function CameraAddress({ address, zone, wasOffered }: CameraAddressProps) {
  const answer = useSignal<Answer>({ kind: "none" });
  const problem = useSignal<string | null>(null);
  const saving = useSignal<Saving | null>(null);
  const failure = useSignal<string | null>(null);
  const ownZone = useSignal<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const asking = useRef<AbortController | null>(null);

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
  const check = async (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = typed();
    if (wanted === null || answer.value.kind === "asking") return;
    const patience = new AbortController();
    asking.current = patience;
    answer.value = { kind: "asking", address: wanted };
    try {
      const result = await send<CameraCheck>("POST /api/dashcam/check", { address: wanted }, patience.signal);
      answer.value = { kind: "answered", check: result };
    } catch (error) {
      if (patience.signal.aborted) return;
      answer.value = { kind: "none" };
      refuse(error);
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
      if (how === "start") await start();
      location.reload();
    } catch (error) {
      saving.value = null;
      refuse(error);
    }
  };
  /** The answer was for another address. */
  const change = () => {
    asking.current?.abort();
    answer.value = { kind: "none" };
    problem.value = null;
    failure.value = null;
  };
  // One thing to do at a time: once the camera is found, that is to save.
  const isFound = answer.value.kind === "answered" && answer.value.check.reachable;
  const ids = problem.value === null ? "address-says" : "address-error address-says";
  return (
    <form class="address" onSubmit={check} ref={form}>
      <label class="sr" for="address">
        Address or host name of the camera
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
        <button
          class={isFound ? "b" : "b b-primary"}
          type="submit"
          aria-busy={answer.value.kind === "asking" || undefined}
        >
          Check
        </button>
      </div>
      {problem.value !== null && <FieldProblem id="address-error" text={problem.value} />}
      {zone !== null && <ZoneOffer zone={zone} own={ownZone.value} wasOffered={wasOffered} />}
      <CheckAnswer answer={answer.value} saving={saving.value} failure={failure.value} save={save} />
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
