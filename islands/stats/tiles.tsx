/** @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import type { RunSummary } from "../../server/domain/runs/run_summary.ts";
import { tookInWords } from "../../server/domain/runs/run_text.ts";
import { wentWell } from "../../server/domain/runs/statistics_text.ts";
import { counted, formatBytes, formatCount } from "../../server/domain/text/format.ts";

/** The range in five figures. */
export function Tiles({ summary }: { readonly summary: RunSummary }) {
  const { runs, offline, reachable_runs: reached, bytes, files } = summary;
  const rate = wentWell(summary);
  return (
    <div class="cluster tiles section">
      <Tile name="Runs" figure={formatCount(runs)}>
        {/* Not that the others reached it: what answered them may have been another device. */}
        {reached === 0
          ? "None reached the camera"
          : offline === 0
            ? "The camera was there every time"
            : `${formatCount(offline)} found the camera away`}
      </Tile>
      <Tile name="Brought home" figure={formatBytes(bytes)}>
        {files === 0 ? "No files" : counted(files, "file")}
      </Tile>
      <Tile name="Average run" figure={reached === 0 ? "–" : tookInWords(summary.avg_duration_seconds)}>
        {reached === 0 ? "No run reached the camera" : `Longest ${tookInWords(summary.longest_seconds)}`}
      </Tile>
      <Tile name="Successful" figure={rate === null ? "–" : `${wholly(rate)}\u00a0%`}>
        {reached === 0 ? "No run reached the camera" : rate === null ? "Each was stopped" : wentWellOf(summary)}
      </Tile>
      <Tile name="Camera away" figure={counted(offline, "run")}>
        {offline === 0
          ? "No run found it away"
          : `${Math.round((offline / runs) * 1000) / 10}\u00a0%, not counted as failed`}
      </Tile>
    </div>
  );
}

interface TileProps {
  readonly name: string;
  readonly figure: string;
  readonly children: ComponentChildren;
}

function Tile({ name, figure, children }: TileProps) {
  return (
    <div class="cell tile">
      <dl>
        <dt class="label">{name}</dt>
        <dd>
          {/* Units stand back behind their figures. */}
          {figure.split(/([a-z%]+)/i).map((part) => (/[a-z%]/i.test(part) ? <small key={part}>{part}</small> : part))}
        </dd>
      </dl>
      <p>{children}</p>
    </div>
  );
}

/** Names the runs that the share is counted from. */
function wentWellOf({ offline, stopped }: RunSummary): string {
  if (stopped > 0) return `not counting ${formatCount(stopped)} stopped`;
  return offline === 0 ? "of all runs" : "of the others";
}

/** Percent with a decimal, rounded down: one failure in ten thousand is not none. */
function wholly(rate: number): number {
  return Math.floor(rate * 1000) / 10;
}
