/** @jsxImportSource preact */
import type { RecentActivity } from "../../server/domain/activity.ts";
import { agoInWords, counted } from "../../server/domain/format.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { Time } from "../parts/time.tsx";

/** The recordings that came home last. */
export function RecentActivityCard({ poll, recordings, total, now, time_zone }: RecentActivity & Polled) {
  return (
    <Cell id="recent-activity-card" title="Recent recordings" poll={poll}>
      {recordings.length === 0 ? (
        <>
          <p class="big">No recordings yet</p>
          <p class="soft">They appear here as the first files come home, newest first.</p>
        </>
      ) : (
        <>
          <p class="big">{counted(total, "recording")}</p>
          <ul>
            {recordings.map(({ filename, mtime, path }) => (
              <li key={path}>
                <span class="mono" title={path}>
                  {filename}
                </span>{" "}
                <span class="quiet small">
                  <Time at={mtime * 1000} zone={time_zone}>
                    {agoInWords(now / 1000 - mtime)}
                  </Time>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Cell>
  );
}
