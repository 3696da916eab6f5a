/** @jsxImportSource preact */
export default function StatsCharts(_props: Record<never, never>) {
  return null;
}
