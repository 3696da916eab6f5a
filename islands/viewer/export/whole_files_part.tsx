/** @jsxImportSource preact */
import { counted, formatBytes } from "../../../server/domain/text/format.ts";
import { camerasOf } from "../../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../../parts/icon.tsx";
import { type PartProps, packQuery } from "./part_props.ts";

/** The camera's own files, as they are: of one clip one by one, of more as an archive, or signed with a report. */
export function OriginalsPart({ pack, query, wanted, clips, directions, choice }: PartProps) {
  const told = pack.isReading.value ? null : pack.answer.value;
  const { value: without } = choice.without;
  const [clip] = clips;
  const single = wanted.kind === "clip" && clip ? camerasOf(clip).filter(({ address }) => address !== null) : [];
  return (
    <>
      <p class="label">Originals instead, untouched</p>
      <div class="save-links">
        {single.map(({ direction, name, address }) => (
          <a key={direction} class="b" href={`${address}?download=1`} download>
            {name}
          </a>
        ))}
        <a class="b" href={`/api/viewer/export/zip?${query}`} download>
          <Icon name="i-zip" />
          {told === null
            ? "All files"
            : `${counted(told.originals.files, "file")}, ${formatBytes(told.originals.bytes)}`}
        </a>
        <a class="b" href={`/api/viewer/export/pack?${query}&${packQuery("myself", directions, without)}`} download>
          <Icon name="i-shield" />
          Pack with report{told !== null && `, about ${formatBytes(told.bytes)}`}
        </a>
      </div>
    </>
  );
}

/** Track, speeds and forces as tables. */
export function TablesPart({ query, clips }: PartProps) {
  const hasTrack = clips.some((clip) => clip.has_gps);
  const hasForce = clips.some((clip) => clip.has_3gf);
  if (!hasTrack && !hasForce) return null;
  return (
    <>
      <p class="label">Track, speed and force</p>
      <div class="save-links">
        {hasTrack && (
          <a class="b" href={`/api/viewer/export/track.gpx?${query}`} download title="The track as GPX">
            Track (GPX)
          </a>
        )}
        <a
          class="b"
          href={`/api/viewer/export/telemetry.csv?${query}`}
          download
          title="Places, speeds and forces as a table"
        >
          Table (CSV)
        </a>
      </div>
    </>
  );
}
