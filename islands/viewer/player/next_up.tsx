/** @jsxImportSource preact */

import { eventInWords } from "../../../server/domain/viewer/event_text.ts";
import { nextMovementInWords } from "../../../server/domain/viewer/trip_play.ts";
import { Icon } from "../../parts/icon.tsx";
import { FocusHandover, toPlayer } from "../focus_handover.tsx";
import type { Parts } from "../viewer_parts.ts";

/** Around its middle, in the units of the drawing. */
const RADIUS = 17;
const ROUND = 2 * Math.PI * RADIUS;

/** Over the last picture of a movement: the next one, and how long until it plays. */
export function NextUp({ playback: { goingOn }, speedUnit, format }: Parts<"playback" | "format" | "speedUnit">) {
  const { value: countdown } = goingOn.countdown;
  return (
    <>
      <p class="sr" role="status">
        {countdown && `${nextMovementInWords(countdown.next, format)}.`}
      </p>
      {countdown && (
        <FocusHandover class="next-up" to={toPlayer}>
          <svg class="cdr" viewBox="0 0 40 40" aria-hidden="true">
            <circle cx="20" cy="20" r={RADIUS} />
            <circle
              class="cdr-v"
              cx="20"
              cy="20"
              r={RADIUS}
              stroke-dasharray={`${(ROUND * countdown.left) / countdown.of} ${ROUND}`}
              transform="rotate(-90 20 20)"
            />
            <text x="20" y="25.5">
              {countdown.left}
            </text>
          </svg>
          <p>
            <b>{nextMovementInWords(countdown.next, format)}</b>
            <br />
            <span>
              {[eventInWords(countdown.next.recording, speedUnit)?.what, `Starts in ${countdown.left}\u00a0s.`]
                .filter((part) => part !== undefined)
                .join(". ")}
            </span>
          </p>
          <div class="row">
            <button class="b" type="button" onClick={() => goingOn.stop()}>
              <Icon name="i-pause" />
              Stop here
            </button>
            <button class="b b-primary" type="button" onClick={() => goingOn.playNow()}>
              <Icon name="i-play" />
              Play now
            </button>
          </div>
        </FocusHandover>
      )}
    </>
  );
}

/** Over the picture: for a moment what was skipped before it, and while it lasts that it plays slower than wanted. */
export function SkippedNote({ playback: { goingOn, keepingUp } }: Parts<"playback">) {
  return (
    <p class="skipped" role="status">
      {goingOn.note.value ?? keepingUp.problem.value}
    </p>
  );
}
