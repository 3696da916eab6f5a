import { type Failures, noFailures } from "../../../server/domain/runs/failure_reason.ts";
import type { Run } from "../../../server/domain/runs/run.ts";

const QUARTER = 900;

/** A run that found something new; change what matters. @param ts its end in epoch seconds */
export function runAt(
  ts: number,
  changes: Partial<Omit<Run, "failures">> & { failures?: Partial<Failures> } = {},
): Run {
  const { failures, ...rest } = changes;
  return {
    ts,
    success: true,
    exitCode: 0,
    durationSeconds: 38,
    files: 3,
    bytes: 412_000_000,
    recordingsSeen: 412,
    recordingsSelected: 412,
    diskUsedRatio: 0.67,
    failedMarkers: 0,
    dryRun: false,
    ...rest,
    failures: { ...noFailures(), ...failures },
  };
}

/** A run that did not find the camera. */
export function awayAt(ts: number, changes: Partial<Run> = {}): Run {
  const figures = { success: false, exitCode: 1, files: 0, bytes: 0, durationSeconds: 5 };
  return runAt(ts, { ...figures, failures: { timeout: 1 }, ...changes });
}

/**
 * Runs of a car that is away by day: one each quarter of an hour up to `now`, the same every time. The car comes home
 * in the evening with new recordings, the disk fills by and by, and now and then something goes wrong.
 */
export function* runsOfACar(now: number, count: number): Generator<Run> {
  for (let ago = count - 1; ago >= 0; ago--) {
    const ts = now - ago * QUARTER - 100;
    const hour = (ts / 3600) % 24;
    const diskUsedRatio = 0.58 + 0.13 * (1 - ago / count) + 0.01 * Math.sin(ts / 90_000);
    // Pseudo-random, and the same for the same moment.
    const luck = (Math.sin(Math.round(ts / QUARTER) * 12.9898) * 43_758.5453) % 1;
    const chance = Math.abs(luck);
    if (hour > 7.5 && hour < 18) yield awayAt(ts, { diskUsedRatio });
    else if (chance > 0.995)
      yield runAt(ts, { success: false, exitCode: 1, files: 18, failures: { disk: 1 }, diskUsedRatio });
    else if (chance > 0.99) yield runAt(ts, { files: 41, failures: { http: 1 }, diskUsedRatio, durationSeconds: 484 });
    else if (chance > 0.985) yield runAt(ts, { success: false, failures: { unknown: 1 }, diskUsedRatio });
    else if (hour < 18.5 || chance > 0.97) {
      const files = 6 + Math.round(chance * 60);
      yield runAt(ts, { files, bytes: files * 31_000_000, durationSeconds: 12 + files * 2.4, diskUsedRatio });
    } else yield runAt(ts, { files: 0, bytes: 0, durationSeconds: 1.2, diskUsedRatio });
  }
}
