/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { CARDS_OF_FOLDER, CARDS_OF_SCHEDULE, type CardId } from "../server/domain/status/card_ids.ts";
import type { Overview } from "../server/domain/status/overview.ts";
import type { DestinationAnswer } from "../server/domain/status/status_schema.ts";
import type { Snapshot } from "../server/domain/sync/job_progress.ts";
import { ZoneTime } from "../server/domain/text/zone_time.ts";
import { Refusal, send, sentenceOfError } from "./browser/client.ts";
import { useProgress } from "./browser/use_progress.ts";
import type { Action } from "./cards/acting.ts";
import { StatusCard } from "./cards/status.tsx";
import { KEEP_EVERYTHING } from "./parts/keep_everything.ts";

interface JobPanelProps {
  readonly snapshot: Snapshot;
  readonly overview: Overview;
  readonly zone: ZoneTime | string;
}

const REQUESTS = {
  "sync-now": "POST /api/sync/now",
  stop: "POST /api/sync/stop",
  pause: "POST /api/schedule/pause",
  resume: "POST /api/schedule/resume",
  "accept-destination": "POST /api/destination/accept",
  "check-folder": "GET /api/destination",
  "confirm-deletion": "POST /api/retention/confirm",
  "keep-everything": "PATCH /api/settings/retention",
  "restore-marks": "POST /api/retention/marks/restore",
  "give-up-marks": "POST /api/retention/confirm",
} as const satisfies Readonly<Record<Action, string>>;

/** Refusals after which all is as wanted: another page was quicker. */
const SO_ALREADY: readonly string[] = ["SYNC_ALREADY_RUNNING", "SYNC_NOT_RUNNING", "NOTHING_TO_ACCEPT", "NOTHING_HELD"];
const loadStop = () => import("./cards/stop_dialog.tsx");
type StopModule = Awaited<ReturnType<typeof loadStop>>;
/** Actions that ask first. */
const ASKED: readonly Action[] = ["stop", "accept-destination", "confirm-deletion"];
/** Cards that an action changes beside the first one; the stream names the others. */
const CARDS_AFTER: Partial<Record<Action, readonly CardId[]>> = {
  pause: CARDS_OF_SCHEDULE,
  resume: CARDS_OF_SCHEDULE,
  "accept-destination": CARDS_OF_FOLDER,
  "check-folder": CARDS_OF_FOLDER,
};
/** Address of the card as a fragment. Here the stream feeds the card, and it is not polled. */
const FRAGMENT = { path: "/hx/sync/status-card", every: 5 } as const;

