/** @jsxImportSource preact */
import { type DayOfRuns, RUN_KINDS, runsInWords } from "../../server/domain/runs/runs_of_day.ts";
import { MOST_LARGE } from "../../server/domain/status/fleet.ts";
import { counted } from "../../server/domain/text/format.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { type PlateCamera, Whose } from "../parts/plate.tsx";
import { RunKeys, RunScale, RunStrokes } from "./day_of_runs.tsx";

interface RunsOfCamerasProps extends Polled {
  readonly rows: readonly { readonly camera: PlateCamera & { readonly id: string }; readonly day: DayOfRuns }[];
}

/** The runs of the last day of several cameras, a line for each. */
export function RunsOfCameras({ rows, poll }: RunsOfCamerasProps) {
  const [first] = rows;
  if (first === undefined) return null;
  const counts = Object.fromEntries(
    RUN_KINDS.map((kind) => [kind, rows.reduce((sum, { day }) => sum + day.counts[kind], 0)]),
  ) as DayOfRuns["counts"];
  return (
    <Cell
      id="day-of-runs-card"
      title="Runs in the last 24 hours"
      poll={poll}
      class="span"
      aside={<RunKeys counts={counts} />}
    >
      <dl class="lanes">
        {rows.map(({ camera, day }) => (
          <div key={camera.id}>
            <dt>
              <Whose camera={camera} />
            </dt>
            <dd>
              <RunStrokes {...day} name={wordsOf(day)} isShort={rows.length > MOST_LARGE} />
            </dd>
          </div>
        ))}
      </dl>
      <RunScale {...first.day} />
    </Cell>
  );
}

function wordsOf({ counts }: DayOfRuns): string {
  const all = RUN_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  return `${counted(all, "run")} in 24 hours${all === 0 ? "" : `: ${runsInWords(counts)}`}`;
}
