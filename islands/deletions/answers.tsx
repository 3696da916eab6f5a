/** @jsxImportSource preact */
import { GUIDE_PLACES } from "../../server/domain/guide/places.ts";
import type { DeletionNote } from "../../server/domain/retention/deletion.ts";
import type { Acting } from "../cards/acting.ts";
import { ActionButton } from "../cards/action_button.tsx";
import { Note } from "../parts/note.tsx";

interface AnswersProps extends Acting {
  readonly note: DeletionNote;
  /** The sentence of the page asks: the safe answer is then the page's main button. */
  readonly isMain?: boolean | undefined;
  /** A deletion waits for the answer. */
  readonly isHeld?: boolean | undefined;
}

/** The answers to a note about deleting. */
export function Answers({ note: { about }, isMain = false, isHeld = false, ...acting }: AnswersProps) {
  if (about === "problem") return <a href="/logs?level=warning">Open the log</a>;
  if (about === "marks") return <MarksAnswers isMain={isMain} isHeld={isHeld} {...acting} />;
  return (
    <>
      <ActionButton
        action="keep-everything"
        icon="i-kept"
        label="Keep everything"
        look={isMain && about === "held" ? "b-primary" : ""}
        {...acting}
      />
      <a class="b" href="/viewer?only=due" data-action="look-at-held">
        Look at them
      </a>
      {about === "held" && (
        <ActionButton action="confirm-deletion" icon="i-trash" label="Delete them" look="b-danger" {...acting} />
      )}
    </>
  );
}

/** The answers where marks of kept recordings were lost. */
function MarksAnswers({ isMain, isHeld, ...acting }: Omit<AnswersProps, "note">) {
  return (
    <>
      <ActionButton
        action="restore-marks"
        icon="i-kept"
        label="Put the marks back"
        look={isMain ? "b-primary" : ""}
        {...acting}
      />
      {isHeld ? (
        <>
          <a class="b" href="/viewer?only=due" data-action="look-at-held">
            Look at what would be deleted
          </a>
          <ActionButton action="confirm-deletion" icon="i-trash" label="Delete them" look="b-danger" {...acting} />
        </>
      ) : (
        <ActionButton action="give-up-marks" icon="i-check" label="Leave them off" {...acting} />
      )}
    </>
  );
}

/** The notes about deleting that are not the sentence of the page. */
export function DeletionNotes({
  notes,
  isHeld,
  ...acting
}: Acting & { readonly notes: readonly DeletionNote[]; readonly isHeld: boolean }) {
  return (
    <>
      {notes.map((note) => (
        <Note key={note.about} level={note.mood} title={note.sentence}>
          {note.detail && <p>{note.detail}</p>}
          <div class="row">
            <Answers note={note} isHeld={isHeld} {...acting} />
            <a class="b b-quiet" href={note.about === "marks" ? GUIDE_PLACES.marks : GUIDE_PLACES.deletions}>
              Help
            </a>
          </div>
        </Note>
      ))}
    </>
  );
}
