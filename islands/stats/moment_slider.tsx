/** @jsxImportSource preact */
import { type ChartData, nearest } from "../../server/domain/runs/chart_data.ts";
import { readingAt } from "../../server/domain/runs/statistics_text.ts";
import type { ChartGroup } from "./chart.tsx";

const READ = ["disk", "bytes", "files", "duration"] as const;

interface MomentSliderProps {
  readonly group: ChartGroup;
  readonly data: ChartData;
}

/** Moves the cursor of all charts by keys. It is hidden until it has the focus. */
export function MomentSlider({ group: { pointed, zone }, data }: MomentSliderProps) {
  const last = data.points.length - 1;
  const { value: ts } = pointed;
  const at = ts === null ? last : nearest(data.moments, ts);
  const [disk, ...others] = READ.map((name) => readingAt(name, data, at, zone));
  const values = others.map((reading) => reading.split(" · ")[1]);
  return (
    <label class="moment">
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label="Point at a run in all charts"
        aria-valuetext={[disk, ...new Set(values)].join(", ")}
        onInput={({ currentTarget }) => {
          pointed.value = data.moments[Number(currentTarget.value)] ?? null;
        }}
        onBlur={() => {
          pointed.value = null;
        }}
      />
      <span aria-hidden="true">Arrow keys go from run to run</span>
    </label>
  );
}
