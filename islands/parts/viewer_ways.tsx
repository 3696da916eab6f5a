/** @jsxImportSource preact */
import { isPlainClick } from "../browser/plain_click.ts";

/** Ways to look for recordings. */
export type ViewerWay = "trips" | "moments" | "map";

const WAYS: readonly (readonly [way: ViewerWay, path: string, name: string])[] = [
  ["trips", "/viewer", "Trips"],
  ["moments", "/viewer?list=moments", "Moments"],
  ["map", "/map", "Map"],
];

interface ViewerWaysProps {
  readonly current: ViewerWay;
  /** Takes one that this page has, in place of loading it. @returns whether it does */
  readonly take?: (way: ViewerWay) => boolean;
}

/** Ways to look for recordings: by time, by what happened, or by place. */
export function ViewerWays({ current, take }: ViewerWaysProps) {
  return (
    <nav class="seg ways" aria-label="Ways to look">
      {WAYS.map(([way, path, name]) => (
        <a
          key={way}
          href={path}
          aria-current={way === current ? "page" : undefined}
          onClick={(click) => {
            if (isPlainClick(click) && take?.(way)) click.preventDefault();
          }}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
