/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { isParked } from "../../../server/domain/viewer/trips.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { lookOfType } from "../../parts/recording_type.tsx";
import type { ViewerContext } from "../viewer_context.ts";
import { markOf } from "./clips_lane.tsx";

/** What the drawings on the time line mean: of those that are there. */
export function Legend({ trip }: ViewerContext) {
  const clips = trip.trip.value?.segments ?? [];
  const has = (test: (clip: (typeof clips)[number]) => boolean) => clips.some(test);
  const hasForce = (trip.telemetry.value?.strongest_g ?? null) !== null;
  const looks = (look: string) => has(({ type }) => lookOfType(type)[0] === look);
  return (
    <ul class="keys">
      {looks("ty-n") && (
        <Key name="Normal">
          <rect class="sg ty-n" x="2" y="1" width="16" height="8" rx="2" />
        </Key>
      )}
      {has(({ type }) => markOf(type) === "event") && (
        <Key name="Event">
          <path class="sg ty-e" d="M4 9L10 0L16 9Z" />
        </Key>
      )}
      {has((clip) => isParked(keyOf(clip))) && (
        <Key name="Parking">
          <rect class="sg-p ty-p" x="2" y="1" width="16" height="8" rx="2" />
        </Key>
      )}
      {looks("ty-m") && (
        <Key name="Manual">
          <circle class="sg ty-m" cx="10" cy="5" r="5" />
        </Key>
      )}
      {looks("ty-d") && (
        <Key name="Driver">
          <rect class="sg ty-d" x="2" y="1" width="16" height="8" rx="2" />
        </Key>
      )}
      {has(({ kept }) => kept !== null) && (
        <Key name="Kept">
          <path class="kp" d="M6 0H14V10L10 7L6 10Z" />
        </Key>
      )}
      {trip.clock.value?.segments.some(({ isGuess }) => isGuess) && (
        <Key name="Length not known">
          <rect class="sg-open ty-n" x="2.5" y="1" width="15" height="8" rx="2" />
        </Key>
      )}
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
        </>
      )}
      {(trip.figures.value?.peaks.length ?? 0) > 0 && (
        <Key name="Strong">
          <path class="peak" d="M10 0L14 5L10 10L6 5Z" />
        </Key>
      )}
    </ul>
  );
}

function Key({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <li>
      <svg viewBox="0 0 20 10" aria-hidden="true">
        {children}
      </svg>
      {name}
    </li>
  );
}
