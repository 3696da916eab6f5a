/** @jsxImportSource preact */

import { useEffect } from "preact/hooks";
import { amountInWords } from "../../../server/domain/retention/deletion.ts";
import { datesAlong, lanesOf } from "../../../server/domain/retention/deletion_picture.ts";
import type { RetentionPreview } from "../../../server/domain/retention/deletion_schema.ts";
import { goingInWords, KIND_NAMES, type ValidPreview } from "../../../server/domain/retention/retention_text.ts";
import { counted, formatBytes, formatCount } from "../../../server/domain/text/format.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import { dateOf, wallOf } from "../../../server/domain/text/zone_time.ts";
import { Icon } from "../../parts/icon.tsx";
import { Note } from "../../parts/note.tsx";
import { KIND_LOOKS } from "../../parts/recording_type.tsx";
import { useAsked } from "../asked.ts";
import { dueInWords, nextRun, previewPath, touchesRules, trashDays } from "./keep_state.ts";
import type { KeepState } from "./shared.ts";

/** Time that an answer holds: recordings come and go, and at midnight another day is the oldest. */
const HOLDS_MS = 60_000;
/** Pause before the next question when nothing could be counted. */
const UNKNOWN_MS = 3000;

/** Recordings that the next scheduled run would delete with the typed values, as numbers and as a picture over time. */
export function Picture({ keep }: { readonly keep: KeepState }) {
  const path = previewPath(keep.at, "draft");
  // An ended session is known already: it is not asked for again every minute.
  const { answer, isStale } = useAsked<RetentionPreview>(
    keep.isSignedOut.value ? null : path,
    keep.preview.peek().answer,
    {
      holdsMs: (known) => (known.valid && known.recordings === null ? UNKNOWN_MS : HOLDS_MS),
      drawnFor: keep.drawnFor,
      round: keep.round.value,
    },
  );
  useEffect(() => {
    keep.preview.value = { answer, isStale };
  }, [answer, isStale]);
  const deletes = dueInWords(keep, { answer, isStale });
  useEffect(() => {
    keep.deletes.value = deletes;
  }, [deletes]);
  const { state } = keep.standing.value;
  const at = nextRun(keep);
  return (
    <div class="cluster">
      <section class="cell" aria-labelledby="preview-title">
        <div class="cell-head">
          <h2 id="preview-title">What the next run will delete{at !== null && `, ${at}`}</h2>
          <Keys isFinal={trashDays(keep) === 0} />
        </div>
        <div class={isStale ? "stale" : undefined} aria-busy={isStale}>
          {answer.valid ? <Due keep={keep} preview={answer} /> : <p class="big">{answer.problem}</p>}
        </div>
        {path === null && <p class="cell-foot">Correct the marked values above to see what it would delete.</p>}
        {state.problem !== null && <Note level="attention" title={state.problem} class="note-gap" />}
        {state.held !== null && (
          <Note level="attention" title="Deletion is on hold." class="note-gap">
            <span>
              {amountInWords(state.held)} {state.held.recordings === 1 ? "waits" : "wait"} for your approval{" "}
              <a href="/">on the dashboard</a>. Saving a change here approves, too.
            </span>
          </Note>
        )}
      </section>
    </div>
  );
}

function Keys({ isFinal }: { readonly isFinal: boolean }) {
  return (
    <ul class="keys">
      <li>
        <svg viewBox="0 0 20 10" aria-hidden="true">
          <rect class="pv-stay ty-n" x="1" y="1" width="4" height="8" rx="1" />
          <rect class="pv-stay ty-n" x="7" y="3" width="4" height="6" rx="1" />
        </svg>
        Stays
      </li>
      <li>
        <svg viewBox="0 0 20 10" aria-hidden="true">
          <rect class="pv-go" x="1" y="1" width="4" height="8" rx="1" />
          <rect class="pv-go" x="7" y="3" width="4" height="6" rx="1" />
        </svg>
        {isFinal ? "Is deleted" : "Goes to the trash"}
      </li>
      <li>
        <svg viewBox="0 0 20 10" aria-hidden="true">
          <path class="pv-cut" d="M10 0V10" />
        </svg>
        Keep time ends
      </li>
    </ul>
  );
}

