import type { StatusLevel } from "../answers/status_level.ts";
import { failureCause } from "../runs/failure_cause.ts";
import { mainReason } from "../runs/failure_slots.ts";
import { CHECK_CAMERA, type FailureAction, failureWords } from "../runs/failure_text.ts";
import type { Run } from "../runs/run.ts";
import { hasMissed, isAnotherAt, runEnding } from "../runs/run_ending.ts";
import { runFailure } from "../runs/run_failure.ts";
import { agoInWords, asSentence } from "../text/format.ts";
import type { CameraFacts, ShownCamera } from "./health.ts";

/** State on the camera's card. It is one state, made of all known facts, so that no two places disagree. */
export interface CameraState {
  readonly level: StatusLevel;
  /** Word beside the title. */
  readonly word: string;
  /** The camera's address, or words in its place. */
  readonly headline: "address" | "Asking the camera" | "Camera away" | "No camera yet";
  readonly detail: string;
  /** The cause as a word for programs; null where none belongs to it. */
  readonly reason: string | null;
  readonly action: FailureAction | null;
}

type CameraStateFacts = CameraFacts & Pick<ShownCamera, "now" | "last_seen_at">;

/**
 * The state of the camera by its last answer to a probe, by the end of the last run with it, and by the running sync. The
 * newer of them counts; but a probe takes any answer for the camera's, and only a run knows whose it was.
 */
export function cameraState({ health, asked_at, last_run, phase, ...moment }: CameraStateFacts): CameraState {
  const withDefaults = (standing: Partial<CameraState> & Pick<CameraState, "level" | "word" | "detail">) =>
    ({ headline: "address", reason: null, action: null, ...standing }) as const;
  if (health?.reachable === false && health.address === undefined)
    return withDefaults({ level: "waiting", word: "None yet", headline: "No camera yet", detail: health.reason });
  if (phase === "downloading")
    return withDefaults({ level: "busy", word: "Sending", detail: "Sending its recordings." });
  if (health === null)
    return withDefaults({
      level: "waiting",
      word: "Asking",
      headline: "Asking the camera",
      detail: "Waiting for its answer.",
    });
  if (!health.reachable && health.reason === "busy")
    return withDefaults({ level: "busy", word: "Busy", detail: "Busy with a sync.", reason: "busy" });
  const run = ofCamera(last_run, health.address);
  if (health.reachable) {
    if (run !== null && hasMissed(run, health.address, asked_at ?? run.ts * 1000)) return away(run, withDefaults);
    if (run !== null && isAnotherAt(health.address, run))
      return withDefaults({
        level: "attention",
        word: "Not the camera",
        detail: "Something answers there, but the last run found that it is not the camera.",
        reason: run.cause ?? null,
        action: CHECK_CAMERA,
      });
    if (run !== null && !run.success && run.cause === "http")
      return withDefaults({
        level: "attention",
        word: "In trouble",
        detail: "It is there, but it answered the last run with an error.",
        reason: "http",
        action: runFailure(run, { inTrash: 0 })?.action ?? CHECK_CAMERA,
      });
    const since = run !== null && runEnding(run) === "away" ? ". The last run did not reach it, the next one can" : "";
    return withDefaults({
      level: "fine",
      word: "Reachable",
      detail: `${answeredInWords(health.latency_ms, moment)}${since}`,
    });
  }
  return withDefaults({
    level: "waiting",
    word: "Away",
    headline: "Camera away",
    detail: probeDetail(health.reason),
    reason: health.reason,
    action: CHECK_CAMERA,
  });
}

function away(
  run: Run,
  withDefaults: (standing: Pick<CameraState, "level" | "word" | "detail"> & Partial<CameraState>) => CameraState,
): CameraState {
  const words = failureWords({ ...run, reason: mainReason(run.failures) }, { inTrash: 0 });
  return withDefaults({
    level: "waiting",
    word: "Away",
    headline: "Camera away",
    detail: asSentence(words.sentence),
    reason: run.cause ?? mainReason(run.failures),
    action: CHECK_CAMERA,
  });
}

/** The run, if it was with this camera: one with another proves nothing about it. */
function ofCamera(run: Run | null, address: string | undefined): Run | null {
  return run !== null && run.address !== undefined && run.address !== address ? null : run;
}

/**
 * A camera that is in the middle of a download is not asked how quickly it answers: it is known to be there. That stays
 * all that is known of it while no page asks, however long ago the download was.
 */
function answeredInWords(
  ms: number,
  { now, last_seen_at: seen }: Pick<CameraStateFacts, "now" | "last_seen_at">,
): string {
  if (ms > 0) return `Answered in ${ms}\u00a0ms`;
  const ago = (now - (seen ?? now)) / 1000;
  return ago < JUST_NOW_SECONDS ? "Connected just now" : `Answered ${agoInWords(ago)}`;
}
const JUST_NOW_SECONDS = 60;

/** Says why the camera gave no answer, in the words of a run that fails of the same. */
function probeDetail(reason: string): string {
  const cause = failureCause(reason);
  if (cause !== null) return asSentence(failureWords({ cause, reason: "network" }, { inTrash: null }).sentence);
  return reason === "unknown" ? "The log has the cause." : reason;
}
