/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { CameraAnswer } from "../server/domain/status/cameras_schema.ts";
import { type FleetFigures as Figures, type FleetCamera, MOST_LARGE } from "../server/domain/status/fleet.ts";
import { ZoneTime } from "../server/domain/text/zone_time.ts";
import { Refusal, send, sentenceOfError } from "./browser/client.ts";
import { StopQuestion } from "./cards/stop_dialog.tsx";
import { FleetFigures } from "./fleet/fleet_figures.tsx";
import { FleetRow, RefusedRow } from "./fleet/fleet_row.tsx";
import { FleetState } from "./fleet/fleet_state.ts";
import { Icon, type IconName } from "./parts/icon.tsx";
import { ChangeButton } from "./parts/may_change.tsx";

interface FleetProps {
  readonly cameras: readonly FleetCamera[];
  /** Those that cannot be opened: they are told of in the sentence. */
  readonly refused: readonly CameraAnswer[];
  readonly figures: Figures;
  readonly zone: ZoneTime | string;
}

/** Refusals after which all is as wanted: another page was quicker. */
const SO_ALREADY: readonly string[] = ["SYNC_ALREADY_RUNNING", "SYNC_NOT_RUNNING"];
/** The most pressing first. */
const ORDER: readonly CameraAnswer["state"][] = [
  "other_camera",
  "failed",
  "attention",
  "syncing",
  "waiting",
  "paused",
  "no_address",
  "safe",
];

/** Groups by which many cameras are shown, each with the icon of its level. */
const STATE_GROUPS: readonly StateGroup[] = [
  { name: "Need you", icon: "s-attention", has: (is) => ["other_camera", "failed", "attention"].includes(is) },
  { name: "Syncing", icon: "s-busy", has: (is) => is === "syncing" },
  { name: "Waiting", icon: "s-waiting", has: (is) => ["waiting", "paused", "no_address"].includes(is) },
  { name: "Safe", icon: "s-fine", has: (is) => is === "safe" },
];

interface StateGroup {
  readonly name: string;
  readonly icon: IconName;
  readonly has: (state: CameraAnswer["state"]) => boolean;
}

/** The stream tells of a run before the state of its camera comes. */
function stateNow({ state, snapshot }: FleetCamera): CameraAnswer["state"] {
  return snapshot.state === "running" ? "syncing" : state;
}

