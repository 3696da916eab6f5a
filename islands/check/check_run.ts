import { type ReadonlySignal, signal } from "@preact/signals";
import {
  type CheckReport,
  type CheckStep,
  type CheckStepName,
  STEP_LABELS,
} from "../../server/domain/camera/check_report.ts";
import { type Asker, Refusal } from "../browser/client.ts";
import { readEvents } from "../browser/event_answer.ts";

/** A check as it stands. */
export interface CheckState {
  /** Before the first answer, all steps are waiting. */
  readonly report: CheckReport;
  readonly how: "going" | "ended" | "stopped" | "failed";
  /** Reason why it failed. */
  readonly error: unknown;
  /** The id of the camera that is checked; null for the one that the page is about. */
  readonly camera: string | null;
}

/** The camera that a check is of, where it is not the one that the page is about. */
export interface CheckOf {
  /** Its id. */
  readonly camera?: string;
  /** It is not added yet: a sync that runs is of another one. */
  readonly isNew?: boolean;
}

/** One check after the other of one address. */
export interface CheckRun {
  readonly state: ReadonlySignal<CheckState>;
  /** Begins the check, or begins it anew. */
  readonly begin: () => Promise<void>;
  /** Ends the request; what is known stays. */
  readonly stop: () => void;
}

/** Readies the check of an address. @param address null for the one that is set */
export function checkRun(address: string | null, of: CheckOf = {}, asker?: Asker): CheckRun {
  const { camera = null, isNew = false } = of;
  const path = camera === null ? "/api/camera/check" : (`/api/camera/check?camera=${camera}` as const);
  const state = signal<CheckState>(going(address, camera));
  let grace = new AbortController();
  const begin = async () => {
    grace.abort();
    const own = new AbortController();
    grace = own;
    state.value = going(address, camera);
    try {
      const body = { ...(address !== null && { address }), ...(isNew && { is_new: true }) };
      await readEvents<CheckReport>(
        { path, body, event: "check", signal: own.signal },
        (report) => {
          state.value = { ...state.value, report, how: report.verdict === null ? "going" : "ended" };
        },
        asker,
      );
      if (state.value.report.verdict === null) throw new Refusal("NO_CONNECTION", BROKEN_OFF);
    } catch (error) {
      // Errors after the verdict do not matter.
      if (!own.signal.aborted && state.value.how === "going") state.value = { ...state.value, how: "failed", error };
    }
  };
  const stop = () => {
    if (state.value.how !== "going") return;
    grace.abort();
    state.value = { ...state.value, how: "stopped" };
  };
  return { state, begin, stop };
}

/** A service that stops, or a session that ends, closes its streams. */
const BROKEN_OFF = "The check was interrupted. Check again.";

function going(address: string | null, camera: string | null): CheckState {
  const report: CheckReport = {
    address: address ?? "",
    began_at: "",
    took_seconds: null,
    sync_running: false,
    steps: waitingSteps(),
    verdict: null,
    warnings: [],
  };
  return { report, how: "going", error: null, camera };
}

/** All of them, before anything is known: what arrives moves nothing. */
function waitingSteps(): CheckStep[] {
  return Object.entries(STEP_LABELS).map(([name, label]) => ({
    name: name as CheckStepName,
    label,
    state: "waiting",
    finding: "",
    figure: null,
    numbers: {},
  }));
}
