/** @jsxImportSource preact */
import { counted, formatBytes } from "../../server/domain/format.ts";
import type { StorageHealth } from "../../server/domain/health.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { State } from "../parts/state.tsx";

const ID = "storage-card";
const TITLE = "Storage";

/** The destination's disk: what is free, how full it is, and how many recordings are there. */
export function StorageCard({ poll, ...health }: StorageHealth & Polled) {
  if (!health.available) {
    return (
      <Cell id={ID} title={TITLE} poll={poll} aside={<State mood="attention" word="not available" />}>
        <p class="big">No recordings folder</p>
        <p class="soft">{health.reason}</p>
      </Cell>
    );
  }
  const { destination, total_bytes, free_bytes, used_percent, recording_count } = health;
  return (
    <Cell id={ID} title={TITLE} poll={poll}>
      <p class="big">
        {formatBytes(free_bytes)} <small>free of {formatBytes(total_bytes)}</small>
      </p>
      <meter class="level" min={0} max={100} value={used_percent} aria-label="Disk used">
        {used_percent}&nbsp;%
      </meter>
      <p class="small soft">{used_percent}&nbsp;% used</p>
      <p class="cell-foot">
        {counted(recording_count, "recording")} in <span class="mono">{destination}</span>
      </p>
    </Cell>
  );
}
