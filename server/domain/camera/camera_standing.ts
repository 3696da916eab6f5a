import { failureCause } from "../runs/failure_cause.ts";
import { mainReason } from "../runs/failure_slots.ts";
import { CHECK_CAMERA, type FailureAction, failureWords } from "../runs/failure_text.ts";
import { hasMissed, isAnotherAt } from "../runs/reached_runs.ts";
import { endingOf, type Run } from "../runs/run.ts";
import { runFailure } from "../runs/run_failure.ts";
import type { CameraFacts, CameraOutlook } from "../status/health.ts";
import type { StatusLevel } from "../status/status_level.ts";
import { agoInWords, asSentence } from "../text/format.ts";

/** What the camera's card says: one state, made of all that is known, so that no two places disagree. */
export interface CameraStanding {
  readonly mood: StatusLevel;
  /** Beside the title. */
  readonly word: string;
  /** The camera's address, or words in its place. */
  readonly headline: "address" | "Asking the camera" | "Camera away" | "No camera yet";
  readonly says: string;
  /** The cause as a word for programs; null where none belongs to it. */
  readonly reason: string | null;
  readonly action: FailureAction | null;
}

type StandingFacts = CameraFacts & Pick<CameraOutlook, "now" | "last_seen_at">;

/**
 * How the camera stands by what it answered last, by how the last run with it ended, and by the sync that runs. The
 * newer word counts; but a probe hears any answer as the camera's, and only a run knows whose it was.
 */
export function cameraStanding({ health, asked_at, last_run, phase, ...moment }: StandingFacts): CameraStanding {
  const told = (standing: Partial<CameraStanding> & Pick<CameraStanding, "mood" | "word" | "says">) =>
    ({ headline: "address", reason: null, action: null, ...standing }) as const;
  if (health?.reachable === false && health.address === undefined)
    return told({ mood: "waiting", word: "None yet", headline: "No camera yet", says: health.reason });
  if (phase === "downloading") return told({ mood: "busy", word: "Sending", says: "It is sending its files." });
  if (health === null)
    return told({
      mood: "waiting",
      word: "Asking",
      headline: "Asking the camera",
      says: "Waiting for its answer.",
    });
  if (!health.reachable && health.reason === "busy")
    return told({ mood: "busy", word: "Busy", says: "It is busy with a sync.", reason: "busy" });
  const run = ofCamera(last_run, health.address);
  if (health.reachable) {
    if (run !== null && hasMissed(run, health.address, asked_at ?? run.ts * 1000)) return away(run, told);
    if (run !== null && isAnotherAt(health.address, run))
      return told({
        mood: "attention",
        word: "Not the camera",
        says: "Something answers there, but the last run found that it is not the camera.",
        reason: run.cause ?? null,
        action: CHECK_CAMERA,
      });
    if (run !== null && !run.success && run.cause === "http")
      return told({
        mood: "attention",
        word: "In trouble",
        says: "It is there, but it answered the last run with an error.",
        reason: "http",
        action: runFailure(run, { inTrash: 0 })?.action ?? CHECK_CAMERA,
      });
    const since = run !== null && endingOf(run) === "away" ? ". The last run did not reach it, the next one can" : "";
    return told({ mood: "fine", word: "Reachable", says: `${answeredInWords(health.latency_ms, moment)}${since}` });
  }
  return told({
    mood: "waiting",
    word: "Away",
    headline: "Camera away",
    says: probed(health.reason),
    reason: health.reason,
    action: CHECK_CAMERA,
  });
}

function away(
  run: Run,
  told: (standing: Pick<CameraStanding, "mood" | "word" | "says"> & Partial<CameraStanding>) => CameraStanding,
): CameraStanding {
  const words = failureWords({ ...run, reason: mainReason(run.failures) }, { inTrash: 0 });
  return told({
    mood: "waiting",
    word: "Away",
    headline: "Camera away",
    says: asSentence(words.sentence),
    reason: run.cause ?? mainReason(run.failures),
    action: CHECK_CAMERA,
  });
}

/** What a run with another camera found says nothing about this one. */
function ofCamera(run: Run | null, address: string | undefined): Run | null {
  return run !== null && run.address !== undefined && run.address !== address ? null : run;
}

/**
 * A camera that is in the middle of a download is not asked how quickly it answers: it is known to be there. That stays
 * all that is known of it while no page asks, however long ago the download was.
 */
function answeredInWords(ms: number, { now, last_seen_at: seen }: Pick<StandingFacts, "now" | "last_seen_at">): string {
  if (ms > 0) return `Answered in ${ms}\u00a0ms`;
  const ago = (now - (seen ?? now)) / 1000;
  return ago < JUST_NOW_SECONDS ? "It has just sent its files" : `Answered ${agoInWords(ago)}`;
}
const JUST_NOW_SECONDS = 60;

/** Why the camera gave no answer, in the words of a run that fails of the same. */
function probed(reason: string): string {
  const cause = failureCause(reason);
  if (cause !== null) return asSentence(failureWords({ cause, reason: "network" }, { inTrash: null }).sentence);
  return reason === "unknown" ? "The log has the cause." : reason;
}
