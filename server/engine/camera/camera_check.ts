import type { Clock } from "../../clock.ts";
import { type Dashcam, openCamera } from "../../dashcam/camera.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { type CameraCheck, CHECK_SECONDS, checkMessage } from "../../domain/camera/camera_check.ts";
import { listFacts } from "../../domain/camera/check_findings.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Job } from "../run/job.ts";
import { problemOf } from "./check/check_session.ts";
import { readList } from "./check/reach_steps.ts";

/** The longest a check takes: a camera may answer at once and send its list byte by byte. */
const LONGEST_MS = 20_000;
/** More bytes than any camera's list has. */
const LIST_BYTES = 32 * 1024 * 1024;
/** Time of a short check without a camera. A quicker answer would reveal that another device is there. */
const SHORT_MS = 6000;

export interface CameraCheckParts {
  readonly clock: Clock;
  readonly settings: { readonly current: Settings };
  readonly dashcam: Dashcam;
  readonly job: Pick<Job, "isRunning" | "snapshot" | "topic">;
}

export interface CheckOptions {
  readonly signal?: AbortSignal;
  readonly answerMs?: number;
  /** For those who did not have to sign in: whether a camera is there, and nothing of what else may be. */
  readonly inShort?: boolean;
}

/** The camera at an address: the one in the settings is asked through the client that a sync uses, in turn. */
export function cameraAt(
  address: string,
  { dashcam, settings }: Pick<CameraCheckParts, "dashcam" | "settings">,
  answerMs: number,
): Dashcam {
  if (address === dashcam.address) return dashcam;
  const affinityKey = settings.current.sync.affinity_key;
  return openCamera({ address, timeoutMs: answerMs, silenceMs: answerMs, affinityKey });
}

/**
 * Asks an address if a camera is there and what it holds. Nothing is kept, and nothing on the camera changes. A camera
 * is a small server, so nothing else talks to it during a sync.
 * @throws AppError SYNC_ALREADY_RUNNING; the signal's reason when the request has ended
 */
export async function checkCamera(
  parts: CameraCheckParts,
  address: string,
  { signal, answerMs = CHECK_SECONDS * 1000, inShort = false }: CheckOptions = {},
): Promise<CameraCheck> {
  const { clock, job } = parts;
  if (job.isRunning) throw busy(job);
  const began = clock.elapsed();
  const camera = cameraAt(address, parts, answerMs);
  const late = AbortSignal.timeout(inShort ? SHORT_MS : LONGEST_MS);
  const synced = new AbortController();
  const unsubscribe = job.topic.subscribe(({ state }) => {
    if (state === "running") synced.abort(busy(job));
  });
  const waiting = AbortSignal.any([late, synced.signal, ...(signal ? [signal] : [])]);
  try {
    const asked = clock.elapsed();
    await camera.probe(waiting, answerMs);
    const latency_ms = Math.round((clock.elapsed() - asked) * 10) / 10;
    const limits = { answerMs, bodyMs: LONGEST_MS, most: LIST_BYTES };
    const { listing } = await readList(camera, (path) => camera.look(path, limits, waiting));
    const { videos, bytes } = listFacts(listing.files);
    return { reachable: true, address, latency_ms, recordings: videos.length, bytes };
  } catch (error) {
    const problem = error === late.reason ? ({ kind: "silence" } as const) : problemOf(error);
    if (problem === null) throw error;
    if (inShort) {
      await clock.sleep(Math.max(0, SHORT_MS - (clock.elapsed() - began)), signal);
      return { reachable: false, address, reason: "no-camera", message: checkMessage("no-camera") };
    }
    const { kind, status = null } = problem;
    return { reachable: false, address, reason: kind, message: checkMessage(kind, status) };
  } finally {
    unsubscribe();
  }
}

/** The same camera may be known by a name and by a number: no address is safe to ask then. */
function busy({ snapshot }: Pick<Job, "snapshot">): AppError {
  const message = "A sync is talking to the camera. Check again when it has ended.";
  return new AppError("SYNC_ALREADY_RUNNING", message, { current_job_id: snapshot.job_id });
}
