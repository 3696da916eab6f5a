/** @jsxImportSource preact */
import { type CameraCheck, CHECK_SECONDS, checkTitle } from "../../server/domain/camera/camera_check.ts";
import type { StatusLevel } from "../../server/domain/status/status_level.ts";
import { counted, formatBytes } from "../../server/domain/text/format.ts";
import { FieldProblem, Note } from "../parts/note.tsx";

/** The state of a check. */
export type Answer =
  | { readonly kind: "none" }
  | { readonly kind: "asking"; readonly address: string }
  | { readonly kind: "answered"; readonly check: CameraCheck };

/** What follows once the address is saved. */
export type Saving = "start" | "only";

interface CheckAnswerProps {
  readonly answer: Answer;
  readonly saving: Saving | null;
  /** Why it could not be checked or saved. */
  readonly failure: string | null;
  readonly save: (how: Saving) => void;
}

/** The result of a check, and what can be done with the address. It has the same size in every state, so nothing jumps. */
export function CheckAnswer({ answer, saving, failure, save }: CheckAnswerProps) {
  const { mood: level, title, words } = answerInWords(answer);
  const isFound = answer.kind === "answered" && answer.check.reachable;
  const button = (how: Saving, label: string, look: string) => (
    <button
      class={`b ${look}`}
      type="button"
      aria-busy={saving === how || undefined}
      disabled={saving !== null && saving !== how}
      onClick={() => save(how)}
    >
      {label}
    </button>
  );
  return (
    <>
      <Note level={level} title={title} class="note-gap address-answer">
        <p id="address-says">{words}</p>
        <div class="row">
          {isFound ? (
            <>
              {button("start", "Save and start the first sync", "b-primary")}
              {button("only", "Save only", "b-quiet")}
            </>
          ) : (
            button("only", answer.kind === "answered" ? "Save anyway" : "Save without a check", "")
          )}
        </div>
        {failure !== null && <FieldProblem id="address-failure" text={failure} />}
      </Note>
      {/* Apart from what is shown: screen readers get it once, and without the buttons. */}
      <p class="sr" role="status">
        {answer.kind === "none" ? "" : `${title}. ${words}`}
      </p>
    </>
  );
}

/** An answer in words, and its level. */
export function answerInWords(answer: Answer): {
  readonly mood: StatusLevel;
  readonly title: string;
  readonly words: string;
} {
  if (answer.kind === "none")
    return {
      mood: "waiting",
      title: "Not asked yet",
      words: "Check asks the camera what it holds. Nothing is saved by that, and nothing on the camera changes.",
    };
  if (answer.kind === "asking")
    return {
      mood: "busy",
      title: `Asking ${answer.address}`,
      words: `It has ${CHECK_SECONDS}\u00a0s to answer; a long list takes a little more.`,
    };
  const { check } = answer;
  if (!check.reachable) return { mood: "attention", title: checkTitle(check.reason), words: check.message };
  return { mood: "fine", title: "The camera answered", words: found(check) };
}

function found({ latency_ms, recordings, bytes }: Extract<CameraCheck, { reachable: true }>): string {
  const soon = `It answered in ${Math.max(1, Math.round(latency_ms))}\u00a0ms`;
  if (recordings === 0) return `${soon} and holds no recordings yet.`;
  const size = bytes === null ? "" : `, ${formatBytes(bytes)}`;
  return `${soon} and holds ${counted(recordings, "recording")}${size}.`;
}
