/** @jsxImportSource preact */

import { counted, formatBytes, formatSeconds } from "../../../server/domain/text/format.ts";
import { isHere } from "../../../server/domain/viewer/coming_text.ts";
import { type ExportWanted, exportQuery } from "../../../server/domain/viewer/export_choice.ts";
import { camerasOf, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { Icon } from "../../parts/icon.tsx";
import type { Parts } from "../viewer_parts.ts";
import { wantedRange } from "./wanted_range.ts";

const PANEL = "save";

/** Opens the panel, or closes it. */
export function toggleSavePanel(page: Document): void {
  page.getElementById(PANEL)?.togglePopover();
}

/** The button that opens what can be saved, and that: links, which work without a script, too. */
export function SavePanel({ recording, trip }: Parts<"trip"> & { readonly recording: ViewerRecording }) {
  const { trip: shown, clock, range } = trip;
  const all = shown.value?.segments ?? [];
  // Recordings that are still on the camera cannot be saved yet.
  const clips = all.filter(isHere);
  const key = keyOf(recording);
  const isInTrip = all.some((clip) => keyOf(clip) === key);
  const marked = clock.value && range.value && isInTrip ? wantedRange(clock.value, range.value) : null;
  const inRange = marked && clips.filter((clip) => keyOf(clip) >= marked.from && keyOf(clip) <= marked.to);
  return (
    <>
      <button class="b b-icon" type="button" popovertarget={PANEL} title="Save this (S)" aria-label="Save this">
        <Icon name="i-download" />
      </button>
      <div class="menu save" id={PANEL} popover="auto" role="group" aria-label="Save this">
        {isHere(recording) ? (
          <>
            <h3>This file</h3>
            <div class="row">
              {camerasOf(recording).map(
                ({ direction, name, address }) =>
                  address !== null && (
                    <a key={direction} class="b" href={`${address}?download=1`} download>
                      {name}
                    </a>
                  ),
              )}
            </div>
            <Scope name="This clip" wanted={{ kind: "clip", key }} clips={[recording]} />
          </>
        ) : (
          <p>This clip is still on the camera. It can be saved when it is here.</p>
        )}
        {isInTrip && clips.length > 0 && <Scope name="This trip" wanted={{ kind: "trip", key }} clips={clips} />}
        {marked && inRange && inRange.length > 0 && (
          <Scope
            name="The marked part"
            length={(range.value?.to ?? 0) - (range.value?.from ?? 0)}
            wanted={marked}
            clips={inRange}
          />
        )}
        <div class="small soft">
          An archive holds whole files, as they are. A download that breaks off can go on where it stopped.
        </div>
      </div>
    </>
  );
}

interface ScopeProps {
  readonly name: string;
  /** Seconds, where that is not what the clips are long. */
  readonly length?: number;
  readonly wanted: ExportWanted;
  readonly clips: readonly ViewerRecording[];
}

function Scope({ name, length, wanted, clips }: ScopeProps) {
  const query = exportQuery(wanted);
  const hasTrack = clips.some((clip) => clip.has_gps);
  const hasTelemetry = hasTrack || clips.some((clip) => clip.has_3gf);
  const link = (path: string, words: string, about: string) => (
    <a class="b" href={`/api/viewer/export/${path}?${query}`} download aria-label={`${name}: ${about}`} title={about}>
      {words}
    </a>
  );
  return (
    <>
      <h3>
        {name} <span class="small soft">{amountOf(clips, length)}</span>
      </h3>
      <div class="row">
        {link("zip", "All files", "all files as a ZIP archive")}
        {hasTrack && link("track.gpx", "GPX", "the track as GPX")}
        {hasTelemetry && link("telemetry.csv", "CSV", "places, speeds and forces as a CSV table")}
      </div>
    </>
  );
}

function amountOf(clips: readonly ViewerRecording[], length: number | undefined): string {
  const sizes = clips.map(({ size_bytes: size }) => size);
  const known = sizes.filter((size) => size !== null);
  return [
    length === undefined ? "" : formatSeconds(length),
    clips.length === 1 && length === undefined ? "" : counted(clips.length, "clip"),
    known.length === clips.length ? formatBytes(known.reduce((sum, size) => sum + size, 0)) : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
