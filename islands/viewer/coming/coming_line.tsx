/** @jsxImportSource preact */

import { cameraClock } from "../../../server/domain/recordings/camera_clock.ts";
import { comingInWords, isHere } from "../../../server/domain/viewer/coming_text.ts";
import { cameraName, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { Icon } from "../../parts/icon.tsx";
import { ChangeButton } from "../../parts/may_change.tsx";
import { useFocusHandover } from "../focus_handover.tsx";
import type { Marks } from "../stores.ts";
import type { Parts } from "../viewer_parts.ts";

interface ComingProps extends Pick<Marks, "coming">, Parts<"format"> {
  readonly recording: ViewerRecording;
}

/** Line in the row of a recording that is still on the camera: its place in the queue, or its progress. */
export function ComingLine({ recording, coming: clips, format }: ComingProps) {
  const { coming } = recording;
  if (coming === null) return null;
  const key = keyOf(recording);
  const arrival = coming.state === "now" ? clips.arrivalOf(key) : null;
  const said = coming.state === "now" ? null : clips.saidOf([key]);
  const words = said ?? comingInWords(coming, arrival);
  const isPart = isHere(recording);
  const percent = arrival?.percent ?? null;
  return (
    <span class="rec-line">
      <ComingIcon state={coming.state} />{" "}
      {isPart
        ? `${coming.directions.map(cameraName).join(", ")} ${words.charAt(0).toLowerCase()}${words.slice(1)}`
        : words}
      {coming.state === "now" && (
        <progress
          class="gauge gauge-thin"
          {...(percent !== null && { max: 100, value: percent })}
          aria-label={`${cameraClock(key, 0, format)}, brought home`}
        />
      )}
    </span>
  );
}

/** Icon for a recording that comes now, waits, or is not to come. */
export function ComingIcon({ state }: Pick<NonNullable<ViewerRecording["coming"]>, "state">) {
  return (
    <span class={`state ${state === "now" ? "is-busy" : "is-waiting"}`}>
      <Icon name={state === "now" ? "s-busy" : state === "unwanted" ? "i-minus" : "s-waiting"} />
    </span>
  );
}

/** Beside the row of a recording that waits: asks for it before all others; of one that was not needed, asks for it again. */
export function ComingButton(props: ComingProps) {
  const { coming } = props.recording;
  return coming === null || coming.state === "now" ? null : (
    <ChangeRequest {...props} isUnwanted={coming.state === "unwanted"} />
  );
}

function ChangeRequest({
  recording,
  isUnwanted,
  coming: clips,
  format,
}: ComingProps & { readonly isUnwanted: boolean }) {
  const key = keyOf(recording);
  // The row of a recording stays when the recording comes.
  const place = useFocusHandover<HTMLButtonElement>(() => document.querySelector(`#recordings [data-key="${key}"]`));
  return (
    <ChangeButton
      ref={place}
      class="trip-open needs-script"
      type="button"
      title={isUnwanted ? "Get it after all" : "Get this now"}
      aria-label={
        isUnwanted ? `Get ${cameraClock(key, 0, format)} after all` : `Get ${cameraClock(key, 0, format)} now`
      }
      aria-busy={clips.isPending([key]) ? "true" : undefined}
      onClick={() => void (isUnwanted ? clips.want([key]) : clips.getNow([key]))}
    >
      <Icon name={isUnwanted ? "i-restore" : "i-first"} />
    </ChangeButton>
  );
}
