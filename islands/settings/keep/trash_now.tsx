/** @jsxImportSource preact */
import { dayInWords, formatCount } from "../../../server/domain/format.ts";
import { amountInWords } from "../../../server/domain/keep_words.ts";
import { Icon } from "../../parts/icon.tsx";
import { type KeepState, leavingSooner } from "./keep_state.ts";

/** What lies in the trash, and the ways to it and out of it. */
export function TrashNow({ keep }: { readonly keep: KeepState }) {
  const { trash } = keep.standing.value;
  const isEmpty = trash.recordings === 0;
  return (
    <div class="field">
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
              onClick={() => {
                keep.dialog.value = { kind: "empty" };
              }}
            >
              Empty it
            </button>
          )}
        </div>
        <Sooner keep={keep} />
      </div>
    </div>
  );
}

function nextLeaving({ standing, runs: { value: runs } }: KeepState): string {
  const { next } = standing.value.trash;
  if (next === null || !runs.valid) return "";
  const day = dayInWords(Date.parse(next.at), runs.time_zone, runs.now);
  const when = day.charAt(0).toLowerCase() + day.slice(1);
  const verb = next.recordings === 1 ? "leaves" : "leave";
  return `The next ${formatCount(next.recordings)} ${verb} for good ${/^(today|tomorrow|yesterday)/.test(when) ? when : `on ${day}`}.`;
}

/** What fewer days take out of the trash for good. */
function Sooner({ keep }: { readonly keep: KeepState }) {
  const leaving = leavingSooner(keep);
  return (
    <p class="says" role="status">
      {leaving.recordings > 0 &&
        `With what is typed, ${amountInWords(leaving)} ${leaving.recordings === 1 ? "leaves" : "leave"} the trash for good at the next run.`}
    </p>
  );
}
