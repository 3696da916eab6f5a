/** @jsxImportSource preact */
import { counted, formatBytes, formatCount } from "../../../server/domain/text/format.ts";
import { isHere } from "../../../server/domain/viewer/coming_text.ts";
import { Icon } from "../../parts/icon.tsx";
import { waitingKeys } from "../coming/coming_clips.ts";
import { FocusHandover, toChoose } from "../focus_handover.tsx";
import type { Parts } from "../viewer_parts.ts";

/** Below the list while several are chosen: how many, and what to do with them. */
export function PickBar({ list: { choosing }, marks: { keeping, deleting, coming } }: Parts<"list" | "marks">) {
  const chosen = choosing.chosen.filter(isHere);
  const waiting = waitingKeys(choosing.chosen);
  const count = chosen.length;
  const sizes = chosen.map(({ size_bytes: size }) => size);
  const bytes = sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const isBusy = deleting.isBusy.value || keeping.pending.value.length > 0;
  const off = { "aria-disabled": count === 0 ? ("true" as const) : undefined };
  const busy = { "aria-busy": isBusy ? ("true" as const) : undefined };
  const number = count === 0 ? "" : ` ${formatCount(count)}`;
  return (
    <div class="savebar is-pick" role="region" aria-label="Selected clips">
      <Icon name="i-check" />
      <span aria-live="polite">
        <b class="strong">{counted(choosing.chosen.length, "clip")} selected</b>
        {bytes !== null && bytes > 0 && <span class="soft">, {formatBytes(bytes)}</span>}
      </span>
      <FocusHandover class="row" to={toChoose}>
        <button class="b b-quiet" type="button" onClick={() => choosing.none()} {...off}>
          Clear
        </button>
        {waiting.length > 0 && (
          <>
            <button
              class="b b-primary"
              type="button"
              onClick={async () => {
                await coming.getNow(waiting);
                choosing.turn(false);
              }}
            >
              <Icon name="i-first" />
              Get {formatCount(waiting.length)} now
            </button>
            <button
              class="b"
              type="button"
              onClick={async () => {
                await coming.leave(waiting);
                choosing.turn(false);
              }}
            >
              Not needed
            </button>
          </>
        )}
        <button
          class="b"
          type="button"
          {...off}
          {...busy}
          onClick={async () => {
            if (count === 0 || isBusy) return;
            await keeping.keepAll(chosen);
            choosing.turn(false);
          }}
        >
          <Icon name="i-keep" />
          Keep{number}
        </button>
        <button
          class="b b-danger"
          type="button"
          {...off}
          {...busy}
          onClick={async () => {
            if (count === 0 || isBusy) return;
            await deleting.remove(chosen);
            // A message has named those that could not be deleted; without a trash the dialog still has to be answered.
            if (deleting.asking.value === null) choosing.turn(false);
          }}
        >
          <Icon name="i-trash" />
          Delete{number}
        </button>
      </FocusHandover>
    </div>
  );
}
