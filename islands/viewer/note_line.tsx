/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { MOST_NOTE } from "../../server/domain/retention/kept_text.ts";
import { keyOf } from "../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../server/domain/viewer/viewer_schema.ts";
import { Icon } from "../parts/icon.tsx";
import { ChangeButton } from "../parts/may_change.tsx";
import { useFocusHandover } from "./focus_handover.tsx";
import type { Parts } from "./viewer_parts.ts";

interface NoteProps extends Parts<"marks" | "actions"> {
  readonly recording: ViewerRecording;
}

const toNoteTool = () => document.querySelector<HTMLElement>('.vw-head [data-tool="i-note"]');

/** The user's note about a recording, or the field for it. */
export function NoteLine({ recording, ...parts }: NoteProps) {
  const { actions } = parts;
  const { keeping } = parts.marks;
  const note = recording.kept?.note ?? null;
  if (keeping.writing.value === keyOf(recording)) return <NoteField recording={recording} {...parts} />;
  if (note === null) return null;
  return (
    <div class="vw-note">
      <Icon name="i-note" />
      <p>{note}</p>
      <ChangeButton class="text-b needs-script" type="button" aria-label="Edit the note" onClick={actions.writeNote}>
        Edit
      </ChangeButton>
    </div>
  );
}

function NoteField({ recording, marks: { keeping } }: NoteProps) {
  const key = keyOf(recording);
  const place = useFocusHandover<HTMLFormElement>(toNoteTool);
  const field = useRef<HTMLInputElement>(null);
  const problem = useSignal<string | null>(null);
  const isSaving = useSignal(false);
  // Before the next key comes: it belongs to the note.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
    // It goes with the recording, by whatever way another one is chosen.
    return () => {
      if (keeping.writing.value === key) keeping.leave();
    };
  }, []);
  const save = async () => {
    if (isSaving.value) return;
    isSaving.value = true;
    problem.value = null;
    problem.value = await keeping.save(key, field.current?.value ?? "");
    isSaving.value = false;
  };
  return (
    <form
      class="vw-note is-open"
      ref={place}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Icon name="i-note" />
      <input
        class="in"
        ref={field}
        name="note"
        aria-label="Note"
        aria-describedby="note-says"
        aria-invalid={problem.value === null ? undefined : "true"}
        defaultValue={recording.kept?.note ?? ""}
        maxLength={MOST_NOTE}
        readOnly={isSaving.value}
        autocomplete="off"
        enterkeyhint="done"
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          keeping.leave();
        }}
      />
      <button class="text-b" type="submit" aria-busy={isSaving.value ? "true" : undefined}>
        Save
      </button>
      <button class="text-b" type="button" onClick={() => keeping.leave()}>
        Cancel
      </button>
      <p class={problem.value === null ? "small" : "small trouble"} id="note-says" role="status">
        {problem.value ?? (recording.kept ? "" : "Writing a note keeps the clip.")}
      </p>
    </form>
  );
}