/** The dashboard of several cameras: one sentence over all, and a row for each. */
export default function Fleet({ cameras: drawn, refused, figures, zone: given }: FleetProps) {
  const state = useMemo(() => new FleetState({ cameras: drawn, refused, figures }), []);
  const zone = useMemo(() => ZoneTime.from(given), []);
  const open = useSignal<readonly string[]>([]);
  /** The group of states that the rows are of; null for all. */
  const only = useSignal<string | null>(null);
  const pending = useSignal<string | null>(null);
  const problem = useSignal<string | null>(null);
  /** The camera whose sync is to be stopped. */
  const asked = useSignal<string | null>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => state.follow(), []);

  const cameras = state.cameras.value;
  const { mood, sentence, detail } = state.summary;
  const isShort = cameras.length + refused.length > MOST_LARGE;
  const rank = (camera: FleetCamera) => ORDER.indexOf(stateNow(camera));
  const isShown = STATE_GROUPS.find(({ name }) => name === only.value)?.has ?? (() => true);
  const shown = isShort ? cameras.filter((camera) => isShown(stateNow(camera))) : cameras;
  const rows = isShort ? shown.toSorted((one, other) => rank(one) - rank(other)) : shown;
  const areAllPaused = cameras.every(({ overview }) => overview.paused);
  const toStop = cameras.find(({ id }) => id === asked.value);

  const act = async (request: `POST /api/${string}`, of: string) => {
    pending.value = of;
    problem.value = null;
    try {
      await send(request);
    } catch (error) {
      if (!(error instanceof Refusal && SO_ALREADY.includes(error.code))) problem.value = sentenceOfError(error);
    }
    await state.refresh();
    pending.value = null;
  };
  const show = (name: string | null) => {
    only.value = name;
  };
  const toggle = (id: string) => {
    open.value = open.value.includes(id) ? open.value.filter((one) => one !== id) : [...open.value, id];
  };

  return (
    <>
      <section class={`hero hero-fleet is-${mood}`} aria-label="Sync">
        <div class="hero-head">
          <Icon name={`s-${mood}`} />
          <p class="sentence" role="status">
            {sentence}
          </p>
          {detail !== "" && <p>{detail}</p>}
          <div class="hero-do">
            <ChangeButton
              class="b b-primary"
              type="button"
              disabled={pending.value !== null}
              onClick={() => void act("POST /api/sync/now?camera=all", "all")}
            >
              <Icon name="i-sync" />
              Sync all
            </ChangeButton>
            <ChangeButton
              class="b"
              type="button"
              disabled={pending.value !== null}
              onClick={() => void act(`POST /api/schedule/${areAllPaused ? "resume" : "pause"}?camera=all`, "all")}
            >
              <Icon name={areAllPaused ? "i-play" : "i-pause"} />
              {areAllPaused ? "Resume all" : "Pause all"}
            </ChangeButton>
          </div>
          {problem.value !== null && (
            <p class="error hero-problem" role="alert" data-action-error>
              <Icon name="s-failed" />
              {problem.value}
            </p>
          )}
        </div>
        {isShort && (
          <FleetFigures cameras={cameras} count={cameras.length + refused.length} figures={state.figures.value} />
        )}
      </section>
      {isShort && (
        <div class="chips fleet-only needs-script" role="group" aria-label="Show only">
          <button class="chip" type="button" aria-pressed={only.value === null} onClick={() => show(null)}>
            All <b>{cameras.length + refused.length}</b>
          </button>
          {STATE_GROUPS.map(({ name, icon, has }) => {
            const closed = has("failed") ? refused.length : 0;
            const count = cameras.filter((camera) => has(stateNow(camera))).length + closed;
            // A group that is chosen stays, so that the way back does not go away.
            return count === 0 && only.value !== name ? null : (
              <button
                key={name}
                class="chip"
                type="button"
                aria-pressed={only.value === name}
                onClick={() => show(only.value === name ? null : name)}
              >
                <Icon name={icon} />
                {name} <b>{count}</b>
              </button>
            );
          })}
        </div>
      )}
      {isShort && (
        <div class="fleet-head" aria-hidden="true">
          <span>Camera</span>
          <span>State</span>
          <span>Waiting</span>
          <span>Needs</span>
          <span>Last home</span>
          <span>Next</span>
        </div>
      )}
      <ul class={isShort ? "fleet fleet-s" : "fleet"} aria-label="Cameras">
        {rows.map((camera) => (
          <FleetRow
            key={camera.id}
            camera={camera}
            zone={zone}
            isShort={isShort}
            isOpen={open.value.includes(camera.id)}
            isPending={pending.value === camera.id || pending.value === "all"}
            toggle={() => toggle(camera.id)}
            sync={() => void act(`POST /api/sync/now?camera=${camera.id}`, camera.id)}
            stop={() => {
              asked.value = camera.id;
              // Drawn by then, so that the safe choice gets the focus.
              setTimeout(() => dialog.current?.showModal());
            }}
          />
        ))}
        {(only.value === null || isShown("failed")) &&
          refused.map((camera, at) => (
            <RefusedRow key={camera.id} camera={camera} place={cameras.length + at} isShort={isShort} />
          ))}
        {rows.length === 0 && refused.length === 0 && <li class="fleet-none soft">No camera is in this state now.</li>}
      </ul>
      <dialog class="dialog" data-modal="stop-confirm" aria-labelledby="stop-confirm-title" ref={dialog}>
        {toStop && (
          <StopQuestion
            {...toStop}
            zone={zone}
            stop={() => void act(`POST /api/sync/stop?camera=${toStop.id}`, toStop.id)}
          />
        )}
      </dialog>
    </>
  );
}
