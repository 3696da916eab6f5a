/** @jsxImportSource preact */

import { useComputed } from "@preact/signals";
import { amountInWords } from "../../server/domain/retention/deletion.ts";
import { daySpan } from "../../server/domain/text/day_span.ts";
import { counted, formatBytes, formatCount } from "../../server/domain/text/format.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { Icon } from "../parts/icon.tsx";
import { ChangeButton } from "../parts/may_change.tsx";
import { useFocusHandover } from "../viewer/focus_handover.tsx";
import { amountOf, type Chosen } from "./choice.ts";
import { focusTargetOf } from "./focus.ts";
import type { Trash } from "./trash.ts";

/** Chosen amount, and buttons for it. */
export function PickBar({ trash }: { readonly trash: Trash }) {
  const chosen = useComputed(() => amountOf(trash.choice.value, trash.contents.value.days)).value;
  const span = useComputed(() => daysInWords(trash)).value;
  return (
    <>
      <p class="sr" role="status">
        {chosen.entries > 0 && `${counted(chosen.entries, "clip")} chosen, ${sizeInWords(chosen)}`}
      </p>
      {chosen.entries > 0 && <Bar trash={trash} chosen={chosen} span={span} />}
    </>
  );
}

interface BarProps {
  readonly trash: Trash;
  readonly chosen: Chosen;
  /** The days of what is chosen, in words. */
  readonly span: string;
}

function Bar({ trash, chosen, span }: BarProps) {
  const place = useFocusHandover<HTMLDivElement>(() => focusTargetOf(trash, "pick"));
  const through = trash.through.value;
  const task = trash.task.value;
  const trouble = trash.trouble.value;
  const isAtWork = (what: "restore" | "delete") => task?.of === "chosen" && task.what === what;
  return (
    <div class="savebar is-pick" role="region" aria-label="Selected clips" ref={place}>
      <Icon name="i-check" />
      <span>
        <b class="strong">{counted(chosen.entries, "clip")} selected</b>{" "}
        <span class="soft">
          {sizeInWords(chosen)}
          {span !== "" && `, ${span}`}
        </span>
        {through !== null && (
          <span class="soft">
            {" "}
            · {formatCount(through.done)} of {formatCount(through.all)} done
          </span>
        )}
        {trouble?.of === "chosen" && trouble.what === "restore" && (
          <span class="trouble" role="alert">
            {trouble.words}
          </span>
        )}
      </span>
      <div class="row">
        <button class="b b-quiet" type="button" onClick={() => trash.chooseNone()}>
          Clear
        </button>
        <ChangeButton
          class="b b-danger"
          type="button"
          aria-busy={isAtWork("delete")}
          onClick={() => void trash.ask("delete-chosen")}
        >
          Delete for good…
        </ChangeButton>
        <ChangeButton
          class="b b-primary"
          type="button"
          aria-busy={isAtWork("restore")}
          onClick={() => void trash.workOnChosen("restore")}
        >
          <Icon name="i-restore" />
          Restore {counted(chosen.entries, "clip")}
        </ChangeButton>
      </div>
    </div>
  );
}

/** Rows are clips; where a clip has several cameras, there are more recordings than rows. */
function sizeInWords(chosen: Chosen): string {
  return chosen.recordings === chosen.entries ? formatBytes(chosen.bytes) : amountInWords(chosen);
}

/** Days on which the chosen entries were recorded: `5 Nov`, `5 to 6 Nov`; empty when days are those of deletion. */
function daysInWords(trash: Trash): string {
  const { days, isRecorded, zone, now } = trash.contents.value;
  const dates = isRecorded ? days.map(({ date }) => date).filter((date) => trash.choice.value.has(date)) : [];
  const first = dates[0];
  const last = dates.at(-1);
  if (first === undefined || last === undefined) return "";
  return daySpan(first, last, now, ZoneTime.from(zone).format);
}
