/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { amountInWords, sparedInWords } from "../../server/domain/retention/deletion.ts";
import { counted, formatBytes, formatCount } from "../../server/domain/text/format.ts";
import { Dialog, useOpenDialog } from "../parts/dialog.tsx";
import { Note } from "../parts/note.tsx";
import { focusTargetOf } from "./focus.ts";
import type { Trash } from "./trash.ts";
import type { TrashAction } from "./trash_actions.ts";
import type { Question, TrashTask } from "./trash_task.ts";

/** The question that is open. */
export function Questions({ trash }: { readonly trash: Trash }) {
  const question = trash.question.value;
  return question && <Ask key={question.nth} trash={trash} question={question} {...wordsOf(question)} />;
}

interface Words {
  readonly title: string;
  readonly what: TrashAction;
  readonly of: Extract<TrashTask["of"], string>;
  /** On the safe button, and on the one that does it. */
  readonly no: string;
  readonly yes: string;
  readonly says: ComponentChildren;
}

function wordsOf({ kind, entries, recordings, bytes }: Question): Words {
  // All are counted as everywhere; what is chosen are rows, and those are clips.
  const isChosen = kind === "delete-chosen";
  const isOne = (isChosen ? entries : recordings) === 1;
  const them = isChosen ? counted(entries, "clip") : counted(recordings, "recording");
  const yes = `Delete ${them}`;
  switch (kind) {
    case "empty-trash":
      return {
        title: "Empty the trash?",
        what: "delete",
        of: "all",
        no: "Leave it as it is",
        yes,
        says: `${amountInWords({ recordings, bytes })}, ${isOne ? "is" : "are"} deleted for good. This cannot be undone.`,
      };
    case "delete-chosen":
      return {
        title: `Delete ${them} for good?`,
        what: "delete",
        of: "chosen",
        no: isOne ? "Leave it here" : "Leave them here",
        yes,
        says: `That frees ${formatBytes(bytes)}, and cannot be undone.`,
      };
    case "restore-all":
      return {
        title: `Restore ${them}?`,
        what: "restore",
        of: "all",
        no: isOne ? "Leave it here" : "Leave them here",
        yes: "Restore all",
        says: isOne
          ? `It goes back to where it was, ${formatBytes(bytes)}. ${sparedInWords(1)}`
          : `They go back to where they were, ${formatBytes(bytes)}. ${sparedInWords(2)}`,
      };
  }
}

interface AskProps extends Words {
  readonly trash: Trash;
  readonly question: Question;
}

function Ask({ trash, question, title, what, of, no, yes, says }: AskProps) {
  const dialog = useOpenDialog(() => {
    // The button that had opened it may have gone with what it was about.
    const { activeElement } = document;
    if (activeElement === document.body || dialog.current?.contains(activeElement))
      focusTargetOf(trash, "pick")?.focus({ preventScroll: true });
    if (trash.question.value === question) trash.question.value = null;
  });
  const trouble = trash.trouble.value;
  const through = trash.through.value;
  const isAtWork = trash.task.value !== null;
  const go = async () => {
    if (isAtWork) return;
    const isDone = of === "all" ? await trash.workOnAll(what) : await trash.workOnChosen(what);
    if (isDone) dialog.current?.close();
  };
  return (
    <Dialog name={question.kind} title={title} dialogRef={dialog}>
      <p>{says}</p>
      {through !== null && (
        <p role="status">
          {formatCount(through.done)} of {formatCount(through.all)} are through.
        </p>
      )}
      {trouble?.of === of && trouble.what === what && (
        <Note level="failed" title={trouble.words} role="alert" class="note-gap" />
      )}
      <div class="row">
        {/* The safe choice has the focus. */}
        <button class="b" type="submit" value="no" autofocus>
          {no}
        </button>
        <button
          class={`b ${what === "delete" ? "b-danger b-fill" : "b-primary"}`}
          type="button"
          aria-busy={isAtWork}
          onClick={() => void go()}
        >
          {yes}
        </button>
      </div>
    </Dialog>
  );
}
