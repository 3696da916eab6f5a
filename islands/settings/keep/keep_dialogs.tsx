/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { amountInWords } from "../../../server/domain/retention/deletion.ts";
import type { KeptMarks } from "../../../server/domain/retention/deletion_schema.ts";
import type { Question } from "../../../server/domain/retention/keep_consent.ts";
import { counted } from "../../../server/domain/text/format.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import { Dialog, useOpenDialog } from "../../parts/dialog.tsx";
import { Note } from "../../parts/note.tsx";
import type { PartProps } from "../later_place.tsx";
import { keepOf } from "./keep_state.ts";
import { refreshConsent } from "./refresh.ts";
import type { KeepState } from "./shared.ts";

/** The question that is open about deleting. They stand outside the settings form: a form has no form in it. */
export function KeepDialogs(props: PartProps) {
  const keep = keepOf(props);
  const open = keep.dialog.value;
  const close = () => {
    keep.dialog.value = null;
  };
  if (open === null) return null;
  if (open.kind === "unmark") return <UnmarkDialog keep={keep} onClosed={close} />;
  if (open.kind === "empty") return <EmptyDialog keep={keep} onClosed={close} />;
  return <ConsentDialog question={open.question} save={open.save} onClosed={close} />;
}

interface ConsentDialogProps {
  readonly question: Question;
  readonly save: () => void;
  readonly onClosed: () => void;
}

/** Asks before settings are saved that delete more than those before. */
function ConsentDialog({ question, save, onClosed }: ConsentDialogProps) {
  const dialogRef = useOpenDialog(onClosed);
  return (
    <Dialog name="retention-confirm" title={question.title} dialogRef={dialogRef}>
      {question.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <div class="row">
        <button class="b" type="submit" value="no" autofocus>
          Keep editing
        </button>
        <button class="b b-danger b-fill" type="submit" value="yes" onClick={save}>
          {question.action}
        </button>
      </div>
    </Dialog>
  );
}

/** Asks before all marks of kept recordings go. */
function UnmarkDialog({ keep, onClosed }: EmptyDialogProps) {
  const dialogRef = useOpenDialog(onClosed);
  const problem = useSignal<string | null>(null);
  const isPending = useSignal(false);
  const { count } = keep.standing.value.kept;
  const isOne = count === 1;
  const setAgain = async (marks: KeptMarks) => {
    try {
      await send("PUT /api/retention/marks", marks);
      await refreshConsent(keep);
    } catch (error) {
      showToast(document, "failed", sentenceOfError(error));
    }
  };
  const unmark = async () => {
    if (isPending.value) return;
    isPending.value = true;
    problem.value = null;
    try {
      const marks = await send<KeptMarks>("DELETE /api/retention/marks");
      dialogRef.current?.close();
      // The list goes, and with it the button that had the focus.
      document.getElementById("kept-title")?.focus({ preventScroll: true });
      const words = `${counted(marks.marks.length, "mark")} removed. Rules may delete these recordings now.`;
      showToast(document, "fine", words, { label: "Undo", run: () => void setAgain(marks) });
      void refreshConsent(keep);
    } catch (error) {
      problem.value = sentenceOfError(error);
      isPending.value = false;
    }
  };
  return (
    <Dialog name="remove-marks" title={`Remove ${isOne ? "the mark" : "all marks"}?`} dialogRef={dialogRef}>
      <p>
        {counted(count, "clip")} {isOne ? "is" : "are"} marked as kept. Without the {isOne ? "mark" : "marks"} your keep
        times and limits decide, from the next sync on. Notes are removed too.
      </p>
      {problem.value !== null && <Note level="failed" title={problem.value} role="alert" class="note-gap" />}
      <div class="row">
        <button class="b" type="submit" value="no" autofocus>
          Keep the {isOne ? "mark" : "marks"}
        </button>
        <button class="b b-danger b-fill" type="button" aria-busy={isPending.value} onClick={() => void unmark()}>
          Remove {counted(count, "mark")}
        </button>
      </div>
    </Dialog>
  );
}

interface EmptyDialogProps {
  readonly keep: KeepState;
  readonly onClosed: () => void;
}

/** Asks before everything in the trash goes for good. */
function EmptyDialog({ keep, onClosed }: EmptyDialogProps) {
  const dialogRef = useOpenDialog(onClosed);
  const problem = useSignal<string | null>(null);
  const isPending = useSignal(false);
  const { trash } = keep.standing.value;
  const empty = async () => {
    if (isPending.value) return;
    isPending.value = true;
    problem.value = null;
    try {
      const { bytes } = await send<{ readonly deleted: number; readonly bytes: number }>("DELETE /api/trash", {});
      dialogRef.current?.close();
      const gone = amountInWords({ recordings: trash.recordings, bytes });
      const verb = trash.recordings === 1 ? "is" : "are";
      showToast(document, "fine", `The trash is empty. ${gone}, ${verb} deleted for good.`);
      void refreshConsent(keep);
    } catch (error) {
      problem.value = sentenceOfError(error);
      isPending.value = false;
    }
  };
  return (
    <Dialog name="empty-trash" title="Empty the trash?" dialogRef={dialogRef}>
      <p>
        {amountInWords(trash)} {trash.recordings === 1 ? "is" : "are"} deleted for good. There is no way back.
      </p>
      {problem.value !== null && <Note level="failed" title={problem.value} role="alert" class="note-gap" />}
      <div class="row">
        <button class="b" type="submit" value="no" autofocus>
          Keep them
        </button>
        <button class="b b-danger b-fill" type="button" aria-busy={isPending.value} onClick={() => void empty()}>
          Empty the trash
        </button>
      </div>
    </Dialog>
  );
}
