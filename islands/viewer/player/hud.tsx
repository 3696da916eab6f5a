/** @jsxImportSource preact */
import { useComputed } from "@preact/signals";
import { forceText, speedIn, speedUnitName } from "../../../server/domain/viewer/distance_text.ts";
import type { TripReading } from "../../../server/domain/viewer/trip_telemetry.ts";
import type { TripState } from "../trip_state.ts";
import type { Parts } from "../viewer_parts.ts";

/** Readings a second. */
const A_SECOND = 5;

/** Speed and force at the picture that is seen; null when the camera wrote neither. */
export function useReading(trip: TripState): TripReading | null {
  // Told anew a few times a second, and not with every frame.
  const moment = useComputed(() =>
    trip.time.value === null ? null : Math.floor(trip.time.value * A_SECOND) / A_SECOND,
  );
  const reading = useComputed(() => {
    const at = moment.value;
    const figures = trip.figures.value;
    if (at === null || figures === null) return null;
    const read = figures.at(at);
    // A blow lasts no longer than a sample: none is left out between two readings.
    return { ...read, force: figures.forceBetween(at, at + 1 / A_SECOND) ?? read.force };
  });
  const { value: told } = trip.telemetry;
  return told === null || (told.box === null && told.strongest_g === null) ? null : reading.value;
}

/**
 * Speed and force in the large picture, at the picture that is seen. Nothing is shown when the camera wrote neither.
 */
export function Hud({ trip, speedUnit }: Parts<"trip" | "speedUnit">) {
  const reading = useReading(trip);
  if (reading === null) return null;
  const told = trip.telemetry.value;
  const { hasFix, speed, force } = reading;
  return (
    <p class="hud">
      {told?.box != null && (
        <span>
          {hasFix ? (
            <>
              <b>{speed === null ? "–" : Math.round(speedIn(speed, speedUnit))}</b>{" "}
              <small>{speedUnitName(speedUnit)}</small>
            </>
          ) : (
            <small>No fix</small>
          )}
        </span>
      )}
      {force !== null && (
        <span>
          <b>{forceText(force)}</b> <small>g</small>
        </span>
      )}
    </p>
  );
}