function Due({ keep, preview }: { readonly keep: KeepState; readonly preview: ValidPreview }) {
  const { recordings, bytes, forecast } = preview;
  const isUnsaved = touchesRules(keep);
  const { disk } = keep.standing.value;
  if (recordings === null || forecast === null)
    return (
      <p class="big">Dashdock cannot count now. The recordings folder cannot be read, or is still being measured.</p>
    );
  const share = disk === null || bytes === null ? null : (100 * bytes) / disk.total_bytes;
  return (
    <>
      <p class="big" role="status">
        {recordings === 0 ? (
          <b class="pv-sum">Nothing</b>
        ) : (
          <>
            <b class="pv-sum">{amountInWords({ recordings, bytes })}</b>{" "}
            <small>
              {goes(keep, preview)}
              {share !== null && share >= 0.05 && `, ${Math.round(share * 10) / 10}\u00a0% of the disk`}
            </small>
          </>
        )}
      </p>
      {forecast.bars.length > 0 && <Lanes preview={preview} forecast={forecast} format={keep.format} />}
      <p class="cell-foot">
        As the page stands now, unsaved changes and limits included.{" "}
        {recordings > 0 && !isUnsaved && (
          <a href="/viewer?only=due">
            {recordings === 1 ? "Look at it" : `Look through all ${formatCount(recordings)}`}
          </a>
        )}
      </p>
    </>
  );
}

/** Says when and how recordings are deleted, or why they are not. */
function goes(keep: KeepState, { dry_run, recordings }: ValidPreview): string {
  if (dry_run) return "would go. This is a dry run: nothing is deleted";
  if (keep.standing.value.state.held !== null) return `${recordings === 1 ? "is" : "are"} due. Deletion is on hold`;
  return goingInWords(recordings ?? 0, trashDays(keep));
}

interface LanesProps {
  readonly preview: ValidPreview;
  readonly forecast: NonNullable<ValidPreview["forecast"]>;
  readonly format: TimeFormat;
}

function Lanes({ forecast, format }: LanesProps) {
  return (
    <>
      <dl class="pv-grid">
        {lanesOf(forecast).map(({ kind, bars, cut }) => {
          const { due, here, cutoff } = forecast.kinds[kind];
          const [look, icon] = KIND_LOOKS[kind];
          return (
            <div class="pv-row" key={kind}>
              <dt>
                <span class={`type ${look}`}>
                  <Icon name={icon} />
                  {KIND_NAMES[kind]}
                </span>
              </dt>
              <dd class="pv-lane">
                <svg
                  class="pv"
                  role="img"
                  aria-label={laneInWords(KIND_NAMES[kind], due, here.recordings, cutoff, format)}
                >
                  <line class="pv-base" x1="0" x2="100%" y1="100%" y2="100%" />
                  {bars.map(({ x, width, stays, goes }) => (
                    <g key={x}>
                      {stays > 0 && (
                        <rect
                          class={`pv-stay ${look}`}
                          x={`${x}%`}
                          y={`${100 - stays}%`}
                          width={`${width}%`}
                          height={`${stays}%`}
                          rx="1"
                        />
                      )}
                      {goes > 0 && (
                        <rect
                          class="pv-go"
                          x={`${x}%`}
                          y={`${100 - stays - goes}%`}
                          width={`${width}%`}
                          height={`${goes}%`}
                          rx="1"
                        />
                      )}
                    </g>
                  ))}
                  {cut !== null && <line class="pv-cut" x1={`${cut}%`} x2={`${cut}%`} y1="-6%" y2="106%" />}
                </svg>
              </dd>
              <dd class={due.recordings > 0 ? "pv-n pv-bad" : "pv-n"}>
                {due.recordings === 0
                  ? "none"
                  : [formatCount(due.recordings), due.bytes !== null && formatBytes(due.bytes)]
                      .filter(Boolean)
                      .join(" · ")}
              </dd>
            </div>
          );
        })}
      </dl>
      <div class="pv-axis" aria-hidden="true">
        {datesAlong(forecast, format).map((date) => (
          <span key={date}>{date}</span>
        ))}
      </div>
    </>
  );
}

function laneInWords(
  name: string,
  due: { readonly recordings: number; readonly bytes: number | null },
  here: number,
  cutoff: string | null,
  format: TimeFormat,
): string {
  const stay = `${counted(here - due.recordings, "recording")} ${here - due.recordings === 1 ? "stays" : "stay"}`;
  const goes = due.recordings === 0 ? "none goes" : `${amountInWords(due)} ${due.recordings === 1 ? "goes" : "go"}`;
  const from = cutoff === null ? "" : `, kept from ${dateOf(wallOf(Date.parse(cutoff)), format)} on`;
  return `${name}: ${goes}, ${stay}${from}`;
}
