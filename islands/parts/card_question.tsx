/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import type { QuestionView } from "../../server/domain/coverage/question_text.ts";
import type { CardAnswer } from "../../server/domain/coverage/recording_state.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";
import { Dialog, useOpenDialog } from "./dialog.tsx";
import { ChangeButton } from "./may_change.tsx";
import { FieldProblem, Note } from "./note.tsx";

interface CardQuestionProps {
  readonly question: QuestionView;
  /** It was answered: the page has to be read again. */
  readonly onAnswered: () => void;
}

/** Says what only a user can know about the card, and opens the dialog that asks. */
export function CardQuestion({ question, onAnswered }: CardQuestionProps) {
  const isOpen = useSignal(false);
  const close = () => {
    isOpen.value = false;
  };
  return (
    <>
      <Note level="attention" class="note-below" id="card-question" title={question.title}>
        <p>{question.says}</p>
        <div class="row needs-script">
          <ChangeButton class="b" type="button" onClick={() => (isOpen.value = true)}>
            Answer…
          </ChangeButton>
        </div>
      </Note>
      {isOpen.value && <AnswerDialog question={question} onAnswered={onAnswered} onClosed={close} />}
    </>
  );
}

interface AnswerDialogProps extends CardQuestionProps {
  readonly onClosed: () => void;
}

function AnswerDialog({ question: { says, answers }, onAnswered, onClosed }: AnswerDialogProps) {
  const dialog = useOpenDialog(onClosed);
  const chosen = useSignal<CardAnswer | null>(null);
  const problem = useSignal<string | null>(null);
  const isSending = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    const { value } = event.submitter as HTMLButtonElement;
    if (value !== "answer") return;
    event.preventDefault();
    const { value: answer } = chosen;
    if (answer === null || isSending.value) return;
    isSending.value = true;
    problem.value = null;
    try {
      await send("POST /api/card/answer", { answer });
      showToast(document, "fine", "Thank you. The days are counted anew.");
      dialog.current?.close();
      onAnswered();
    } catch (error) {
      problem.value = sentenceOfError(error);
    } finally {
      isSending.value = false;
    }
  };
  return (
    <Dialog name="card-question" title="What happened to the card?" dialogRef={dialog} onSubmit={submit}>
      <p>{says}</p>
      <fieldset class="answers">
        <legend class="sr">What happened to the card?</legend>
        {answers.map(({ answer, label, consequence, isLikely }) => (
          <label key={answer} class="check">
            <input
              type="radio"
              name="card-answer"
              value={answer}
              checked={chosen.value === answer}
              onChange={() => {
                chosen.value = answer;
              }}
            />
            <span>
              <b class="strong">{label}</b>
              {isLikely && <span class="badge">Most likely</span>}
              <span class="says">{consequence}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p class="small">An answer cannot be changed later.</p>
      {problem.value !== null && <FieldProblem id="card-answer-error" text={problem.value} />}
      <div class="row">
        <button class="b" type="submit" value="no">
          Not now
        </button>
        <button
          class="b b-primary"
          type="submit"
          value="answer"
          disabled={chosen.value === null}
          aria-busy={isSending.value}
        >
          Save the answer
        </button>
      </div>
    </Dialog>
  );
}
