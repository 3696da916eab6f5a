/** @jsxImportSource preact */
import { useComputed, useSignal } from "@preact/signals";
import { eventInWords } from "../../../server/domain/viewer/event_text.ts";
import { camerasOf, framePath, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { Parts } from "../viewer_parts.ts";
import type { TimeLineState } from "./time_line_state.ts";
import { clockAt, percentAt } from "./time_window.ts";

const WIDTH = 216;

interface PeekProps extends Parts<"playback" | "trip" | "format" | "speedUnit"> {
  readonly line: TimeLineState;
  /** Also tells the time, where nothing else does. */
  readonly isTimed?: boolean;
}

/** Above a time line, the picture of the time under the pointer, and which event that is. */
export function Peek({ trip, line, playback: { layout }, speedUnit, format, isTimed = false }: PeekProps) {
  const left = useComputed(() => {
    const at = (percentAt(line.shown.value, line.hover.value ?? 0) / 100) * line.width.value;
    // It stays inside of the time line.
    return Math.round(Math.max(0, Math.min(line.width.value - WIDTH, at - WIDTH / 2)));
  });
  const time = line.hover.value;
  const { value: clock } = trip.shownClock;
  // A click in a gap leads to the clip behind it.
  const to = time === null || clock === null ? null : clock.at(time);
  const clip = trip.trip.value?.segments.find((one) => keyOf(one) === to?.key);
  if (clock === null || !clip || !to) return null;
  const cameras = camerasOf(clip);
  const camera = cameras[layout.largeOf(cameras)];
  const still = camera?.thumb ?? clip.thumb;
  const when = isTimed ? clockAt(clock, (clock.offsetOf(to.key) ?? 0) + to.seconds, format) : undefined;
  const label = [when, eventInWords(clip, speedUnit)?.what].filter((part) => part !== undefined).join(" · ");
  const address = camera?.address ?? null;
  if (address === null && still === null && label === "") return null;
  return (
    <div class="peek" aria-hidden="true" style={{ left: `${left.value}px`, width: `${WIDTH}px` }}>
      {(address !== null || still !== null) && (
        <div class="peek-pic">
          {still !== null && <img src={still} alt="" decoding="async" />}
          {address !== null && <Frame key={address} wanted={framePath(address, to.seconds)} />}
        </div>
      )}
      {label !== "" && <p>{label}</p>}
    </div>
  );
}

/** The picture of a time in a clip: the one before it stays until it is there, and one is asked for at a time. */
function Frame({ wanted }: { readonly wanted: string }) {
  const shown = useSignal<string | null>(null);
  const coming = useSignal<string | null>(wanted);
  // The last request is answered, or failed: now the wanted one follows.
  if (coming.value === null && shown.value !== wanted) coming.value = wanted;
  const all = [...new Set([shown.value, coming.value])].filter((one) => one !== null);
  return all.map((one) => (
    <video
      key={one}
      class={one === shown.value ? "is-seen" : undefined}
      src={one}
      muted
      playsInline
      preload="auto"
      tabIndex={-1}
      onLoadedData={() => {
        if (one !== coming.peek()) return;
        shown.value = one;
        coming.value = null;
      }}
      // The still of the clip stays.
      onError={() => {
        if (one === coming.peek()) shown.value = one;
        coming.value = null;
      }}
    />
  ));
}
