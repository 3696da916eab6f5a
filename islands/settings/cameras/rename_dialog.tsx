/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { isCameraLetter, lettersOf } from "../../../server/domain/settings/camera_letter.ts";
import { cameraNameProblem } from "../../../server/domain/settings/camera_name.ts";
import type { CameraAnswer } from "../../../server/domain/status/cameras_schema.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import { Dialog, useOpenDialog } from "../../parts/dialog.tsx";
import { FieldProblem, Note } from "../../parts/note.tsx";
import { Plate } from "../../parts/plate.tsx";
import type { Shared } from "../keep/shared.ts";
import { readCameras } from "./change_cameras.ts";
import type { ListedCamera } from "./listed_camera.ts";
import { refusedFields } from "./refused_fields.ts";

interface RenameDialogProps {
  readonly shared: Shared;
  readonly camera: ListedCamera;
  /** Its place in the list, from 0 on. */
  readonly place: number;
  readonly onClosed: () => void;
}

interface Problems {
  readonly name?: string;
  readonly letter?: string;
  /** About none of the fields. */
  readonly all?: string;
}

const LABELS = { name: "The name", letter: "The letter" } as const;

/** Gives a camera another name and another letter on its plate. */
export function RenameDialog({ shared, camera, place, onClosed }: RenameDialogProps) {
  const { cameras } = shared;
  const dialogRef = useOpenDialog(onClosed);
  const name = useSignal(camera.name);
  const letter = useSignal(camera.chosenLetter ?? "");
  const problems = useSignal<Problems>({});
  const isPending = useSignal(false);
  const fields = { name: useRef<HTMLInputElement>(null), letter: useRef<HTMLInputElement>(null) };
  const made = lettersOf(
    cameras.value.map((one, at) => (at === place ? { name: name.value, letter: null } : lettered(one))),
  )[place];
  const shown = letter.value.trim() || made || "";
  const refuse = (found: Problems) => {
    problems.value = found;
    const first = (["name", "letter"] as const).find((field) => found[field] !== undefined);
    if (first) fields[first].current?.focus();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isPending.value) return;
    const wrong = cameraNameProblem(name.value);
    const chosen = letter.value.trim();
    if (wrong !== null) return refuse({ name: `The name ${wrong}.` });
    if (chosen !== "" && !isCameraLetter(chosen)) return refuse({ letter: "Type one or two letters or digits." });
    problems.value = {};
    isPending.value = true;
    try {
      const body = { name: name.value.trim(), letter: chosen === "" ? null : chosen };
      await send<CameraAnswer>(`PATCH /api/cameras/${camera.id}`, body);
      cameras.value = cameras.value.with(place, { ...camera, name: body.name, chosenLetter: body.letter });
      await readCameras(shared);
      dialogRef.current?.close();
      showToast(document, "fine", `Saved. The camera is called ${body.name}.`);
    } catch (error) {
      const found: Problems = refusedFields(error, LABELS);
      refuse(Object.keys(found).length > 0 ? found : { all: sentenceOfError(error) });
    }
    isPending.value = false;
  };
  const { name: wrongName, letter: wrongLetter, all } = problems.value;
  return (
    <Dialog name="rename" title={`Rename ${camera.name}`} dialogRef={dialogRef} onSubmit={submit}>
      <p>The name and the plate change everywhere at once. Its folder and its addresses stay.</p>
      <div class="password-form">
        <div>
          <label for="rename-name">Name</label>
          <input
            class="in"
            id="rename-name"
            autocomplete="off"
            spellcheck={false}
            autofocus
            value={name.value}
            ref={fields.name}
            aria-invalid={wrongName !== undefined || undefined}
            aria-describedby={wrongName === undefined ? undefined : "rename-name-error"}
            onInput={({ currentTarget: { value } }) => {
              name.value = value;
            }}
          />
          {wrongName !== undefined && <FieldProblem id="rename-name-error" text={wrongName} />}
        </div>
        <div>
          <label for="rename-letter">Letter on the plate</label>
          <div class="plate-row">
            <input
              class="in in-letter"
              id="rename-letter"
              autocomplete="off"
              spellcheck={false}
              maxLength={2}
              placeholder={made}
              value={letter.value}
              ref={fields.letter}
              aria-invalid={wrongLetter !== undefined || undefined}
              aria-describedby={`rename-letter-says${wrongLetter === undefined ? "" : " rename-letter-error"}`}
              onInput={({ currentTarget: { value } }) => {
                letter.value = value;
              }}
            />
            <Plate camera={{ name: name.value, letter: shown, place }} isLarge />
          </div>
          {wrongLetter !== undefined && <FieldProblem id="rename-letter-error" text={wrongLetter} />}
          <p class="field-meta" id="rename-letter-says">
            One or two letters or digits. Empty: made from the name.
          </p>
        </div>
      </div>
      {all !== undefined && <Note level="failed" title={all} role="alert" class="note-gap" />}
      <div class="row">
        <button class="b" type="button" onClick={() => dialogRef.current?.close()}>
          Cancel
        </button>
        <button class="b b-primary" type="submit" aria-busy={isPending.value || undefined}>
          Rename
        </button>
      </div>
    </Dialog>
  );
}

function lettered({ name, chosenLetter }: ListedCamera): { readonly name: string; readonly letter: string | null } {
  return { name, letter: chosenLetter };
}
