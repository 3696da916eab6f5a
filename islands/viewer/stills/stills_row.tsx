/** @jsxImportSource preact */

import { cameraClock } from "../../../server/domain/recordings/camera_clock.ts";
import { cameraName, keyOf, viewerPath } from "../../../server/domain/viewer/viewer_address.ts";
import type { Still, ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { isPlainClick } from "../../browser/plain_click.ts";
import { Icon } from "../../parts/icon.tsx";
import { ChangeButton } from "../../parts/may_change.tsx";
import { FocusHandover, toMiddle } from "../focus_handover.tsx";
import type { Parts } from "../viewer_parts.ts";

interface RowProps extends Parts<"marks" | "actions" | "format"> {
  readonly recording: ViewerRecording;
}

/** The pictures that are kept with the recording on show. Each leads to its moment. */
export function StillsRow({ recording, ...parts }: RowProps) {
  if (recording.stills.length === 0) return null;
  return (
    <FocusHandover class="vw-stills" to={toMiddle}>
      <ul aria-label="Kept pictures">
        {recording.stills.map((still) => (
          <StillItem key={still.url} recording={recording} still={still} {...parts} />
        ))}
      </ul>
    </FocusHandover>
  );
}

function StillItem({ recording, still, marks: { stills }, actions, format }: RowProps & { readonly still: Still }) {
  const { seconds, direction, url } = still;
  const key = keyOf(recording);
  const name = stills.nameOf(recording, still);
  return (
    <li aria-busy={stills.leaving.value.includes(url) ? "true" : undefined}>
      <a
        href={viewerPath(key, seconds)}
        aria-label={`Go to the picture of ${name}`}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          void actions.show(key, false, seconds);
        }}
      >
        <img src={url} alt="" width="80" height="45" loading="lazy" decoding="async" />
        <span>
          {cameraClock(key, Math.floor(seconds), format)}
          {recording.directions.length > 1 && <span class="soft"> {cameraName(direction)}</span>}
        </span>
      </a>
      <ChangeButton
        class="b b-icon b-quiet needs-script"
        type="button"
        title="Remove this picture"
        aria-label={`Remove the picture of ${name}`}
        onClick={() => void stills.remove(recording, still)}
      >
        <Icon name="i-close" />
      </ChangeButton>
    </li>
  );
}
