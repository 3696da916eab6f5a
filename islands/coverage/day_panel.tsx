/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { LaneSpan } from "../../server/domain/coverage/day_lanes.ts";
import type { CauseView, DayView } from "../../server/domain/coverage/day_view.ts";
import { Note } from "../parts/note.tsx";
import { State } from "../parts/state.tsx";

interface DayPanelProps {
  readonly day: DayView;
  /** Another day is on its way. */
  readonly isBusy: boolean;
  /** Why another day could not be shown. */
  readonly problem: { readonly date: string; readonly words: string } | null;
  readonly open: (date: string) => void;
  /** Draws what helps against a cause. */
  readonly actionOf: (action: NonNullable<CauseView["action"]>) => ComponentChildren;
}

/** A day: what was recorded, what came home, when the car was there, and why something is lost. */
export function DayPanel({ day, isBusy, problem, open, actionOf }: DayPanelProps) {
  const { causes, viewer } = day;
  const seeDay = viewer !== null && (
    <a class={causes.length > 0 ? "b b-quiet" : "b"} href={viewer}>
      See the day
    </a>
  );
  return (
    <section class="cell" id="day" aria-labelledby="day-title" aria-busy={isBusy}>
      <div class="cell-head">
        <h2 id="day-title">{day.title}</h2>
        <State level={day.level} word={day.state} />
      </div>
      {problem && (
        <Note level="failed" role="alert" class="note-below" title="The day could not be fetched.">
          <p>{problem.words}</p>
          <div class="row">
            <button class="b" type="button" onClick={() => open(problem.date)}>
              Try again
            </button>
          </div>
        </Note>
      )}
      <p class="big">{day.counts}</p>
      {day.lanes.length > 0 && <Lanes day={day} />}
      {causes.map((cause, at) => (
        <Note key={cause.cause} level="failed" class="note-gap" title={cause.title}>
          {cause.sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <div class="row">
            {cause.action && actionOf(cause.action)}
            {at === causes.length - 1 && seeDay}
          </div>
        </Note>
      ))}
      {causes.length === 0 && seeDay && <p class="row cv-see">{seeDay}</p>}
    </section>
  );
}

function Lanes({ day: { lanes, keys, hours } }: Pick<DayPanelProps, "day">) {
  return (
    <>
      <dl class="cv-grid">
        {lanes.map(({ name, words, spans }) => (
          <div key={name} class="cv-row">
            <dt>{name}</dt>
            <dd>
              <svg class="cv" role="img" aria-label={words}>
                <line class="cv-base" x1="0" x2="100%" y1="100%" y2="100%" />
                {spans.map((span) => (
                  <Span key={`${span.is} ${span.x}`} span={span} />
                ))}
              </svg>
            </dd>
          </div>
        ))}
      </dl>
      <div class="cv-axis" aria-hidden="true">
        <div>
          {hours.map((hour, at) => (
            <span key={at}>{hour}</span>
          ))}
        </div>
      </div>
      <ul class="keys">
        {keys.map((key) => (
          <li key={key}>
            <svg viewBox="0 0 20 10" aria-hidden="true">
              <rect class={`cv-${key}`} rx="1.5" {...(key === "car" ? THIN_KEY : KEY)} />
            </svg>
            {KEY_WORDS[key]}
          </li>
        ))}
      </ul>
    </>
  );
}
const KEY = { x: 1.5, y: 1.5, width: 17, height: 7 } as const;
const THIN_KEY = { x: 1, y: 3, width: 18, height: 4 } as const;
const KEY_WORDS = {
  home: "Came home",
  lost: "Overwritten before",
  coming: "Still to come",
  damaged: "Damaged",
  left_out: "Left out by your rules",
  deleted: "Deleted",
  unknown: "Not known",
  car: "On the home Wi-Fi",
} as const;

function Span({ span: { is, x, width, isShort } }: { readonly span: LaneSpan }) {
  const heights = is === "car" ? { y: "35%", height: "30%" } : { y: "15%", height: "70%" };
  return (
    <rect class={isShort ? `cv-${is} cv-short` : `cv-${is}`} x={`${x}%`} width={`${width}%`} rx="1.5" {...heights} />
  );
}
