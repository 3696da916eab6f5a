/** @jsxImportSource preact */

import { amountInWords } from "../../../server/domain/retention/deletion.ts";
import { formatCount } from "../../../server/domain/text/format.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { Icon } from "../../parts/icon.tsx";
import { hasWords } from "../entry.ts";
import { leavingSooner } from "./keep_state.ts";
import type { KeepState } from "./shared.ts";

/** Amount in the trash, and buttons for all of it. */
export function TrashNow({ keep }: { readonly keep: KeepState }) {
  const { trash } = keep.standing.value;
  const isEmpty = trash.recordings === 0;
  return (
    <div class="field" hidden={!hasWords("in the trash now empty it open", keep.query.value)}>
      <div class="field-name">
        <span class="lab">In the trash now</span>
        <p>{isEmpty ? "Nothing is in the trash." : `${amountInWords(trash)}. ${nextLeaving(keep)}`}</p>
      </div>
      <div>
        <div class="row">
          <a class="b" href="/trash">
            <Icon name="i-trash" />
            Open the trash
          </a>
          {!isEmpty && (
            <button
              class="b b-danger"
              type="button"
              data-action="empty-trash"
              aria-haspopup="dialog"
              onClick={async () => {
                await keep.wake("dialogs");
                keep.dialog.value = { kind: "empty" };
              }}
            >
              Empty the trash…
            </button>
          )}
        </div>
        <Sooner keep={keep} />
      </div>
    </div>
  );
}

function nextLeaving({ standing, format, runs: { value: runs } }: KeepState): string {
  const { next } = standing.value.trash;
  if (next === null || !runs.valid) return "";
  const at = Date.parse(next.at);
  const day = new ZoneTime(runs.time_zone, format).dayInWords(at, runs.now);
  const when = /^(Today|Tomorrow)/.test(day) ? day.charAt(0).toLowerCase() + day.slice(1) : `on ${day}`;
  const verb = next.recordings === 1 ? "leaves" : "leave";
  return `The next ${formatCount(next.recordings)} ${verb} for good ${at <= runs.now ? "at the next run" : when}.`;
}

/** Amount that leaves the trash for good when the days are fewer. */
function Sooner({ keep }: { readonly keep: KeepState }) {
  const leaving = leavingSooner(keep);
  return (
    <p class="says" role="status">
      {leaving.recordings > 0 &&
        `With what is typed, ${amountInWords(leaving)} ${leaving.recordings === 1 ? "leaves" : "leave"} the trash for good at the next run.`}
    </p>
  );
}
