/** @jsxImportSource preact */

import { useEffect, useRef } from "preact/hooks";
import type { StatsView } from "../../server/domain/runs/statistics_text.ts";
import { formatCount } from "../../server/domain/text/format.ts";
import { islandIsReady } from "../browser/island_ready.ts";
import { Chart, type ChartGroup } from "./chart.tsx";
import { DiskKeys, FailedKeys } from "./keys.tsx";
import { MomentSlider } from "./moment_slider.tsx";

interface ChartsProps {
  readonly view: StatsView;
  readonly group: ChartGroup;
  readonly isBusy: boolean;
  /** The figures were refused: there is nothing to wait for. */
  readonly isRefused: boolean;
}

/** All charts, with one cursor through them. */
export function Charts({ view, group, isBusy, isRefused }: ChartsProps) {
  const { charts, bucket, slot, heading, summary, mostAway } = view;
  const per = bucket ?? "run";
  const section = useRef<HTMLDivElement>(null);
  // Its charts have drawn themselves before: effects of what is inside come first.
  useEffect(() => {
    if (group.data !== null || isRefused) islandIsReady(section.current);
  }, [group.data, isRefused]);
  const away =
    mostAway > 0
      ? ` Below the line, on a scale of its own: how often the camera was away, ${formatCount(mostAway)} at most.`
      : "";
  return (
    <div class="section charts-section" data-draws-later="" ref={section} aria-busy={isBusy ? "true" : undefined}>
      <p class={bucket === null ? "sr" : "small soft charts-told"} id="charts-told">
        {bucket !== null &&
          `There are more runs than a chart can show: each point sums up ${bucket}, and durations are means. `}
        The table below has the runs one by one.
      </p>
      {group.data !== null && <MomentSlider group={group} data={group.data} />}
      <div class="cluster cluster-2 charts">
        <Chart
          name="disk"
          title="Disk"
          class="chart-tall span"
          view={charts.disk}
          group={group}
          keys={<DiskKeys view={view} />}
          foot={<p>{heading}</p>}
        />
        <Chart name="bytes" title={`Brought home per ${per}`} view={charts.bytes} group={group} />
        <Chart name="files" title={`Files per ${per}`} view={charts.files} group={group} />
        <Chart
          name="duration"
          title={bucket === null ? "Duration" : "Mean duration"}
          view={charts.duration}
          group={group}
          foot={
            <p>{summary.offline > 0 ? "Gaps where the camera was away." : "From first contact to the last byte."}</p>
          }
        />
        <Chart
          name="failed"
          title="Runs that failed, by reason"
          view={charts.failed}
          group={group}
          foot={
            <>
              <FailedKeys view={view} />
              <p>{`Per ${slot}, wholly or in part.${away}`}</p>
            </>
          }
        />
      </div>
    </div>
  );
}