/** The first card of the dashboard: the job as it runs, and what can be done about it. */
export default function JobPanel({ snapshot: first, overview: drawn, zone: given }: JobPanelProps) {
  const { snapshot, state, overview, refresh, ask: askProgress } = useProgress(first, drawn);
  const isAsDrawn = overview.time_zone === drawn.time_zone;
  const zone = useMemo(() => {
    const shown = ZoneTime.from(given);
    // The schedule got another zone while the page is open.
    return isAsDrawn ? shown : new ZoneTime(overview.time_zone, shown.format);
  }, [overview.time_zone]);
  const pending = useSignal<Action | null>(null);
  const problem = useSignal<string | null>(null);
  /** State in which the problem came up. The problem goes when the job has gone on or the connection is back. */
  const told = useSignal<unknown>(null);
  const question = useSignal<VNode | null>(null);
  /** Dialog that asks before a stop; null before it is loaded. */
  const stopping = useSignal<StopModule | null>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const last = useRef(Promise.resolve());

  useEffect(() => {
    document.body.dataset["state"] = state;
    if (state === "running") {
      // A user who wants to stop a run must not wait for the dialog.
      loadStop().then(
        (module) => {
          stopping.value = module;
        },
        () => {},
      );
      return;
    }
    dialog.current?.close();
    // The running job has done what was asked of it.
    if (pending.peek() === "stop") pending.value = null;
  }, [state]);

  useEffect(() => {
    const { value } = told;
    if (value !== null && value !== state && value !== overview) problem.value = null;
  }, [state, overview]);

  useEffect(() => {
    // The address was set in another tab. A save in this tab goes on and ends with a reload.
    if (overview.address !== "") document.querySelector(".start:not(:has([aria-busy]))")?.remove();
  }, [overview]);

  // One after the other, but for Stop: what an action draws anew, such as Resume after Pause, may be pressed before it has ended.
  const carryOut = (action: Action) => {
    last.current = last.current.then(() => carryOutNow(action));
  };
  const fail = (error: unknown) => {
    problem.value = sentenceOfError(error);
    told.value = error instanceof Refusal && error.code === "NO_CONNECTION" ? overview : state;
  };
  const carryOutNow = async (action: Action) => {
    pending.value = action;
    problem.value = null;
    try {
      await send(REQUESTS[action], action === "keep-everything" ? KEEP_EVERYTHING : undefined);
      // The stream shows the stop once it has happened.
      if (action === "stop") return;
      if (action === "sync-now") await askProgress();
      else {
        // The stream names the others.
        const fresh = await refresh(CARDS_AFTER[action] ?? ["status-card"]);
        if (action === "keep-everything" || action === "confirm-deletion" || action === "restore-marks")
          (await import("./deletions/held_dialog.tsx")).showAnswer(action, fresh);
      }
    } catch (error) {
      const isSo = error instanceof Refusal && SO_ALREADY.includes(error.code);
      if (!isSo) fail(error);
      else await refresh(["status-card"]);
    }
    pending.value = null;
  };
  // Each question is loaded when it is asked.
  const ask = async (action: Action) => {
    const onClosed = () => {
      question.value = null;
    };
    if (action === "stop") {
      stopping.value = await loadStop();
      // Drawn by then, so that the safe choice gets the focus.
      setTimeout(() => dialog.current?.showModal());
    } else if (action === "accept-destination") {
      const { NewFolderDialog } = await import("./cards/new_folder_dialog.tsx");
      const folder = await send<DestinationAnswer>("GET /api/destination");
      const { now } = overview;
      const accept = () => carryOut(action);
      question.value = <NewFolderDialog {...{ folder, now, zone, accept, onClosed }} />;
    } else {
      const { HeldDialog } = await import("./deletions/held_dialog.tsx");
      const { held } = overview.retention;
      const confirm = () => carryOut(action);
      if (held) question.value = <HeldDialog {...{ held, overview, zone, confirm, onClosed }} />;
    }
  };
  const act = (action: Action) => {
    if (action === "stop" && stopping.peek()) dialog.current?.showModal();
    else if (!ASKED.includes(action)) carryOut(action);
    else ask(action).catch(fail);
  };

  useEffect(() => {
    const press = async ({ target }: Event) => {
      const button = (target as Element).closest<HTMLElement>("[data-receipt],[data-hint],[data-proposal]");
      if (!button) return;
      if (button.dataset["proposal"]) return await (await import("./cards/plan_actions.ts")).carryOutProposal(button);
      await (await import("./deletions/receipt_actions.ts")).carryOutReceipt(button);
      await refresh(["status-card"]);
    };
    document.addEventListener("click", press);
    return () => document.removeEventListener("click", press);
  }, []);

  const isSafe = overview.plan?.camera === "here" && overview.plan.safe_since !== null;
  const { StopQuestion } = stopping.value ?? {};
  return (
    <>
      <StatusCard
        poll={FRAGMENT}
        snapshot={snapshot}
        overview={overview}
        zone={zone}
        act={act}
        pending={pending.value}
        problem={problem.value}
      />
      <p class="sr" role="status">
        {snapshot.state !== "running" ? overview.sentence : isSafe ? overview.plan?.sentence : "A sync is running."}
      </p>
      <dialog class="dialog" data-modal="stop-confirm" aria-labelledby="stop-confirm-title" ref={dialog}>
        {StopQuestion && <StopQuestion {...{ snapshot, overview, zone }} stop={() => void carryOutNow("stop")} />}
      </dialog>
      {question.value}
    </>
  );
}
