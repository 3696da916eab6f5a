/** @jsxImportSource preact */

import { sharedTimes } from "../../../server/domain/shares/share_text.ts";
import { formatSeconds } from "../../../server/domain/text/format.ts";
import { Icon } from "../../parts/icon.tsx";
import { ChangeButton } from "../../parts/may_change.tsx";
import type { PartProps } from "../export/part_props.ts";

/** A link by which others watch the part. The script of its dialog comes when it is asked for. */
export function SharePart({ wanted, directions, trip, thisYear, format }: PartProps) {
  const { value: clock } = trip.clock;
  const { value: range } = trip.range;
  const span = clock && range && { starts: clock.wallAt(range.from), ends: clock.wallAt(range.to) };
  return (
    <>
      <p class="label">A link to watch it</p>
      <p class="small soft">
        Others open it without a sign-in and see this part alone. It ends by itself, and you can revoke it.
      </p>
      <div class="save-foot">
        <ChangeButton
          class="b b-primary"
          type="button"
          aria-haspopup="dialog"
          disabled={span === null}
          onClick={async (event) => {
            if (span === null || range === null) return;
            const opener = event.currentTarget;
            const about = `${sharedTimes(span, thisYear, format)} · ${formatSeconds(range.to - range.from)}`;
            const { showShare } = await import("./share_dialog.tsx");
            showShare(document, opener, { wanted, about, directions });
          }}
        >
          <Icon name="i-link" />
          Share by a link…
        </ChangeButton>
        <p class="small">
          <a href="/links">Links that were made</a>
        </p>
      </div>
    </>
  );
}
