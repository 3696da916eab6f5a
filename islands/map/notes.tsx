/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { stoppedText } from "../../server/domain/places/stopped_text.ts";
import { formatCount } from "../../server/domain/text/format.ts";
import { Icon } from "../parts/icon.tsx";
import { isOpen, NO_MAP_FILTER } from "./map_filter.ts";
import type { MapState } from "./map_state.ts";

/** Says in words what the map cannot show: what is still read, left out, missing, or failed. */
export function MapNotes({ map }: { readonly map: MapState }) {
  const { value: indexing } = map.drives.indexing;
  const problem = map.drives.problem.value;
  const drives = map.drives.drives.value;
  return (
    <>
      {problem !== null && (
        <MapNote look="is-failed" role="alert">
          <b class="strong">The drives could not be read.</b> <span>{problem}</span>{" "}
          <button class="text-b" type="button" onClick={() => map.retry()}>
            Try again
          </button>
        </MapNote>
      )}
      {indexing?.stopped && <MapNote look="is-attention">{stoppedText(indexing)}</MapNote>}
      {indexing !== null && !indexing.stopped && (
        <MapNote look="is-busy">
          <span>
            Tracks are being read: {formatCount(indexing.done)} of {formatCount(indexing.total)} clips.
          </span>
          <progress max={Math.max(1, indexing.total)} value={indexing.done} aria-label="Clips that are read" />
        </MapNote>
      )}
      {problem === null && <Shown map={map} isNone={drives !== null && map.count.value === 0} />}
      {map.streetsProblem.value !== null && <MapNote look="is-attention">{map.streetsProblem.value}</MapNote>}
    </>
  );
}

function Shown({ map, isNone }: { readonly map: MapState; readonly isNone: boolean }) {
  const isFiltered = !isOpen(map.filter.value) || map.span.value !== null;
  if (map.isEmpty.value && map.drives.drives.value !== null && !isFiltered)
    return map.drives.indexing.value === null ? (
      <MapNote look="is-waiting">
        <b class="strong">No drive with a GPS track is here yet.</b> <span>It appears here after the next sync.</span>
      </MapNote>
    ) : null;
  if (isNone)
    return (
      <MapNote look="is-waiting">
        {isFiltered ? "No drive here matches what you chose." : "No drive in this part of the map."}{" "}
        <button
          class="text-b"
          type="button"
          onClick={() => {
            if (isFiltered) {
              map.filter.value = NO_MAP_FILTER;
              map.span.value = null;
            } else void map.showAll();
          }}
        >
          {isFiltered ? "Show all" : "Show all drives"}
        </button>
      </MapNote>
    );
  if (map.drives.isCut.value)
    return (
      <MapNote look="is-attention">
        Too many drives for one map: the newest are shown. Come closer or choose some weeks.
      </MapNote>
    );
  return null;
}

const ICONS = {
  "is-failed": "s-failed",
  "is-busy": "s-busy",
  "is-waiting": "s-waiting",
  "is-attention": "s-attention",
} as const;

interface MapNoteProps {
  readonly look: keyof typeof ICONS;
  readonly role?: "alert" | "status";
  readonly children: ComponentChildren;
}

function MapNote({ look, role = "status", children }: MapNoteProps) {
  return (
    <div class={`mapv-note ${look}`} role={role}>
      <Icon name={ICONS[look]} />
      <p>{children}</p>
    </div>
  );
}
