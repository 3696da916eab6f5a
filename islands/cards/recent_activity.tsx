/** @jsxImportSource preact */

import { cameraDay, shortClock } from "../../server/domain/recordings/camera_clock.ts";
import { dateOf, typeOf } from "../../server/domain/recordings/recording_name.ts";
import type { RecentActivity, RecentClip } from "../../server/domain/status/card_data.ts";
import { knownAt } from "../../server/domain/status/last_known.ts";
import { agoInWords, counted, formatLength } from "../../server/domain/text/format.ts";
import type { CardTime } from "../../server/domain/text/zone_time.ts";
import { cameraName, playPath } from "../../server/domain/viewer/viewer_address.ts";
import type { Polled } from "../parts/cell.tsx";
import { KnownAt } from "../parts/figure.tsx";
import { Icon } from "../parts/icon.tsx";
import { Whose } from "../parts/plate.tsx";
import { lookOfType, RecordingType } from "../parts/recording_type.tsx";

const ID = "recent-activity-card";

/** The clips that were recorded last, with their pictures; each opens in the viewer, and plays. */
export function RecentActivityCard({ poll, clips, total, as_of, is_unknown, now, zone }: RecentActivity & Polled) {
  const polled = poll && { "data-poll": poll.path, "data-every": poll.every };
  return (
    <section class="section" id={ID} aria-labelledby={`${ID}-title`} {...polled}>
      <div class="section-head">
        <h2 id={`${ID}-title`}>Recent clips</h2>
        {is_unknown && as_of !== null && (
          <KnownAt>as of {knownAt(as_of, { now, zone })}. They cannot be played now.</KnownAt>
        )}
        {total > 0 && <a href="/viewer">All {counted(total, "clip")}</a>}
      </div>
      {clips.length === 0 ? (
        <div class="cell-alone empty">
          <h3>{is_unknown ? "Not known" : "No clips yet"}</h3>
          <p>
            {is_unknown
              ? "The clips appear here when the recordings folder is back."
              : "The newest clips appear here after the first files. You can close this page meanwhile."}
          </p>
        </div>
      ) : (
        <ul class={is_unknown ? "thumbs is-unknown" : "thumbs"}>
          {clips.map((clip) => (
            <Thumb key={clip.key} clip={clip} isThere={!is_unknown} now={now} zone={zone} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Thumb({
  clip,
  isThere,
  now,
  zone,
}: { readonly clip: RecentClip /** It can be played. */; readonly isThere: boolean } & CardTime) {
  const { key, mtime, cameras, paths, thumb, duration_seconds: length, whose } = clip;
  const [look, icon] = lookOfType(typeOf(key));
  // The camera's own wall time, shown as it is.
  const since = mtime === null ? "" : `, here since ${zone.whole(mtime * 1000)}, ${agoInWords(now / 1000 - mtime)}`;
  return (
    <li id={`recent-${key}`}>
      <a class="thumb" {...(isThere && { href: playPath(key) })} title={`${paths.join(", ")}${since}`}>
        <span class={`shot ${look}`}>
          <Icon name={icon} class="i shot-kind" />
          {thumb !== null && isThere && <img src={thumb} alt="" loading="lazy" decoding="async" />}
          {length !== null && <span class="shot-tag">{formatLength(length)}</span>}
        </span>
        <span class="thumb-line">
          <b>{shortClock(key, zone.format)}</b>
          <RecordingType letter={typeOf(key)} />
        </span>
        <span class={whose === undefined ? "small quiet" : "thumb-line small quiet"}>
          {cameraDay(dateOf(key), new Date(now).getUTCFullYear(), zone.format)}
          {whose === undefined ? ` · ${cameras.map(cameraName).join(", ")}` : <Whose camera={whose} />}
        </span>
      </a>
    </li>
  );
}
