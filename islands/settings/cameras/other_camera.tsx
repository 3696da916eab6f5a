/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { send, sentenceOfError } from "../../browser/client.ts";
import { FieldProblem, Note } from "../../parts/note.tsx";
import type { Shared } from "../keep/shared.ts";
import type { PartProps } from "../later_place.tsx";
import { readCameras } from "./change_cameras.ts";
import type { ListedCamera } from "./listed_camera.ts";

interface OtherCameraProps {
  readonly shared: Shared;
  readonly camera: ListedCamera;
  /** The page has the setting of its address. */
  readonly isHere?: boolean;
}

/** Asks what to do about another camera that answers at the address. */
export function OtherCamera({ shared, camera, isHere = false }: OtherCameraProps) {
  const { id, address, detail } = camera;
  const setting = "#connection-address";
  const isPending = useSignal(false);
  const problem = useSignal<string | null>(null);
  const accept = async () => {
    if (isPending.value) return;
    isPending.value = true;
    problem.value = null;
    try {
      await send(`POST /api/cameras/${id}/accept`);
      await readCameras(shared);
    } catch (error) {
      problem.value = sentenceOfError(error);
    }
    isPending.value = false;
  };
  return (
    <Note level="attention" title={`Another camera answers at ${address}.`}>
      <p>{detail}</p>
      <div class="row">
        <button
          class="b"
          type="button"
          data-action="accept"
          aria-busy={isPending.value || undefined}
          onClick={() => void accept()}
        >
          It is the new camera
        </button>
        <a class="b b-quiet" href={isHere ? setting : `/settings?camera=${id}${setting}`}>
          Change the address
        </a>
      </div>
      {problem.value !== null && <FieldProblem id={`camera-${id}-other`} text={problem.value} />}
    </Note>
  );
}

/** The question on the page of the camera's own settings; nothing while the right camera answers. @param props.path its id */
export function OwnOtherCamera({ shared, path }: PartProps) {
  const camera = shared.cameras.value.find(({ id }) => id === path);
  return camera?.state === "other_camera" ? <OtherCamera shared={shared} camera={camera} isHere /> : null;
}
