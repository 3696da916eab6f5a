/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { chartData } from "../server/domain/runs/chart_data.ts";
import type { StatsView } from "../server/domain/runs/statistics_text.ts";
import { counted } from "../server/domain/text/format.ts";
import { ZoneTime } from "../server/domain/text/zone_time.ts";
import { askBeforeDownloads } from "./browser/download.ts";
import { Note } from "./parts/note.tsx";
import { Charts } from "./stats/charts.tsx";
import { RANGE_NAMES, RangeSwitch } from "./stats/range_switch.tsx";
import { Tiles } from "./stats/tiles.tsx";
import { useStatistics } from "./stats/use_statistics.ts";

interface StatsChartsProps {
  /** Statistics as the server has drawn them; the figures behind the charts are fetched. */
  readonly view: StatsView;
  /** Recordings that retention keeps, in words; empty when it keeps all. */
  readonly kept: string;
  readonly time_zone: ZoneTime | string;
}

/** Choice of the range, its figures, and the charts. */
export default function StatsCharts({ view: drawn, kept, time_zone }: StatsChartsProps) {
  const zone = useMemo(() => ZoneTime.from(time_zone), [time_zone]);
  const { view, stats, pending, problem, isChosen, show } = useStatistics(drawn, zone, kept);
  const pointed = useSignal<number | null>(null);
  const data = useMemo(() => stats && chartData(stats), [stats]);
  useEffect(() => askBeforeDownloads(document), []);
  const { range, period, summary } = view;
  const { max_used_disk_percent: stops = 1, keep_steady_state: settles = null } = stats?.forecast.limits ?? {};
  return (
    <>
      <div class="row row-between stats-head">
        <RangeSwitch range={range} pending={pending} go={show} />
        <p class="small quiet">{pending === null ? period : `Fetching ${RANGE_NAMES[pending]}`}</p>
      </div>
      <p class="sr" role="status">
        {isChosen && pending === null && `${RANGE_NAMES[range]}: ${counted(summary.runs, "run")}.`}
      </p>
      {problem && (
        <Note
          level="failed"
          role="alert"
          class="note-gap"
          title={`The figures of ${RANGE_NAMES[problem.range]} could not be fetched.`}
        >
          <p>{problem.words}</p>
          <div class="row">
            <button class="b" type="button" onClick={() => show(problem.range)}>
              Try again
            </button>
          </div>
        </Note>
      )}
      {summary.runs > 0 && <Tiles summary={summary} />}
      {summary.runs > 0 && (
        <Charts
          view={view}
          group={{ data, zone, pointed, limits: { stops, settles } }}
          isBusy={pending !== null}
          isRefused={problem !== null}
        />
      )}
    </>
  );
}
