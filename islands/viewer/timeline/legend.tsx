/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { lookOfType } from "../../parts/recording_type.tsx";
import { clipsOf } from "../trip_lacks.ts";
import type { Parts } from "../viewer_parts.ts";

/**
 * Meaning of the drawings on the time line. Entries that most trips have stand there from the beginning, so that
 * nothing jumps.
 */
export function Legend({ list, browsing, trip }: Parts<"list" | "browsing" | "trip">) {
  const clips = clipsOf({ trip, browsing, list });
  const hasForce = clips.some((clip) => clip.has_3gf);
  const coming = new Set(clips.filter((clip) => clip.coming !== null).map(keyOf));
  if (trip.movements.value !== null) return <ReelLegend clips={clips} />;
  return (
    <ul class="keys">
      <Key name={clips.some(({ coming }) => coming !== null) ? "Here" : "Normal"}>
        <rect class="sg ty-n" x="2" y="1" width="16" height="8" rx="2" />
      </Key>
      {clips.some(({ coming }) => coming?.state === "now") && (
        <Key name="Coming now">
          <rect class="sg-now" x="2" y="1" width="8" height="8" rx="2" />
          <rect class="sg-wait ty-n" x="2.5" y="1" width="15" height="8" rx="2" />
        </Key>
      )}
      {clips.some(({ coming }) => coming !== null) && (
        <Key name="Still on the camera">
          <rect class="sg-wait ty-n" x="2.5" y="1" width="15" height="8" rx="2" />
        </Key>
      )}
      <Key name="Event">
        <path class="sg ty-e" d="M4 9L10 0L16 9Z" />
      </Key>
      <Key name="Parking">
        <rect class="sg-p ty-p" x="2" y="1" width="16" height="8" rx="2" />
      </Key>
      <Key name="Manual">
        <circle class="sg ty-m" cx="10" cy="5" r="5" />
      </Key>
      {hasForce && (
        <>
          <Key name="Accelerate">
            <rect class="acc" x="5" y="0" width="4" height="10" />
          </Key>
          <Key name="Brake">
            <rect class="brk" x="5" y="0" width="4" height="10" />
          </Key>
          <Key name="Sideways">
            <path class="ax-y" d="M0 5H20" />
          </Key>
          <Key name="Up and down">
            <path class="ax-z" d="M0 5H20" />
          </Key>
          <Key name="Total">
            <rect class="all" x="2" y="0" width="16" height="10" />
          </Key>
          <Key name="Strong">
            <path class="peak" d="M10 0L14 5L10 10L6 5Z" />
          </Key>
        </>
      )}
      {clips.some(({ type }) => lookOfType(type)[0] === "ty-d") && (
        <Key name="Driver">
          <rect class="sg ty-d" x="2" y="1" width="16" height="8" rx="2" />
        </Key>
      )}
      {clips.some(({ kept }) => kept !== null) && (
        <Key name="Kept">
          <path class="kp" d="M6 0H14V10L10 7L6 10Z" />
        </Key>
      )}
      {trip.clock.value?.segments.some(({ isGuess, key }) => isGuess && !coming.has(key)) && (
        <Key name="Length not known">
          <rect class="sg-open ty-n" x="2.5" y="1" width="15" height="8" rx="2" />
        </Key>
      )}
    </ul>
  );
}

/** The same around a parked car, where every clip is a movement. */
function ReelLegend({ clips }: { readonly clips: readonly ViewerRecording[] }) {
  return (
    <ul class="keys">
      <Key name="Movement">
        <rect class="rl-on" x="6" width="8" height="10" rx="2" />
      </Key>
      <Key name="Impact">
        <path class="sg ty-e" d="M4 9L10 0L16 9Z" />
      </Key>
      <Key name="Nothing moved, skipped">
        <path class="rl-q" d="M0 5H20" />
      </Key>
      {clips.some((clip) => clip.coming !== null) && (
        <Key name="Still on the camera">
          <rect class="sg-wait ty-p" x="6" y="1" width="8" height="8" rx="2" />
        </Key>
      )}
      {clips.some(({ kept }) => kept !== null) && (
        <Key name="Kept">
          <path class="kp" d="M6 0H14V10L10 7L6 10Z" />
        </Key>
      )}
    </ul>
  );
}

/** A drawing of a time line and what it means. */
export function Key({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <li>
      <svg viewBox="0 0 20 10" aria-hidden="true">
        {children}
      </svg>
      {name}
    </li>
  );
}
