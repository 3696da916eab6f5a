/** @jsxImportSource preact */

import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { shortClock } from "../../server/domain/recordings/camera_clock.ts";
import { typeOf } from "../../server/domain/recordings/recording_name.ts";
import type { TrashedRecording } from "../../server/domain/retention/deletion.ts";
import { madeInWords, type ReadAt, whyInWords } from "../../server/domain/retention/trash_text.ts";
import { counted, formatBytes } from "../../server/domain/text/format.ts";
import { Icon } from "../parts/icon.tsx";
import { ChangeButton, ForChange } from "../parts/may_change.tsx";
import { FieldProblem } from "../parts/note.tsx";
import { RecordingType, typeInWords } from "../parts/recording_type.tsx";
import { Shot } from "../parts/shot.tsx";
import { useFocusHandover } from "../viewer/focus_handover.tsx";
import { isChosen, rowOf } from "./choice.ts";
import { focusTargetOf } from "./focus.ts";
import type { Trash } from "./trash.ts";

/** A clip as it is named to those who do not see its row: `Sun 1 Nov, 02:51, Parking`. */
export function nameOf(key: string, readAt: ReadAt): string {
  return `${madeInWords(key, readAt)}, ${typeInWords(typeOf(key))}`;
}

interface RowProps {
  readonly trash: Trash;
  readonly date: string;
  readonly recording: TrashedRecording;
  /** The same object for a whole day: thousands of rows are not drawn anew for another minute. */
  readonly readAt: ReadAt;
  /** Below the day it was recorded on. */
  readonly isOfDay?: boolean;
}

/** One clip in the trash: its picture, when and what, why it is here, its size, and the way back. */
export function Row({ trash, date, recording, readAt, isOfDay = false }: RowProps) {
  const { key, thumb, bytes, recordings } = recording;
  const id = rowOf(date, key);
  const isOn = useComputed(() => isChosen(trash.choice.value, date, key)).value;
  const isBusy = useComputed(() => isRow(trash.task.value?.of, id)).value;
  const problem = useComputed(() => problemOf(trash, key, id)).value;
  const place = useFocusHandover<HTMLLIElement>(() => focusTargetOf(trash, isInPick() ? "pick" : "restore"));
  const words = useMemo(
    () => ({ made: madeInWords(key, readAt), name: nameOf(key, readAt), why: whyInWords(recording, readAt) }),
    [recording, readAt],
  );
  return (
    <li class={isOn ? "is-on" : undefined} data-row={id} ref={place}>
      <ForChange>
        <label class="pick needs-script">
          <input
            type="checkbox"
            checked={isOn}
            onClick={(event) => trash.choose(date, key, event.currentTarget.checked, event.shiftKey)}
          />
          <span class="sr">Select {words.name}</span>
        </label>
      </ForChange>
      <Shot thumb={thumb} type={typeOf(key)} />
      <div>
        <p>
          <b>{isOfDay ? shortClock(key, readAt.zone.format) : words.made}</b> <RecordingType letter={typeOf(key)} />
        </p>
        <p class="soft small">
          {words.why}
          {recordings > 1 && (
            <>
              {" "}
              <span class="cameras nowrap">{counted(recordings, "camera")}</span>
            </>
          )}
        </p>
        {problem !== null && <FieldProblem id={`problem-${id}`} text={problem} />}
      </div>
      <span class="size quiet nowrap">{formatBytes(bytes)}</span>
      <ChangeButton
        class="b b-icon restore needs-script"
        type="button"
        title="Restore"
        aria-label={`Restore ${words.name}`}
        aria-busy={isBusy}
        onClick={() => void trash.workOnOne("restore", date, recording)}
      >
        <Icon name="i-restore" />
      </ChangeButton>
    </li>
  );
}

function isInPick(): boolean {
  return document.activeElement?.matches("input") ?? false;
}

function isRow(of: unknown, row: string): boolean {
  return typeof of === "object" && of !== null && (of as { row?: string }).row === row;
}

/** Reason why this recording has not been restored. */
function problemOf(trash: Trash, key: string, row: string): string | null {
  const trouble = trash.trouble.value;
  if (trouble !== null && isRow(trouble.of, row)) return trouble.words;
  return trash.failures.value.find((one) => one.key === key)?.reason ?? null;
}
