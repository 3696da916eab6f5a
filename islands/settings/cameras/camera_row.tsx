/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { CameraState } from "../../parts/camera_state.tsx";
import { Icon } from "../../parts/icon.tsx";
import { FieldProblem } from "../../parts/note.tsx";
import { Plate } from "../../parts/plate.tsx";
import type { Shared } from "../keep/shared.ts";
import { type ListedCamera, platedAt } from "./listed_camera.ts";
import { OtherCamera } from "./other_camera.tsx";

interface CameraRowProps {
  readonly shared: Shared;
  readonly camera: ListedCamera;
  /** Its place in the list, from 0 on. */
  readonly place: number;
  readonly rename: () => void;
  readonly takeAway: () => void;
}

/** Reason why the first camera has no way out of the list. */
const FIRST = "The first camera cannot be taken away. Another one takes its place by its address";

/** One camera of the list, and what can be done with it. */
export function CameraRow({ shared, camera, place, rename, takeAway }: CameraRowProps) {
  const { id, name, model, address, destination, state, sentence, refused = false } = camera;
  const problem = useSignal<string | null>(null);
  const check = async (button: HTMLElement) => {
    problem.value = null;
    try {
      const { showCheck } = await import("../../dialogs/check.tsx");
      showCheck(document, button, address, { camera: id });
    } catch {
      problem.value = "The check could not be loaded. Load this page again.";
    }
  };
  const isFirst = place === 0;
  const away = isFirst ? `Take ${name} away: ${FIRST.toLowerCase()}` : `Take ${name} away…`;
  return (
    <li data-camera={id}>
      <div class="cam-row">
        <Plate camera={platedAt(camera, place)} isLarge />
        <p>
          <b>{name}</b> {model !== null && <span class="badge">{model}</span>}
        </p>
        <p class="small soft">
          {address === "" ? "No address yet" : <span class="mono">{address}</span>} · goes to{" "}
          <span class="mono">{destination}</span>
        </p>
        {(state === "failed" || state === "attention") && <p class="small soft">{sentence}</p>}
        <div class="cam-end">
          <CameraState state={state} />
          <div class="row">
            {!refused && (
              <>
                <button
                  class="b"
                  type="button"
                  data-action="check"
                  aria-label={`Check ${name}`}
                  disabled={address === ""}
                  onClick={({ currentTarget }) => void check(currentTarget)}
                >
                  Check
                </button>
                <button
                  class="b b-icon"
                  type="button"
                  data-action="rename"
                  aria-haspopup="dialog"
                  title={`Rename ${name}`}
                  aria-label={`Rename ${name}…`}
                  onClick={rename}
                >
                  <Icon name="i-edit" />
                </button>
                <a
                  class="b b-icon"
                  href={`/settings?camera=${id}`}
                  title={`Settings of ${name}`}
                  aria-label={`Settings of ${name}`}
                >
                  <Icon name="i-settings" />
                </a>
              </>
            )}
            <button
              class="b b-icon"
              type="button"
              data-action="away"
              aria-haspopup={isFirst ? undefined : "dialog"}
              disabled={isFirst}
              title={isFirst ? FIRST : `Take ${name} away`}
              aria-label={away}
              onClick={takeAway}
            >
              <Icon name="i-close" />
            </button>
          </div>
        </div>
      </div>
      {problem.value !== null && <FieldProblem id={`camera-${id}-problem`} text={problem.value} />}
      {state === "other_camera" && <OtherCamera shared={shared} camera={camera} />}
    </li>
  );
}
