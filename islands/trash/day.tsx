/** @jsxImportSource preact */

import { useComputed } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { amountInWords, type TrashDayHead } from "../../server/domain/retention/deletion.ts";
import { headingOfDay, type ReadAt, spanOfDay } from "../../server/domain/retention/trash_text.ts";
import { counted, formatCount } from "../../server/domain/text/format.ts";
import { ForChange } from "../parts/may_change.tsx";
import { useFocusHandover } from "../viewer/focus_handover.tsx";
import { partOf } from "./choice.ts";
import { STEP } from "./contents.ts";
import { focusTargetOf } from "./focus.ts";
import { Row } from "./row.tsx";
import type { Trash } from "./trash.ts";

interface DayProps {
  readonly trash: Trash;
  readonly day: TrashDayHead;
  readonly readAt: ReadAt;
}

/** Recordings deleted on one day: when they leave, their amount, and the rows that are shown. */
export function Day({ trash, day, readAt }: DayProps) {
  const title = `trash-${day.date}`;
  return (
    <section class="trash-day" aria-labelledby={title}>
      <div class="section-head">
        <DayPick trash={trash} day={day} readAt={readAt} />
        <h2 id={title}>{headingOfDay(day, readAt)}</h2>
        <span class="small quiet">
          {spanOfDay(day, readAt)} · {amountInWords(day.amount)}
        </span>
      </div>
      <Rows trash={trash} day={day} readAt={readAt} />
    </section>
  );
}

/** Chooses all of the day, also what is not shown. */
function DayPick({ trash, day, readAt }: DayProps) {
  const part = useComputed(() => partOf(trash.choice.value, day.date)).value;
  const place = useFocusHandover<HTMLLabelElement>(() => focusTargetOf(trash, "pick"));
  return (
    <ForChange>
      <label class="pick needs-script" ref={place}>
        <input
          type="checkbox"
          checked={part === "all"}
          indeterminate={part === "some"}
          onClick={(event) => trash.chooseDay(day.date, event.currentTarget.checked)}
        />
        <span class="sr">
          Select all {counted(day.entries, "clip")} of {spanOfDay(day, readAt)}
        </span>
      </label>
    </ForChange>
  );
}

function Rows({ trash, day, readAt }: DayProps) {
  // Rows speak of days only.
  const today = useMemo(() => readAt, [readAt.zone.id, readAt.zone.dayNumber(readAt.now)]);
  const list = useRef<HTMLUListElement>(null);
  /** Number of rows when more were asked for. */
  const before = useRef<number | null>(null);
  const shown = day.recordings.length;
  const left = day.entries - shown;
  const isComing = useComputed(() => trash.coming.value.has(day.date)).value;
  useLayoutEffect(() => {
    if (before.current === null || shown <= before.current) return;
    const { activeElement } = document;
    // A focus that has gone on meanwhile stays there.
    if (activeElement === document.body || list.current?.contains(activeElement))
      list.current?.children[before.current]?.querySelector("input")?.focus({ preventScroll: true });
    before.current = null;
  }, [shown]);
  return (
    <ul class="trash-list" ref={list}>
      {day.recordings.map((recording) => (
        <Row
          key={`${recording.key} ${recording.deleted_at}`}
          trash={trash}
          date={day.date}
          recording={recording}
          readAt={today}
        />
      ))}
      {left > 0 && (
        <li class="list-more needs-script" key="more">
          <button
            class="text-b"
            type="button"
            aria-busy={isComing}
            onClick={() => {
              before.current = shown;
              void trash.more(day.date);
            }}
          >
            {left <= STEP ? `Show ${formatCount(left)} more` : `Show ${STEP} more (${formatCount(left)} left)`}
          </button>
        </li>
      )}
    </ul>
  );
}
