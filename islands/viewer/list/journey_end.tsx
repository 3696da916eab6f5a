/** @jsxImportSource preact */

import { cameraClock, cameraDay } from "../../../server/domain/recordings/camera_clock.ts";
import { secondsOf } from "../../../server/domain/recordings/recording_name.ts";
import { formatSeconds } from "../../../server/domain/text/format.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import { isHere } from "../../../server/domain/viewer/coming_text.ts";
import { dayOfKey, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { FocusHandover, toPlayer } from "../focus_handover.tsx";
import type { Parts } from "../viewer_parts.ts";

/** Over the last picture when nothing follows by itself: what comes next, and when. */
export function JourneyEndNote({
  browsing,
  playback: { players },
  actions,
  thisYear,
  format,
}: Parts<"browsing" | "playback" | "actions" | "thisYear" | "format">) {
  const end = browsing.journeyEnd.value;
  const { key } = browsing;
  if (!end || key === null || players.isPlaying.value) return null;
  const next = end.next && keyOf(end.next);
  return (
    <FocusHandover class="stage-note" to={toPlayer}>
      <p>
        {next === null || end.next === null
          ? "This is the end of the newest trip."
          : !isHere(end.next)
            ? "The next clip is still on the camera."
            : `This trip ends here. The next one begins ${whenOf(key, next, thisYear, format)}.`}
      </p>
      <div class="row">
        {next !== null && (
          <button class="b b-primary" type="button" onClick={() => void actions.show(next, true)}>
            {end.next !== null && isHere(end.next) ? "Play the next trip" : "Show the next clip"}
          </button>
        )}
        {!players.isStill && (
          <button class="b" type="button" onClick={() => void actions.show(key, true)}>
            Watch again
          </button>
        )}
      </div>
    </FocusHandover>
  );
}

function whenOf(key: string, next: string, thisYear: number, format: TimeFormat): string {
  const today = dayOfKey(key);
  const day = dayOfKey(next) ?? "";
  const clock = cameraClock(next, 0, format);
  const at = day === today ? `at ${clock}` : `on ${cameraDay(day, thisYear, format)} at ${clock}`;
  return `${at}, ${formatSeconds(secondsOf(next) - secondsOf(key))} later`;
}
