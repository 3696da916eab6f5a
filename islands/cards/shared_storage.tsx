/** @jsxImportSource preact */
import { freeInWords } from "../../server/domain/runs/disk_space.ts";
import {
  type DiskPart,
  levelOfDisk,
  partsOfDisk,
  type SharedDisk,
  type SharedStorage,
  stopsInWords,
  tooMuchTogether,
} from "../../server/domain/status/shared_storage.ts";
import { formatBytes } from "../../server/domain/text/format.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { Plate, Whose } from "../parts/plate.tsx";
import { State } from "../parts/state.tsx";

const WORDS = { failed: "Full", attention: "Nearly full" } as const;

/** The disks of several cameras: what is free, and how much of it each camera's recordings take. */
export function SharedStorageCard({ disks, missing, zone, poll }: SharedStorage & Polled) {
  const levels = disks.map(levelOfDisk);
  const level = levels.includes("failed") ? "failed" : levels.includes("attention") ? "attention" : "fine";
  const isTooMuch = disks.some((disk) => tooMuchTogether(disk) !== "");
  const aside =
    level !== "fine" ? (
      <State level={level} word={WORDS[level]} />
    ) : isTooMuch ? (
      <State level="attention" word="Too little room" />
    ) : missing.length > 0 ? (
      <State level="attention" word="Not available" />
    ) : null;
  return (
    <Cell id="storage-card" title="Storage" poll={poll} class="cell-disks" aside={aside}>
      {disks.map((disk) => (
        <Disk key={disk.cameras[0]?.camera.id} disk={disk} isOnly={disks.length === 1} zone={zone} />
      ))}
      {missing.length > 0 && (
        <div>
          <p class="soft">
            {missing.map((camera) => (
              <Whose key={camera.id} camera={camera} />
            ))}
          </p>
          <p class="small soft">
            {missing.length === 1 ? "The folder is not available." : "The folders are not available."} Is the disk
            mounted?
          </p>
        </div>
      )}
    </Cell>
  );
}

interface DiskProps {
  readonly disk: SharedDisk;
  /** The only one of all cameras that are there. */
  readonly isOnly: boolean;
  readonly zone: ZoneTime;
}

function Disk({ disk, isOnly, zone }: DiskProps) {
  const { space, used_percent: used, cameras } = disk;
  const free = freeInWords(space);
  const parts = partsOfDisk(disk);
  const stops = [...new Set(cameras.map(({ stops_at_percent: percent }) => percent))];
  const limits = stopsInWords(cameras, zone);
  const fills = parts === null ? "" : `: ${parts.filter(isSeen).map(inWords).join(", ")}`;
  const shared =
    !isOnly || cameras.length < 2 ? "" : cameras.length === 2 ? "One disk for both. " : "One disk for all. ";
  const tooMuch = tooMuchTogether(disk);
  return (
    <div class="disk">
      <p class="big">
        {free === null ? (
          <>
            Unknown <small>how much is free</small>
          </>
        ) : (
          <>
            {free} <small>free of {formatBytes(space.total_bytes)}</small>
          </>
        )}
      </p>
      <div
        role="meter"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={used}
        aria-label={`${used}\u00a0% of the disk used${fills}. ${limits}`}
      >
        <svg class="level" aria-hidden="true">
          <rect class="track" x="0" y="6" width="100%" height="12" rx="6" />
          <Used parts={parts} used={used} />
          {stops.map((percent) => (
            <line key={percent} class="mark" x1={`${percent}%`} x2={`${percent}%`} y1="1" y2="23" />
          ))}
        </svg>
      </div>
      <ul class="keys">
        {cameras.map(({ camera, bytes }) => (
          <li key={camera.id}>
            <Plate camera={camera} />
            {camera.name} {bytes === null ? "not known yet" : formatBytes(bytes)}
          </li>
        ))}
        {(parts ?? []).map(
          ({ of, bytes }) =>
            (of === "trash" || of === "others") &&
            bytes > 0 && (
              <li key={of}>
                <svg viewBox="0 0 20 10" aria-hidden="true">
                  <rect class={`w-${of}`} x="1" y="1" width="18" height="8" rx="2" />
                </svg>
                {NAMES[of]} {formatBytes(bytes)}
              </li>
            ),
        )}
      </ul>
      {tooMuch !== "" && <p class="small">{tooMuch}</p>}
      <p class="cell-foot">
        {shared}
        {limits}
      </p>
    </div>
  );
}

const NAMES = { trash: "Trash", others: "Other files" } as const;

/** The used part of a disk in the colours of its cameras; in one colour while it is not known what fills it. */
function Used({ parts, used }: { readonly parts: readonly DiskPart[] | null; readonly used: number }) {
  const seen = parts?.filter(isSeen) ?? [];
  const end = seen.reduce((sum, { width }) => sum + width, 0);
  const width = parts === null ? used : end;
  return (
    <>
      {parts === null && <rect class="w-others" y="6" width={`${width}%`} height="12" rx="6" />}
      {/* Round ends are drawn by whole bars, each over what follows it. */}
      {seen.toReversed().map(({ of, from, width: own }) => (
        <rect
          key={typeof of === "string" ? of : of.id}
          class={typeof of === "string" ? `w-${of}` : `w-fill w${(of.place % 6) + 1}`}
          y="6"
          width={`${from + own}%`}
          height="12"
          rx="6"
        />
      ))}
      {seen.slice(1).map(({ from }) => (
        <line key={from} class="w-sep" x1={`${from}%`} x2={`${from}%`} y1="6" y2="18" />
      ))}
    </>
  );
}

function isSeen({ bytes }: DiskPart): boolean {
  return bytes > 0;
}

function inWords({ of, bytes }: DiskPart): string {
  const name = typeof of === "string" ? NAMES[of].toLowerCase() : of.name;
  return `${name} ${formatBytes(bytes)}`;
}
