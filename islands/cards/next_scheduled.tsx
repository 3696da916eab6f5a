/** @jsxImportSource preact */
import type { NextScheduled } from "../../server/domain/status/card_data.ts";
import { aheadInWords } from "../../server/domain/text/format.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { State } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";

interface NextScheduledProps extends NextScheduled, Polled {
  /** False while no camera's address is set: then the schedule starts nothing. */
  readonly has_camera?: boolean;
}

/** Time of the next scheduled run, and the schedule it follows. */
export function NextScheduledCard({ poll, has_camera = true, ...next }: NextScheduledProps) {
  const { paused, cron_expression, timezone, words, zone } = next;
  const aside = paused ? <State level="attention" word="Paused" /> : null;
  return (
    <Cell id="next-scheduled-card" title="Next run" poll={poll} aside={aside}>
      {!has_camera ? <NoCamera paused={paused} /> : paused ? <Paused /> : <Coming {...next} />}
      <p class="cell-foot">
        <code>{cron_expression}</code> · {words.charAt(0).toLowerCase() + words.slice(1)}
        {timezone !== zone.id && ` · ${timezone}`}
      </p>
    </Cell>
  );
}

function NoCamera({ paused }: Pick<NextScheduled, "paused">) {
  return (
    <>
      <p class="big">None yet</p>
      <p class="soft">
        {paused
          ? "Set the camera’s address, then resume the schedule."
          : "Runs start once the camera’s address is set."}
      </p>
    </>
  );
}

function Paused() {
  return (
    <>
      <p class="big">Paused</p>
      <p class="soft">No scheduled run starts. Sync now still works.</p>
    </>
  );
}

function Coming({ at, now, zone, on_arrival }: NextScheduled) {
  if (at === null) return <p class="big">{on_arrival ? "When the camera comes" : "The schedule never comes round"}</p>;
  return (
    <>
      <p class="big">
        <Time at={at} zone={zone}>
          {zone.clock(at)}
        </Time>
        , {aheadInWords((at - now) / 1000)}
      </p>
      <p class="soft">
        {zone.dayInWords(at, now)}, {zone.name(at)}
        {on_arrival && ". Sooner when the camera comes."}
      </p>
    </>
  );
}
