/** @jsxImportSource preact */

import { backInWords } from "../../server/domain/retention/deletion.ts";
import { type ReadAt, trashForecast, trashSentence } from "../../server/domain/retention/trash_text.ts";
import { counted } from "../../server/domain/text/format.ts";
import { Icon } from "../parts/icon.tsx";
import { ChangeButton } from "../parts/may_change.tsx";
import { Note } from "../parts/note.tsx";
import { useFocusHandover } from "../viewer/focus_handover.tsx";
import { focusTargetOf, HEAD_ID } from "./focus.ts";
import { nameOf } from "./row.tsx";
import type { Trash } from "./trash.ts";

/** Failures that are named when their rows are not shown. */
const NAMED = 5;

interface HeadProps {
  readonly trash: Trash;
  readonly readAt: ReadAt;
}

/** Amount in the trash, its future, and buttons for all of it. */
export function Head({ trash, readAt }: HeadProps) {
  const { totals, isPaused, problem, unknown, isRecorded } = trash.contents.value;
  const restored = totals.entries === 0 ? trash.restored.value : 0;
  return (
    <section
      class={`hero ${restored > 0 ? "is-fine" : "is-waiting"} trash-hero`}
      id={HEAD_ID}
      aria-label="Trash"
      tabindex={-1}
    >
      <div class="hero-head">
        <Icon name={restored > 0 ? "s-fine" : "i-trash"} />
        <p class="sentence">
          {unknown === null ? trashSentence(totals, isRecorded) : "The contents of the trash are not known."}
        </p>
        <p>{unknown ?? (restored > 0 ? backInWords(restored) : trashForecast(totals, isPaused, readAt, isRecorded))}</p>
        {totals.entries > 0 && <AllActions trash={trash} />}
        {unknown !== null && (
          <div class="hero-do">
            <a class="b b-primary" href="/">
              Go to the dashboard
            </a>
          </div>
        )}
        {restored > 0 && (
          <div class="hero-do">
            <a class="b" href="/viewer">
              Show them in the viewer
            </a>
            <a class="b b-quiet" href="/settings#retention">
              Change keep times
            </a>
          </div>
        )}
      </div>
      {problem !== null && <Note level="attention" title={problem} />}
      <Unrestored trash={trash} readAt={readAt} />
    </section>
  );
}

function AllActions({ trash }: { readonly trash: Trash }) {
  const place = useFocusHandover<HTMLDivElement>(() => focusTargetOf(trash, "pick"));
  const task = trash.task.value;
  const isBusy = (what: "restore" | "delete") => task?.of === "all" && task.what === what;
  return (
    <div class="hero-do" ref={place}>
      <ChangeButton class="b" type="button" aria-busy={isBusy("restore")} onClick={() => void trash.ask("restore-all")}>
        <Icon name="i-restore" />
        Restore all…
      </ChangeButton>
      <ChangeButton
        class="b b-danger"
        type="button"
        aria-busy={isBusy("delete")}
        onClick={() => void trash.ask("empty-trash")}
      >
        <Icon name="i-trash" />
        Empty the trash…
      </ChangeButton>
    </div>
  );
}

/** Recordings that could not be restored and have no row on the page. */
function Unrestored({ trash, readAt }: HeadProps) {
  const { days } = trash.contents.value;
  const shown = new Set(days.flatMap(({ recordings }) => recordings.map(({ key }) => key)));
  const hidden = trash.failures.value.filter(({ key }) => !shown.has(key));
  if (hidden.length === 0) return null;
  const more = hidden.length - NAMED;
  return (
    <Note level="attention" title="Some clips could not be restored" role="alert">
      {hidden.slice(0, NAMED).map(({ key, reason }) => (
        <p key={key}>
          {nameOf(key, readAt)}: {reason}
        </p>
      ))}
      {more > 0 && <p>And {counted(more, "more", "more")}.</p>}
    </Note>
  );
}
