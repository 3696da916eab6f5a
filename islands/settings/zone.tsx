/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { clockOf, wallOf, ZoneTime } from "../../server/domain/text/zone_time.ts";
import type { PartProps } from "./later_place.tsx";
import { fillZones } from "./time_zones.ts";

/** Current name of the time zone, and a note when it is the browser's. */
export function Zone({ shared, drawn }: PartProps) {
  const { at, runs } = shared;
  const zone = at("schedule", "timezone");
  const own = useSignal<string | null>(null);
  useEffect(() => {
    own.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? null;
    fillZones(document.getElementById("time-zones"));
  }, []);
  const { value: name } = own;
  const typed = zone.draft.value.trim();
  const { value: known } = runs;
  return (
    <p class="says zone-says" id={`${zone.id}-says`}>
      {zoneInWords(typed, known.valid ? known.now : drawn.now)}
      {name !== null && name === typed && " Same as this browser."}
    </p>
  );
}

/** Current name of a zone and its distance from UTC; empty when this browser does not know the zone. */
function zoneInWords(id: string, now: number): string {
  if (id === "UTC") return "";
  try {
    const zone = new ZoneTime(id);
    const ahead = zone.offset(now);
    const name = zone.name(now);
    const words = `UTC${ahead < 0 ? "-" : "+"}${clockOf(wallOf(Math.abs(ahead)))}`;
    return name === id ? words : `${name}, ${words}`;
  } catch {
    return "";
  }
}
