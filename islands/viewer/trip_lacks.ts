import type { ViewerRecording } from "../../server/domain/viewer/viewer_schema.ts";
import type { Parts } from "./viewer_parts.ts";

type Shown = Parts<"list" | "browsing" | "trip">;

/** The clips of the trip; until they are known those that the list has of it, or the one on show. */
export function clipsOf({ trip, list: { recordings }, browsing: { shown, key } }: Shown): readonly ViewerRecording[] {
  const { value } = shown;
  if (trip.trip.value !== null || value.kind !== "recording") return trip.trip.value?.segments ?? [];
  return [
    value.recording,
    ...(recordings.tripOf(key ?? "")?.clips.flatMap((clip) => recordings.find(clip) ?? []) ?? []),
  ];
}

/** True when the trip has no place to draw, as far as is known: later ones must find their room. */
export function lacksTrack(parts: Shown): boolean {
  const told = parts.trip.telemetry.value;
  if (told !== null && told.box === null) return true;
  return lacksFile(parts, "has_gps") || (told === null && listed(parts)?.fixes === 0);
}

/** The same of its forces. */
export function lacksForce(parts: Shown): boolean {
  const told = parts.trip.telemetry.value;
  if (told !== null && told.strongest_g === null) return true;
  const trip = listed(parts);
  return lacksFile(parts, "has_3gf") || (told === null && trip?.is_complete === true && trip.strongest_g === null);
}

function lacksFile(parts: Shown, file: "has_gps" | "has_3gf"): boolean {
  return clipsOf(parts).every((clip) => !clip[file]);
}

function listed({ browsing, list: { recordings } }: Shown) {
  return recordings.tripOf(browsing.key ?? "");
}
