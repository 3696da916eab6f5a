/** @jsxImportSource preact */

/** The statistics pages in the order of their row. */
const STATS_PAGES = [
  { path: "/stats", name: "Runs" },
  { path: "/stats/coverage", name: "Was anything missed?" },
  { path: "/stats/card", name: "The card" },
] as const;

interface StatsNavProps {
  /** The page that is on show. */
  readonly current: (typeof STATS_PAGES)[number]["path"];
  /** The page is about all cameras at once. */
  readonly isAll?: boolean;
}

/** The row that leads from one statistics page to another. */
export function StatsNav({ current, isAll = false }: StatsNavProps) {
  return (
    <nav class="seg" aria-label="Statistics">
      {STATS_PAGES.map(({ path, name }) => (
        <a key={path} href={isAll ? `${path}?camera=all` : path} aria-current={path === current ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
