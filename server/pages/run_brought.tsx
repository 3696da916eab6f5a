/** @jsxImportSource preact */
import { RecordingType } from "../../islands/parts/recording_type.tsx";
import { Shot } from "../../islands/parts/shot.tsx";
import { clipName, shortClock } from "../domain/recordings/camera_clock.ts";
import { typeOf } from "../domain/recordings/recording_name.ts";
import type { RunDetail } from "../domain/runs/run_detail.ts";
import type { RecentClip } from "../domain/status/card_data.ts";
import { counted, formatCount, formatLength } from "../domain/text/format.ts";
import type { TimeFormat } from "../domain/text/time_format.ts";
import { playPath, viewerPath } from "../domain/viewer/viewer_address.ts";

/** Number of a run's clips that are shown small. */
export const MOST_CLIPS = 6;

interface BroughtProps {
  readonly brought: NonNullable<RunDetail["brought"]>;
  /** The newest of them that are here. */
  readonly clips: readonly RecentClip[];
  /** The recordings folder is not available. */
  readonly isFolderUnknown: boolean;
  readonly thisYear: number;
  /** In which times are written. */
  readonly format: TimeFormat;
}

/** Shows the recordings that a run brought home: their number by kind, and the newest as pictures. */
export function Brought({ brought: { by_type }, clips, isFolderUnknown, thisYear, format }: BroughtProps) {
  const kinds = Object.entries(by_type).sort(([, one], [, other]) => other - one);
  const all = kinds.reduce((sum, [, count]) => sum + count, 0);
  const shown = clips.reduce((sum, { cameras }) => sum + cameras.length, 0);
  const [newest] = clips;
  return (
    <section class="run-brought" aria-labelledby="run-brought">
      <div class="section-head">
        <h3 id="run-brought">Downloaded: {counted(all, "recording")}</h3>
        {newest && <a href={viewerPath(newest.key)}>Show them in the viewer</a>}
      </div>
      <p class="row soft run-kinds">
        {kinds.map(([letter, count]) => (
          <span key={letter}>
            <RecordingType letter={letter} /> <b class="strong">{formatCount(count)}</b>
          </span>
        ))}
      </p>
      {clips.length === 0 ? (
        <p class="soft">
          {isFolderUnknown ? "The recordings folder is not available." : "These recordings are not here any more."}
        </p>
      ) : (
        <ul class="thumbs">
          {clips.map(({ key, thumb, duration_seconds: length }) => (
            <li key={key}>
              <a class="thumb" href={playPath(key)} title={clipName(key, thisYear, format)}>
                <Shot thumb={thumb} type={typeOf(key)}>
                  {length !== null && <span class="shot-tag">{formatLength(length)}</span>}
                </Shot>
                <span class="thumb-line">
                  <b>{shortClock(key, format)}</b>
                  <RecordingType letter={typeOf(key)} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {clips.length > 0 && all > shown && <p class="small quiet">And {formatCount(all - shown)} more recordings</p>}
    </section>
  );
}
