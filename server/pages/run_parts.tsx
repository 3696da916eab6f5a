/** @jsxImportSource preact */

import { Figure } from "../../islands/parts/figure.tsx";
import { Icon } from "../../islands/parts/icon.tsx";
import { ChangeButton } from "../../islands/parts/may_change.tsx";
import { Reading } from "../../islands/parts/reading.tsx";
import type { App } from "../app.ts";
import { GUIDE_PLACES } from "../domain/guide/places.ts";
import { spanOfNames } from "../domain/runs/run_causes.ts";
import type { RunCause, RunDetail } from "../domain/runs/run_detail.ts";
import { tookInWords } from "../domain/runs/run_text.ts";
import { counted, formatBytes, formatCount, formatRate } from "../domain/text/format.ts";
import type { TimeFormat } from "../domain/text/time_format.ts";
import type { LaterRun } from "./run_action.tsx";
import type { RoomNeeded } from "./run_around.ts";

/** Between two parts of the bar. */
const GAP_PERCENT = 0.3;

/** The new recordings by what became of them, in one bar. */
export function RunBar({ work }: { readonly work: NonNullable<RunDetail["work"]> }) {
  const parts = PARTS.map(({ of, name, words }) => ({ of, name, count: work[of], words })).filter(
    ({ count }) => count > 0,
  );
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  let from = 0;
  const label = parts.map(({ count, words }) => `${formatCount(count)} ${words}`).join(", ");
  return (
    <div>
      <svg
        class="stackbar"
        role="img"
        aria-label={`${counted(work.planned + work.left_out, "new recording")}: ${label}`}
      >
        {parts.map(({ of, count }) => {
          const x = from;
          const share = (100 * count) / all;
          from += share;
          // A gap between two, and something to see also of one in a thousand.
          const width = Math.max(0.3, share - GAP_PERCENT);
          return (
            <rect
              key={of}
              class={`rb-${of}`}
              x={`${x + GAP_PERCENT / 2}%`}
              y="4"
              width={`${width}%`}
              height="20"
              rx="3"
            />
          );
        })}
      </svg>
      <ul class="keys">
        {parts.map(({ of, name, count }) => (
          <li key={name}>
            <svg viewBox="0 0 20 10" class="key-s" aria-hidden="true">
              <rect class={`rb-${of}`} x="1" y="1" width="18" height="8" rx="2" />
            </svg>
            {name} <b class="strong">{formatCount(count)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
const PARTS = [
  { of: "downloaded", name: "Downloaded", words: "downloaded" },
  { of: "failed", name: "Failed", words: "failed" },
  { of: "waiting", name: "Waiting", words: "waiting" },
  { of: "missing", name: "Missing", words: "missing" },
  { of: "left_out", name: "Left out", words: "left out" },
] as const;

/** Recordings that did not come, for whatever cause. */
export function missingOf({ planned, downloaded, left_out }: NonNullable<RunDetail["work"]>): number {
  return planned - downloaded + left_out;
}

interface RunReadingsProps {
  readonly detail: RunDetail;
  /** Bytes that the rest would take, of a run that the disk ended; null otherwise. */
  readonly needed: number | null;
}

/** Shows the results of a run in figures. */
export function RunReadings({ detail, needed }: RunReadingsProps) {
  const { recordings, files, bytes, duration_seconds: took, listed, work, dry_run } = detail;
  return (
    <dl class="readings run-readings">
      {work && <Reading name="New on the camera">{formatCount(work.planned + work.left_out)}</Reading>}
      {recordings !== null && (
        <Reading name={dry_run ? "Recordings that would come" : "Downloaded"}>{formatCount(recordings)}</Reading>
      )}
      {work && <Reading name="Not downloaded">{formatCount(missingOf(work))}</Reading>}
      {recordings === null && !dry_run && <Reading name="Files brought">{formatCount(files)}</Reading>}
      {!dry_run && (
        <Reading name="Size">
          <Figure text={formatBytes(bytes)} />
        </Reading>
      )}
      {needed !== null && needed > 0 && (
        <Reading name="Still needed">
          <Figure text={formatBytes(needed)} />
        </Reading>
      )}
      <Reading name="Took">
        {tookInWords(took)} {bytes > 0 && took > 0 && <small>{formatRate(bytes / took)}</small>}
      </Reading>
      {listed > 0 && (
        <Reading name="On the camera">
          <Figure text={counted(listed, "recording")} />
        </Reading>
      )}
    </dl>
  );
}

interface CauseProps {
  readonly cause: RunCause;
  readonly thisYear: number;
  /** In which times are written. */
  readonly format: TimeFormat;
  /** Number of them that can be brought once, although the settings leave them out. */
  readonly once: number;
  /** The run that came after this one, by when it began; null where there is none. */
  readonly later: LaterRun | null;
}

/** A cause that recordings share which did not come and did not fail: one row, with their names behind it. */
export function Cause({
  cause: { cause, title, sentence, recordings, names },
  thisYear,
  format,
  once,
  later,
}: CauseProps) {
  const isWhole = names.length === recordings;
  const isLost = cause === "vanished" || cause === "empty";
  const way = WAYS[cause];
  return (
    <li class={isLost ? "cause is-failed" : "cause is-waiting"}>
      <div class="cause-head">
        <Icon name={isLost ? "s-failed" : "s-waiting"} />
        <h3>
          {title} {isWhole && <small>{spanOfNames(names[0] ?? "", names.at(-1) ?? "", thisYear, format)}</small>}
        </h3>
        <p>
          {sentence}
          {once > 0 && " Recordings downloaded once are protected: no rule deletes them."}
        </p>
        <div class="cause-do">
          {way && (
            <a class="b b-quiet" href={way.href}>
              {way.label}
            </a>
          )}
          {once > 0 && (
            <ChangeButton class="b b-quiet" type="submit" name="once" value={cause}>
              Download {formatCount(once)} once
            </ChangeButton>
          )}
          {cause === "waiting" && later && (
            <a class="b b-quiet" href={later.href}>
              Show the run of {later.began}
            </a>
          )}
          <a class="b b-quiet" href={isLost ? GUIDE_PLACES.lost : GUIDE_PLACES.left_out}>
            Help
          </a>
        </div>
      </div>
      {names.length > 0 && (
        <details class="cause-names">
          <summary>
            {names.length < recordings ? `The first ${formatCount(names.length)} of them` : "Show their names"}
          </summary>
          <ul class="names">
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
const WAYS: Partial<Record<RunCause["cause"], { readonly href: string; readonly label: string }>> = {
  vanished: { href: "/help/missing", label: "Prevent this" },
  retention: { href: "/settings#retention", label: "Change keep times" },
  selection: { href: "/settings#sync", label: "Change what is downloaded" },
  deleted: { href: "/trash", label: "Look in the trash" },
  unreadable: { href: "/logs?level=warning", label: "Open the log" },
};

interface SpaceLinksProps {
  readonly app: Pick<App, "settings">;
  readonly space: RoomNeeded;
}

/** Percent more of the disk that are offered, and the most that are. */
const MORE_PERCENT = 5;
const FULLEST_PERCENT = 98;

/** Shows places that space could come from, for a run that the disk ended. */
export function SpaceLinks({ app: { settings }, space: { needed, total, free, used, trash } }: SpaceLinksProps) {
  const { max_used_disk_percent: most } = settings.current.retention;
  // A limit below what is used already would stop at once.
  const now = Math.max(most, used);
  const more = Math.min(FULLEST_PERCENT, Math.ceil(now) + MORE_PERCENT);
  // A limit above what can be written frees nothing.
  const gain = total === null || free === null ? 0 : Math.min(free, (total * (more - now)) / 100);
  const gained = gain > 0 ? gain : null;
  return (
    <section class="run-space" aria-labelledby="run-space">
      <div class="section-head">
        <h3 id="run-space">Where space could come from</h3>
        {needed !== null && needed > 0 && <span class="small quiet">Needed: {formatBytes(needed)}</span>}
      </div>
      <div class={trash.recordings > 0 ? "cluster cluster-3" : "cluster cluster-2"}>
        {trash.recordings > 0 && (
          <div class="cell">
            <p>The trash</p>
            <p class="big">
              <Figure text={formatBytes(trash.bytes ?? 0)} />
            </p>
            <p class="small soft">{counted(trash.recordings, "recording")}. They cannot be restored after this.</p>
            <p class="row">
              <a class="b" href="/trash">
                Delete {counted(trash.recordings, "recording")}…
              </a>
            </p>
          </div>
        )}
        <div class="cell">
          <p>Keep times</p>
          <p class="small soft">With a shorter keep time the next scheduled run deletes.</p>
          <p class="row">
            <a class="b" href="/settings#retention">
              Change keep times
            </a>
          </p>
        </div>
        <div class="cell">
          <p>The limit</p>
          {gained !== null && (
            <p class="big">
              <Figure text={formatBytes(gained)} />
            </p>
          )}
          <p class="small soft">
            {gained === null
              ? `Downloading stops at ${most}\u00a0% of the disk.`
              : `With “Stop downloading at” ${more}\u00a0% instead of ${most}\u00a0%.`}
          </p>
          <p class="row">
            <a class="b" href="/settings#retention">
              Change the limit
            </a>
          </p>
        </div>
      </div>
    </section>
  );
}
