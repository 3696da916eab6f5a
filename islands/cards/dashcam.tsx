/** @jsxImportSource preact */

import { ACTION_PLACES } from "../../server/domain/guide/places.ts";
import { CHECK_CAMERA } from "../../server/domain/runs/failure_text.ts";
import { cameraState } from "../../server/domain/status/camera_text.ts";
import type { ShownCamera } from "../../server/domain/status/health.ts";
import { agoInWords, counted } from "../../server/domain/text/format.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { State } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";

const ID = "dashcam-card";
const TITLE = "Camera";

/** Tells if the camera answers, and when it last did. */
export function DashcamCard({ poll, last_seen_at, version, hints, now, zone, ...facts }: ShownCamera & Polled) {
  const { health } = facts;
  const { level, word, headline, detail: says, reason, action } = cameraState({ ...facts, last_seen_at, now });
  const address = health?.address;
  // A camera that answers may still be slow, or fall asleep before the next run.
  const { kind, label, href } = action ?? CHECK_CAMERA;
  return (
    <Cell id={ID} title={TITLE} poll={poll} soon={health === null} aside={<State level={level} word={word} />}>
      <p class={headline === "address" ? "big mono" : "big"}>{headline === "address" ? address : headline}</p>
      <p class="soft">
        {headline === "No camera yet" && <a href="/settings#connection">Tell Dashdock where it is</a>}
        {headline === "No camera yet" && ": "}
        {headline === "Camera away" && <span class="mono">{address}</span>}
        {headline === "Camera away" && ": "}
        {reason === null ? says : <data value={reason}>{says}</data>}
      </p>
      {headline !== "No camera yet" && (
        <p class="cell-foot">
          {version && `${version}. `}
          <Seen last_seen_at={last_seen_at} now={now} zone={zone} />{" "}
          <a href={href} data-action={kind} data-dialog={kind}>
            {label}
          </a>{" "}
          {level === "failed" && <a href={ACTION_PLACES[kind]}>Help</a>}{" "}
          {hints > 0 && <a href="#hints-card">{counted(hints, "hint")}</a>}
        </p>
      )}
    </Cell>
  );
}

function Seen({ last_seen_at: at, now, zone }: Pick<ShownCamera, "last_seen_at" | "now" | "zone">) {
  if (at === null) return <>Not seen yet.</>;
  const day = zone.dayInWords(at, now);
  return (
    <>
      Last seen{" "}
      <Time at={at} zone={zone}>
        {day.startsWith("Today") ? "" : `${day}, `}
        {zone.clock(at)}
      </Time>
      , {agoInWords((now - at) / 1000)}.
    </>
  );
}
