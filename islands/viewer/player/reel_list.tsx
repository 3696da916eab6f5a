/** @jsxImportSource preact */
import { useEffect, useRef } from "preact/hooks";
import { shortClock } from "../../../server/domain/recordings/camera_clock.ts";
import { typeOf } from "../../../server/domain/recordings/recording_name.ts";
import { counted, formatSeconds } from "../../../server/domain/text/format.ts";
import { landingOf } from "../../../server/domain/viewer/event_moment.ts";
import { eventInWords } from "../../../server/domain/viewer/event_text.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { isPlainClick } from "../../browser/plain_click.ts";
import { RecordingType } from "../../parts/recording_type.tsx";
import { Shot } from "../../parts/shot.tsx";
import { Batch } from "../list/batch.tsx";
import { clipsOf } from "../trip_lacks.ts";
import type { Parts } from "../viewer_parts.ts";

const ROWS_AT_ONCE = 60;

/** Beside the picture of a parked car: its movements in a row, that on show marked, and how long nothing else moved. */
export function ReelList(parts: Parts<"list" | "browsing" | "playback" | "trip" | "actions" | "format" | "speedUnit">) {
  const { browsing, trip, actions, speedUnit, format } = parts;
  const { recordings } = parts.list;
  const { goingOn } = parts.playback;
  const { value: keys } = trip.movements;
  const marked = useRef<HTMLAnchorElement>(null);
  // While it is counted down to, the next one is marked.
  const next = goingOn.countdown.value?.next;
  const now = next ? keyOf(next.recording) : browsing.key;
  useEffect(() => {
    const list = marked.current?.closest(".reel-list");
    if (!list || !marked.current) return;
    const row = marked.current.getBoundingClientRect();
    const room = list.getBoundingClientRect();
    // Only the list is scrolled, and only as far as it must be.
    list.scrollTop += Math.max(0, row.bottom - room.bottom) - Math.max(0, room.top - row.top);
  }, [now]);
  if (keys === null) return null;
  const clips = new Map(clipsOf(parts).map((clip) => [keyOf(clip), clip]));
  const lengths = [...clips.values()].flatMap(({ duration_seconds: length }) => length ?? []);
  const filmed = lengths.reduce((sum, length) => sum + length, 0);
  const { value: clock } = trip.clock;
  const stay = clock?.offsetOf(keys[0] ?? "") == null ? recordings.tripOf(keys[0] ?? "")?.length_seconds : clock.length;
  return (
    <section class="reel-list" aria-label="Movements">
      <div class="reel-head">
        <h3>
          {counted(keys.length, "movement")}
          {lengths.length === keys.length && `, ${formatSeconds(filmed)}`}
        </h3>
        {stay !== undefined && stay > filmed && <span class="small quiet">Parked {formatSeconds(stay)}</span>}
      </div>
      <div class="mv">
        <Batch
          all={keys}
          at={keys.indexOf(now ?? "")}
          size={ROWS_AT_ONCE}
          names={["earlier movements", "later movements"]}
          draw={(key) => {
            const clip = clips.get(key);
            const words = clip && eventInWords(clip, speedUnit);
            const start = clip ? landingOf(clip) : 0;
            const length = clip?.duration_seconds ?? null;
            return (
              <a
                key={key}
                {...(key === now ? { ref: marked } : {})}
                href={browsing.pathOf(key, start)}
                aria-current={key === now ? "true" : undefined}
                onClick={(click) => {
                  if (!isPlainClick(click)) return;
                  click.preventDefault();
                  void actions.show(key, true, start);
                }}
              >
                <Shot thumb={clip?.thumb ?? null} type={typeOf(key)} />
                <span>
                  <b>{shortClock(key, format)}</b>
                  {words ? (
                    <span class="small">{[words.what, words.more].filter((part) => part !== "").join(", ")}</span>
                  ) : typeOf(key) === "P" ? (
                    <span class="small">Movement</span>
                  ) : (
                    <RecordingType letter={typeOf(key)} />
                  )}
                </span>
                {length !== null && <span class="mv-gap">{formatSeconds(length)}</span>}
              </a>
            );
          }}
        />
      </div>
    </section>
  );
}
