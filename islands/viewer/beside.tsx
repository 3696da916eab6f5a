/** @jsxImportSource preact */
import { camerasOf } from "../../server/domain/viewer/viewer_address.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import type { Beside } from "./player/stage_layout.ts";
import type { Parts } from "./viewer_parts.ts";

/** Chooses what lies beside the picture. Only a phone that is held across shows it: elsewhere there is room for all. */
export function BesideTabs({
  browsing,
  playback: { layout },
  trip,
  saving,
}: Parts<"browsing" | "playback" | "trip" | "saving">) {
  const shown = browsing.shown.value;
  const cameras = shown.kind === "recording" ? camerasOf(shown.recording) : [];
  const others = layout.kind.value === "strip" ? cameras.filter((_, at) => at !== layout.largeOf(cameras)) : [];
  const usual: Beside = others.length > 0 ? "cameras" : "map";
  const chosen = layout.beside.value;
  const now = chosen === null || (chosen === "cameras" && others.length === 0) ? usual : chosen;
  const tab = (which: Beside, name: string, icon: IconName) => (
    <button
      type="button"
      aria-pressed={which === now && !saving.isOpen.value}
      onClick={() => {
        saving.close();
        layout.beside.value = which;
      }}
    >
      <Icon name={icon} />
      {name}
    </button>
  );
  return (
    <div class={`vx-tabs needs-script shows-${now}`} role="group" aria-label="Beside the picture">
      {others.length > 0 && tab("cameras", others.length === 1 ? (others[0]?.name ?? "") : "Cameras", "i-camera")}
      {/* A parked car stands in one place: what it saw takes the place of the map. */}
      {trip.movements.value === null ? tab("map", "Map", "i-follow") : tab("map", "Movements", "t-parking")}
      {tab("trips", "Trips", "i-list")}
    </div>
  );
}
