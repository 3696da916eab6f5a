/** @jsxImportSource preact */

import { clips, onlyInWords } from "../../../server/domain/retention/kept_text.ts";
import { isEverything, type ListFilter, NO_FILTER } from "../../../server/domain/viewer/list_filter.ts";
import { cameraName, pathOfCamera, viewerPath } from "../../../server/domain/viewer/viewer_address.ts";
import { isPlainClick } from "../../browser/plain_click.ts";
import { ChangeButton } from "../../parts/may_change.tsx";
import { Whose } from "../../parts/plate.tsx";
import { typeInWords } from "../../parts/recording_type.tsx";
import { FocusHandover, toList, toPlayer } from "../focus_handover.tsx";
import type { Parts } from "../viewer_parts.ts";

/** Above a list that does not hold everything: what it holds, a link to all, and what waits for an answer. */
export function ListNotice({
  browsing,
  actions,
  list: { recordings: list, pendingDeletions, whose },
}: Parts<"list" | "browsing" | "actions">) {
  const { key } = browsing;
  const filter = list.filter.value;
  const { only } = filter;
  if (isEverything(filter)) return null;
  const count = list.days.value.reduce((sum, day) => sum + day.count, 0);
  const isNarrowed = filter.types.length > 0 || filter.cameras.length > 0;
  const { what, amount } =
    only === null || isNarrowed
      ? narrowedInWords(filter, count)
      : onlyInWords(only, pendingDeletions.amount.value, count);
  const said = pendingDeletions.said.value;
  const held = pendingDeletions.held.value;
  const answer = { type: "button", "aria-busy": pendingDeletions.isAnswering.value ? "true" : undefined } as const;
  return (
    <div class="list-says">
      <p>
        <b class="strong">{what}:</b> {amount}
      </p>
      <FocusHandover to={toList}>
        <a
          class="text-b"
          href={key === null ? "/viewer" : viewerPath(key)}
          onClick={(event) => {
            if (!isPlainClick(event)) return;
            event.preventDefault();
            void actions.showOnly(NO_FILTER);
          }}
        >
          Show all
        </a>
      </FocusHandover>
      {only === "due" && held?.reason === "marks" && (
        <p>
          Some of these may have been kept: marks are missing. <a href="/">Put them back on the dashboard</a>
        </p>
      )}
      {only === "due" && held !== null && held.reason !== "marks" && (
        <FocusHandover class="list-asks needs-script" to={toPlayer}>
          <p>Nothing is deleted before you have said so.</p>
          <ChangeButton {...answer} class="b b-danger" onClick={() => void pendingDeletions.letDelete()}>
            Delete them
          </ChangeButton>
          <ChangeButton {...answer} class="b" onClick={() => void pendingDeletions.keepEverything()}>
            Keep everything
          </ChangeButton>
        </FocusHandover>
      )}
      {only === "due" &&
        whose?.cameras
          .filter(({ id }) => pendingDeletions.heldOf.value.includes(id))
          .map((camera) => (
            <p key={camera.id}>
              <Whose camera={camera} /> Deletion is waiting for your approval.{" "}
              <a href={pathOfCamera(camera.id, null, filter)}>Decide for {camera.name}</a>
            </p>
          ))}
      <p class={said?.isTrouble ? "list-said trouble" : "list-said"} role="status">
        {said?.words}
      </p>
    </div>
  );
}

/** Contents of a list of some types and cameras, in words. */
function narrowedInWords({ types, cameras, only }: ListFilter, count: number): { what: string; amount: string } {
  const kinds = types.length === 0 ? "All kinds" : types.map(typeInWords).join(", ");
  const views = cameras.length === 0 ? "" : ` with ${cameras.map(cameraName).join(" or ").toLowerCase()} camera`;
  const which = only === null ? "" : only === "kept" ? ", kept" : ", due to be deleted";
  return { what: kinds + views + which, amount: clips(count) };
}
