/** @jsxImportSource preact */
import { counted, formatBytes, formatCount, formatDate } from "../../server/domain/format.ts";
import type { StorageHealth, StorageOutlook } from "../../server/domain/health.ts";
import { keepInWords } from "../../server/domain/keep_words.ts";
import type { Mood } from "../../server/domain/mood.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { Level } from "../parts/level.tsx";
import { State } from "../parts/state.tsx";

const ID = "storage-card";
const TITLE = "Storage";
/** So many percent below the threshold it is time to think about it. */
const NEAR = 5;

/** The destination's disk: what is free, how full it is and may become, and how many recordings are there. */
export function StorageCard({ poll, health, ...outlook }: StorageOutlook & Polled) {
  if (!health.available) {
    return (
      <Cell id={ID} title={TITLE} poll={poll} aside={<State mood="attention" word="Not available" />}>
        <p class="big">No recordings folder</p>
        <p class="soft">
          <data value={health.reason}>{REASONS[health.reason] ?? health.reason}</data>
        </p>
        <p class="cell-foot">
          <a href="/settings#system">Which folder it is</a>
        </p>
      </Cell>
    );
  }
  const { destination, total_bytes, free_bytes, used_percent, recording_count } = health;
  const mood = moodOf(health, outlook.stops_at_percent);
  const aside = mood === "fine" ? null : <State mood={mood} word={mood === "failed" ? "Full" : "Nearly full"} />;
  const stops = outlook.stops_at_percent;
  return (
    <Cell id={ID} title={TITLE} poll={poll} aside={aside}>
      <p class="big">
        {formatBytes(free_bytes)} <small>free of {formatBytes(total_bytes)}</small>
      </p>
      <Level
        mood={mood}
        value={used_percent}
        mark={stops}
        name={`${used_percent} % of the disk used; syncing stops at ${stops} %`}
      />
      <p class="small soft">
        {used_percent}&nbsp;% used. <Ahead {...outlook} isFull={mood === "failed"} />
      </p>
      <p class="cell-foot" title={destination}>
        {counted(recording_count, "recording")}, {keepInWords(outlook.keep)}
        <br />
        <Trash {...outlook.trash} />
      </p>
    </Cell>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  "destination not configured": "The first sync makes it.",
  "the disk cannot be read": "See whether it is still mounted.",
};

function Ahead({
  stops_at_percent: stops,
  full_at: at,
  time_zone,
  isFull,
}: Omit<StorageOutlook, "health"> & { isFull: boolean }) {
  if (isFull) return <>Syncing is stopped at {stops}&nbsp;%.</>;
  if (at === null) return <>Syncing stops at {stops}&nbsp;%.</>;
  return (
    <>
      Syncing stops at {stops}&nbsp;%, about <b class="strong nowrap">{formatDate(at, time_zone)}</b>.
    </>
  );
}

function moodOf({ used_percent }: Extract<StorageHealth, { available: true }>, stops: number): Mood {
  if (used_percent >= stops) return "failed";
  return used_percent >= stops - NEAR ? "attention" : "fine";
}

/** It is on the same disk; the line is always there, so that nothing moves when something is deleted. */
function Trash({ recordings, bytes, days }: StorageOutlook["trash"]) {
  if (recordings === 0) return days === 0 ? <>No trash: what is deleted is gone</> : <>Nothing in the trash</>;
  return (
    <a href="/trash">
      {formatCount(recordings)} in the trash, {formatBytes(bytes)}
    </a>
  );
}
