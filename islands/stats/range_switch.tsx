/** @jsxImportSource preact */
import type { Range } from "../../server/domain/runs/run.ts";
import { isPlainClick } from "../browser/plain_click.ts";

export const RANGE_NAMES: Readonly<Record<Range, string>> = {
  "24h": "24\u00a0h",
  "7d": "7 days",
  "30d": "30 days",
  all: "All",
};

interface RangeSwitchProps {
  readonly range: Range;
  /** The one that is being fetched. */
  readonly pending: Range | null;
  /** Changes the range without leaving the page. */
  readonly go: (range: Range) => void;
}

/** Choice of the range that the page looks back on. */
export function RangeSwitch({ range, pending, go }: RangeSwitchProps) {
  const follow = (event: MouseEvent, to: Range) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    go(to);
  };
  return (
    <div class="seg" role="group" aria-label="Range">
      {(Object.keys(RANGE_NAMES) as Range[]).map((name) => (
        <a
          key={name}
          href={`/stats?range=${name}`}
          aria-current={name === range ? "true" : undefined}
          aria-busy={name === pending ? "true" : undefined}
          onClick={(event) => follow(event, name)}
        >
          {RANGE_NAMES[name]}
        </a>
      ))}
    </div>
  );
}
