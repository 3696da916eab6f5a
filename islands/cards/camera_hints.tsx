/** @jsxImportSource preact */

import type { CameraHint } from "../../server/domain/camera/hints.ts";
import { GUIDE_PLACES, HINT_PLACES } from "../../server/domain/guide/places.ts";
import type { ShownPlan } from "../../server/domain/plan/plan_schema.ts";
import type { Polled } from "../parts/cell.tsx";
import { ChangeButton } from "../parts/may_change.tsx";
import { Note } from "../parts/note.tsx";

export interface CameraHintsProps extends Polled {
  /** The most pressing first. */
  readonly hints: readonly CameraHint[];
  /** Set when the Wi-Fi looks like 2.4 GHz. */
  readonly slow_wifi?: ShownPlan["slow_wifi"];
}

/** Hints about the camera that no sync shows, each with cause and remedy. Without hints nothing is shown. */
export function CameraHintsCard({ hints, slow_wifi: slow = null, poll }: CameraHintsProps) {
  const polled = poll && { "data-poll": poll.path, "data-every": poll.every };
  return (
    <section id="hints-card" aria-label="About the camera" hidden={hints.length === 0 && slow === null} {...polled}>
      {slow && (
        <Note id="slow-wifi" level="attention" title="The Wi-Fi looks like 2.4 GHz." class="note-gap">
          <p>{slow.sentence.replace(/^[^:]*: /, "")}</p>
          <div class="row">
            <a class="b" href={GUIDE_PLACES.slow_wifi}>
              How to do that
            </a>
          </div>
        </Note>
      )}
      {hints.map(({ id, title, cause, remedy, action }) => (
        <Note key={id} id={`hint-${id}`} level="attention" title={title} class="note-gap">
          <p>
            {cause} {remedy}
          </p>
          <div class="row">
            {action && (
              <a class="b" href={action.href}>
                {action.label}
              </a>
            )}
            <a class="b b-quiet" href={HINT_PLACES[id]}>
              Help
            </a>
            {/* The card is polled, so it is outside of islands: `receipt_actions.ts` handles the button. */}
            <ChangeButton
              class="b b-quiet"
              id={`dismiss-${id}`}
              type="button"
              data-action="dismiss-hint"
              data-hint={id}
            >
              Dismiss
            </ChangeButton>
          </div>
        </Note>
      ))}
    </section>
  );
}
