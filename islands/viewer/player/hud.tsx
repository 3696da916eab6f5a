/** @jsxImportSource preact */
import { useComputed } from "@preact/signals";
import { speedIn, speedUnitName } from "../../../server/domain/viewer/distance_text.ts";
import type { ViewerContext } from "../viewer_context.ts";

/** In the large picture: how fast and how hard, at what is seen. Nothing where the camera wrote neither. */
export function Hud({ trip, speedUnit }: Pick<ViewerContext, "trip" | "speedUnit">) {
  // Told anew a few times a second, and not with every frame.
  const moment = useComputed(() => (trip.time.value === null ? null : Math.floor(trip.time.value * 5) / 5));
  const reading = useComputed(() => (moment.value === null ? null : (trip.figures.value?.at(moment.value) ?? null)));
  const { value: told } = trip.telemetry;
  if (reading.value === null || told === null || (told.box === null && told.strongest_g === null)) return null;
  const { hasFix, speed, force } = reading.value;
  return (
    <p class="hud">
      {told.box !== null && (
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
          <b>{force.toFixed(2)}</b> <small>g</small>
        </span>
      )}
    </p>
  );
}
