/** @jsxImportSource preact */
import type { RecentActivity, RecentRecording } from "../../server/domain/activity.ts";
import { agoInWords, counted, formatDay, formatLength, formatMoment } from "../../server/domain/format.ts";
import { DIRECTIONS, parseRecording } from "../../server/domain/recording.ts";
import type { Polled } from "../parts/cell.tsx";
import { RecordingType } from "../parts/recording_type.tsx";

const ID = "recent-activity-card";

/** The recordings that came home last, with their pictures; each opens in the viewer. */
export function RecentActivityCard({ poll, recordings, total, now, time_zone }: RecentActivity & Polled) {
  const polled = poll && { "data-poll": poll.path, "data-every": poll.every };
  return (
    <section class="section" id={ID} aria-labelledby={`${ID}-title`} {...polled}>
      <div class="section-head">
        <h2 id={`${ID}-title`}>Recent recordings</h2>
        {total > 0 && <a href="/viewer">All {counted(total, "recording")}</a>}
      </div>
      {recordings.length === 0 ? (
        <div class="cell-alone empty">
          <h3>No recordings yet</h3>
          <p>They appear here as the first files come home, newest first. No need to keep this page open.</p>
        </div>
      ) : (
        <ul class="thumbs">
          {recordings.map((recording) => (
            <Thumb key={recording.path} {...recording} now={now} time_zone={time_zone} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Thumb({
  filename,
  path,
  mtime,
  thumb,
  duration_seconds: length,
  now,
  time_zone,
}: RecentRecording & { now: number; time_zone: string }) {
  const recording = parseRecording(filename);
  const type = recording?.type ?? "";
  const camera = Object.entries(DIRECTIONS).find(([letter]) => letter === recording?.direction)?.[1] ?? "Camera";
  const base = recording?.base ?? "";
  // The camera's own wall time, shown as it is.
  const day = Date.UTC(Number(base.slice(0, 4)), Number(base.slice(4, 6)) - 1, Number(base.slice(6, 8)));
  const title = `${path}, here since ${formatMoment(mtime * 1000, time_zone)}, ${agoInWords(now / 1000 - mtime)}`;
  return (
    <li>
      <a class="thumb" href={`/viewer?key=${filename.slice(0, 17)}`} title={title}>
        <span class="shot">
          {thumb !== null && <img src={thumb} alt="" loading="lazy" decoding="async" />}
          {length !== null && <span class="shot-tag">{formatLength(length)}</span>}
        </span>
        <span class="thumb-line">
          <b>
            {base.slice(9, 11)}:{base.slice(11, 13)}
          </b>
          <RecordingType letter={type} />
        </span>
        <span class="small quiet">
          {formatDay(day, "UTC", now)} · {camera}
          <span class="sr">, {filename}</span>
        </span>
      </a>
    </li>
  );
}
