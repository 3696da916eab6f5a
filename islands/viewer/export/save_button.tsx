/** @jsxImportSource preact */
import { isHere } from "../../../server/domain/viewer/coming_text.ts";
import { exportQuery } from "../../../server/domain/viewer/export_choice.ts";
import { camerasOf, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { Icon } from "../../parts/icon.tsx";
import type { Parts } from "../viewer_parts.ts";

const LINKS = "save-links";
/** Names the button that opens the panel, to which the focus goes back. */
export const SAVE_BUTTON = "save-open";

/** Opens the panel to save; without a script, links to the files of this clip. */
export function SaveButton({ recording, saving }: Parts<"saving"> & { readonly recording: ViewerRecording }) {
  return (
    <>
      <button
        class="b b-icon"
        type="button"
        id={SAVE_BUTTON}
        popovertarget={LINKS}
        title="Save this (S)"
        aria-label="Save this"
        aria-pressed={saving.isOpen.value}
        onClick={(event) => {
          event.preventDefault();
          saving.toggle();
        }}
      >
        <Icon name="i-download" />
      </button>
      <div class="menu save-links" id={LINKS} popover="auto" role="group" aria-label="Files of this clip">
        {isHere(recording) ? <ClipLinks recording={recording} /> : <p>This clip is still on the camera.</p>}
      </div>
    </>
  );
}

function ClipLinks({ recording }: { readonly recording: ViewerRecording }) {
  const query = exportQuery({ kind: "clip", key: keyOf(recording) });
  return (
    <div class="row">
      {camerasOf(recording).map(
        ({ direction, name, address }) =>
          address !== null && (
            <a key={direction} class="b" href={`${address}?download=1`} download>
              {name}
            </a>
          ),
      )}
      <a class="b" href={`/api/viewer/export/zip?${query}`} download>
        All files of this clip
      </a>
    </div>
  );
}
