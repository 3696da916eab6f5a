/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { CameraCheck } from "../../server/domain/camera/camera_check.ts";
import { draftInWords, normalText } from "../../server/domain/settings/form_values.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { type Answer, answerInWords } from "../camera_address/check_answer.tsx";
import { FieldProblem, Note } from "../parts/note.tsx";
import type { Entry } from "./entry.ts";
import { focusControl } from "./typing.ts";

/** Asks whether a camera is at the typed address, saved or not, and shows how the address was understood. */
export function AddressCheck({ entry }: { readonly entry: Entry }) {
  const answer = useSignal<Answer>({ kind: "none" });
  const failure = useSignal<string | null>(null);
  const asking = useRef<AbortController | null>(null);
  const { id, field, draft, problem } = entry;
  const address = normalText(field, draft.value);
  useEffect(
    () => () => {
      // The answer was for another address.
      asking.current?.abort();
      answer.value = { kind: "none" };
      failure.value = null;
    },
    [address],
  );
  const check = async () => {
    if (answer.value.kind === "asking") return;
    failure.value = address === "" ? "Type the address of the camera first." : null;
    if (address === "" || problem.value !== null) return focusControl(id);
    const patience = new AbortController();
    asking.current = patience;
    answer.value = { kind: "asking", address };
    try {
      const result = await send<CameraCheck>("POST /api/dashcam/check", { address }, patience.signal);
      answer.value = { kind: "answered", check: result };
    } catch (error) {
      if (patience.signal.aborted) return;
      answer.value = { kind: "none" };
      failure.value = sentenceOfError(error);
    }
  };
  const { mood: level, title, words } = answerInWords(answer.value);
  return (
    <>
      <button
        class="b"
        type="button"
        data-action="check-camera"
        aria-busy={answer.value.kind === "asking" || undefined}
        onClick={() => void check()}
      >
        Check
      </button>
      <p class="says" id={`${id}-says`}>
        {draftInWords(field, draft.value)}
      </p>
      {answer.value.kind !== "none" && (
        <Note level={level} title={title}>
          <p>{words}</p>
        </Note>
      )}
      {failure.value !== null && <FieldProblem id={`${id}-failure`} text={failure.value} />}
      {/* Apart from what is shown, which comes and goes as a whole. */}
      <p class="sr" role="status">
        {answer.value.kind === "none" ? "" : `${title}. ${words}`}
      </p>
    </>
  );
}
