/** @jsxImportSource preact */

import type { StatusLevel } from "../../server/domain/answers/status_level.ts";
import { keepInWords } from "../../server/domain/retention/keep_text.ts";
import {
  type DiskSpace,
  endOfSpace,
  freeInWords,
  isSpaceUsedUp,
  withheldInWords,
} from "../../server/domain/runs/disk_space.ts";
import { isTooEarly, waitsForDays } from "../../server/domain/runs/disk_trend.ts";
import type { StorageForecast, StorageHealth } from "../../server/domain/status/health.ts";
import { knownAt } from "../../server/domain/status/last_known.ts";
import { counted, formatBytes, formatCount } from "../../server/domain/text/format.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { KnownAt } from "../parts/figure.tsx";
import { Level } from "../parts/level.tsx";
import { State } from "../parts/state.tsx";

const ID = "storage-card";
const TITLE = "Storage";
/** From so many percent below the threshold on the card warns. */
const NEAR = 5;

interface StorageCardProps extends StorageForecast, Polled {
  /** No folder was used before: the first sync makes one, on this disk. Null for a folder that was there and is missing. */
  readonly first?: DiskRoom | null;
}

/** The destination's disk: what is free, how full it is and may become, and how many recordings are there. */
export function StorageCard({ poll, health, first = null, ...forecast }: StorageCardProps) {
  const disk = health.available ? health : health.reason === NO_FOLDER ? first : null;
  if (disk === null) {
    const { reason } = health as Extract<StorageHealth, { available: false }>;
    const { last_known: known } = forecast;
    return (
      <Cell id={ID} title={TITLE} poll={poll} aside={<State level="attention" word="Not available" />}>
        <p class="big unknown">Not known</p>
        {known !== null && known.used_percent !== null ? (
          <>
            <div class="is-unknown">
              <Level
                level="waiting"
                value={known.used_percent}
                mark={forecast.stops_at_percent}
                name={`Not known now; ${known.used_percent} % of the disk was used at ${knownAt(known.at, forecast)}`}
              />
            </div>
            <KnownAt>
              {known.used_percent}&nbsp;% used at {knownAt(known.at, forecast)}
            </KnownAt>
          </>
        ) : (
          <p class="soft">
            <data value={reason}>{REASONS[reason] ?? reason}</data>
          </p>
        )}
        <p class="cell-foot">
          Forecast not available
          <br />
          <a href="/settings#system">Show the folder</a>
        </p>
      </Cell>
    );
  }
  const { total_bytes, used_percent } = disk;
  const free = freeInWords(disk);
  const withheld = withheldInWords(disk);
  const level = levelOf(disk, forecast.stops_at_percent);
  const stops = forecast.stops_at_percent;
  return (
    <Cell id={ID} title={TITLE} poll={poll} aside={asideOf(level, forecast.too_much, health.available)}>
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
        {used_percent}&nbsp;% used. <Ahead {...forecast} disk={disk} />
      </p>
      {isForecastAwaited(forecast, disk) && <p class="small soft">{waitsForDays({ days: forecast.days_with_runs })}</p>}
      {withheld !== "" && <p class="small soft">{withheld}</p>}
      {forecast.too_much !== "" && (
        <p class="small">
          {forecast.too_much} <a href="/settings#retention">Change the limits</a>
        </p>
      )}
      {health.available ? (
        <p class="cell-foot" title={health.destination}>
          {counted(health.recording_count, "recording")}, {keepInWords(forecast.keep)}
          <br />
          <Trash {...forecast.trash} />
        </p>
      ) : (
        <p class="cell-foot">
          <data value={health.reason}>The first sync makes the folder</data>
          <br />
          <a href="/settings#system">Show the folder</a>
        </p>
      )}
    </Cell>
  );
}

function asideOf(level: StatusLevel, tooMuch: string, isThere: boolean) {
  if (level === "failed") return <State level="failed" word="Full" />;
  if (level === "attention") return <State level="attention" word="Nearly full" />;
  if (tooMuch !== "") return <State level="attention" word="Too little room" />;
  return isThere ? null : <State level="waiting" word="No folder yet" />;
}

const NO_FOLDER = "destination not configured";
const REASONS: Readonly<Record<string, string>> = {
  [NO_FOLDER]: "It was there before. Is its disk mounted?",
  "another folder is in its place": "It is not the folder used before. Is its disk mounted?",
  "the disk cannot be read": "See whether it is still mounted.",
};

/** A disk's space, and how full it is. */
export type DiskRoom = DiskSpace & Pick<Extract<StorageHealth, { available: true }>, "used_percent">;

/** Names the cause that will end syncing, and its time: the limit, or a disk that takes no more before that. */
function Ahead({ disk, stops_at_percent: stops, full_at: at, zone }: AheadProps) {
  if (isOver(disk, stops)) return <>Syncing is stopped at {stops}&nbsp;%.</>;
  if (isSpaceUsedUp(disk)) return <>Nothing more can be written.</>;
  if (at === null) return <>Syncing stops at {stops}&nbsp;%.</>;
  const day = <b class="strong nowrap">{zone.date(at)}</b>;
  if (endOfSpace(disk, stops / 100) < stops / 100) return <>At this pace nothing is free from about {day} on.</>;
  return (
    <>
      Syncing stops at {stops}&nbsp;%, about {day}.
    </>
  );
}

/** It has a line of its own, so that no other sentence wraps differently when a day has passed. */
function isForecastAwaited(
  { stops_at_percent, full_at, days_with_runs: days }: AheadForecast,
  disk: DiskRoom,
): boolean {
  return full_at === null && isTooEarly({ days }) && !isOver(disk, stops_at_percent) && !isSpaceUsedUp(disk);
}

type AheadForecast = Omit<StorageForecast, "health">;

interface AheadProps extends AheadForecast {
  readonly disk: DiskRoom;
}

function isOver({ used_percent }: DiskRoom, stops: number): boolean {
  return used_percent >= stops;
}

function levelOf(disk: DiskRoom, stops: number): StatusLevel {
  if (isOver(disk, stops) || isSpaceUsedUp(disk)) return "failed";
  return disk.used_percent >= 100 * endOfSpace(disk, stops / 100) - NEAR ? "attention" : "fine";
}

/** It is on the same disk; the line is always there, so that nothing moves when something is deleted. */
function Trash({ recordings, bytes, days }: StorageForecast["trash"]) {
  if (recordings === null || bytes === null) return <>The contents of the trash are not known</>;
  if (recordings === 0) return days === 0 ? <>No trash: what is deleted is gone</> : <>Nothing in the trash</>;
  return (
    <a href="/trash">
      {formatCount(recordings)} in the trash, {formatBytes(bytes)}
    </a>
  );
}
