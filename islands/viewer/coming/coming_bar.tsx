/** @jsxImportSource preact */

import { comingInWords, comingSentence } from "../../../server/domain/viewer/coming_text.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { Icon } from "../../parts/icon.tsx";
import { ChangeButton } from "../../parts/may_change.tsx";
import { FocusHandover, toPlayer } from "../focus_handover.tsx";
import type { Marks } from "../stores.ts";
import { ComingIcon } from "./coming_line.tsx";

interface ComingBarProps extends Pick<Marks, "coming"> {
  readonly recording: ViewerRecording;
  /** True in a small picture, which has room for its place in the queue only. */
  readonly isShort: boolean;
}

/** Under the still of a recording: that its video is still on the camera, when it comes, and what can be done about it. */
export function ComingBar({ recording, isShort, coming: clips }: ComingBarProps) {
  const { coming } = recording;
  if (coming === null) return null;
  const key = keyOf(recording);
  const { state } = coming;
  const arrival = state === "now" ? clips.arrivalOf(key) : null;
  const { what, more } = comingSentence(coming, arrival);
  const said = state === "now" ? null : clips.saidOf([key]);
  if (isShort)
    return (
      <p class="cam-wait">
        <ComingIcon state={state} /> {said ?? comingInWords(coming, arrival)}
      </p>
    );
  const busy = { "aria-busy": clips.isPending([key]) ? ("true" as const) : undefined };
  return (
    <FocusHandover key={state === "now" ? "now" : "later"} class="cam-wait row" to={toPlayer}>
      <ComingIcon state={state} />
      <p>
        <b>{what}</b> {said === null ? more : `${said}.`}
      </p>
      {state === "waiting" && (
        <ChangeButton
          class="b b-primary needs-script"
          type="button"
          title="Get this now"
          {...busy}
          onClick={() => void clips.getNow([key])}
        >
          <Icon name="i-first" />
          Get this now
        </ChangeButton>
      )}
      {state !== "now" && (
        <ChangeButton
          class="b needs-script"
          type="button"
          {...busy}
          onClick={() => void (state === "unwanted" ? clips.want([key]) : clips.leave([key]))}
        >
          {state === "unwanted" ? "Get it after all" : "Not needed"}
        </ChangeButton>
      )}
    </FocusHandover>
  );
}
