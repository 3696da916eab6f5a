/** @jsxImportSource preact */

import { keepInWords } from "../../server/domain/retention/keep_text.ts";
import { isTooEarly, waitsForDays } from "../../server/domain/runs/disk_forecast.ts";
import { endOfSpace, freeInWords, isSpaceUsedUp, withheldInWords } from "../../server/domain/status/disk_space.ts";
import type { StorageHealth, StorageOutlook } from "../../server/domain/status/health.ts";
import type { StatusLevel } from "../../server/domain/status/status_level.ts";
import { counted, formatBytes, formatCount } from "../../server/domain/text/format.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { Level } from "../parts/level.tsx";
import { State } from "../parts/state.tsx";

const ID = "storage-card";
const TITLE = "Storage";
/** From so many percent below the threshold on the card warns. */
const NEAR = 5;

interface StorageCardProps extends StorageOutlook, Polled {
  /** No folder was used before: the first sync makes it. */
  readonly is_first?: boolean;
}

/** The destination's disk: what is free, how full it is and may become, and how many recordings are there. */
export function StorageCard({ poll, health, is_first = false, ...outlook }: StorageCardProps) {
  if (!health.available) {
    if (is_first && health.reason === NO_FOLDER)
      return (
        <Cell id={ID} title={TITLE} poll={poll} aside={<State level="waiting" word="Waiting" />}>
          <p class="big">No folder yet</p>
          <p class="soft">
            <data value={health.reason}>It is made by the first sync.</data>
          </p>
          <p class="cell-foot">
            <a href="/settings#system">Which folder it will be</a>
          </p>
        </Cell>
      );
    return (
      <Cell id={ID} title={TITLE} poll={poll} aside={<State level="attention" word="Not available" />}>
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
  const { destination, total_bytes, used_percent, recording_count } = health;
  const [free, withheld] = [freeInWords(health), withheldInWords(health)];
  const level = levelOf(health, outlook.stops_at_percent);
  const word = level === "failed" ? "Full" : level === "attention" ? "Nearly full" : "Too little room";
  const isEnough = level === "fine" && outlook.too_much === "";
  const aside = isEnough ? null : <State level={level === "failed" ? level : "attention"} word={word} />;
  const stops = outlook.stops_at_percent;
  return (
    <Cell id={ID} title={TITLE} poll={poll} aside={aside}>
      <p class="big">
        {free === null ? (
          <>
            Unknown <small>how much is free</small>
          </>
        ) : (
          <>
            {free} <small>free of {formatBytes(total_bytes)}</small>
          </>
        )}
      </p>
      <Level
        level={level}
        value={used_percent}
        mark={stops}
        name={`${used_percent} % of the disk used; syncing stops at ${stops} %`}
      />
      <p class="small soft">
        {used_percent}&nbsp;% used. <Ahead {...outlook} health={health} />
      </p>
      {withheld !== "" && <p class="small soft">{withheld}</p>}
      {outlook.too_much !== "" && (
        <p class="small">
          {outlook.too_much} <a href="/settings#retention">Change the limits</a>
        </p>
      )}
      <p class="cell-foot" title={destination}>
        {counted(recording_count, "recording")}, {keepInWords(outlook.keep)}
        <br />
        <Trash {...outlook.trash} />
      </p>
    </Cell>
  );
}

const NO_FOLDER = "destination not configured";
const REASONS: Readonly<Record<string, string>> = {
  [NO_FOLDER]: "It was there before. Is its disk mounted?",
  "the disk cannot be read": "See whether it is still mounted.",
};

type Disk = Extract<StorageHealth, { available: true }>;

/** What ends syncing, and when: the limit, or that no more can be written before it is reached. */
function Ahead({ health, stops_at_percent: stops, full_at: at, days_with_runs: days, zone }: AheadProps) {
  if (isOver(health, stops)) return <>Syncing is stopped at {stops}&nbsp;%.</>;
  if (isSpaceUsedUp(health)) return <>Nothing more can be written.</>;
  if (at === null)
    return (
      <>
        Syncing stops at {stops}&nbsp;%. {isTooEarly({ days }) && waitsForDays({ days })}
      </>
    );
  const day = <b class="strong nowrap">{zone.date(at)}</b>;
  if (endOfSpace(health, stops / 100) < stops / 100) return <>At this pace nothing is free from about {day} on.</>;
  return (
    <>
      Syncing stops at {stops}&nbsp;%, about {day}.
    </>
  );
}

interface AheadProps extends StorageOutlook {
  readonly health: Disk;
}

function isOver({ used_percent }: Disk, stops: number): boolean {
  return used_percent >= stops;
}

function levelOf(health: Disk, stops: number): StatusLevel {
  if (isOver(health, stops) || isSpaceUsedUp(health)) return "failed";
  return health.used_percent >= 100 * endOfSpace(health, stops / 100) - NEAR ? "attention" : "fine";
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
