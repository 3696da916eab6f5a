import type { Settings } from "../../domain/settings/settings.ts";
import { type DestinationState, isAcceptable } from "../../domain/status/destination_state.ts";
import type { RecordingCounts } from "../../domain/sync/recording_counts.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import { type Family, familiesOfCameras, renderFamilies } from "./metrics_text.ts";
import type { RunMetricsTotals } from "./metrics_totals.ts";

/** Parts of one camera that its figures are read from. */
export interface GaugeParts {
  readonly camera: { readonly id: string };
  readonly metrics: Pick<RunMetricsTotals, "families">;
  readonly settings: { readonly current: Settings; readonly isSaved: boolean };
  readonly history: Pick<RunHistory, "latestGood" | "unwritable">;
  readonly listed: { counts(): Promise<RecordingCounts | null> };
  readonly destination: { readonly standing: DestinationState; check(): Promise<unknown> };
}

/**
 * Writes the metrics of the runs of all cameras, and behind them the present state of the service.
 * @param seenAt when a camera last answered, in epoch seconds; null when it never did
 */
export async function renderService<Parts extends GaugeParts>(
  cameras: readonly Parts[],
  seenAt: (camera: Parts) => number | null,
  version: string,
): Promise<string> {
  const isFull = cameras.some(({ settings, history }) => !settings.isSaved || history.unwritable === "full");
  const measured = cameras.map(async (parts) => {
    const present = await presentState(parts, { seenAt: seenAt(parts), version, isFull });
    return { camera: parts.camera.id, families: [...parts.metrics.families(), ...present] };
  });
  return renderFamilies(familiesOfCameras(await Promise.all(measured)));
}

/** The present state of a camera. An unknown value has no sample: a 0 would be a number. */
async function presentState(
  parts: GaugeParts,
  { seenAt, version, isFull }: { seenAt: number | null; version: string; isFull: boolean },
): Promise<readonly Family[]> {
  const counts = await parts.listed.counts();
  await parts.destination.check();
  const gauge = (name: string, help: string, value: number | null, labels = ""): Family => ({
    name,
    help,
    type: "gauge",
    samples: value === null ? [] : [[labels, value]],
  });
  const ofProcess = (family: Family): Family => ({ ...family, isOfProcess: true });
  return [
    gauge("recordings_waiting", "Recordings on the camera that are to come home", counts?.waiting ?? null),
    gauge("recordings_home", "Recordings on the camera's list that are at home", counts?.home ?? null),
    gauge("camera_last_seen_timestamp_seconds", "When the camera last answered", seenAt),
    gauge("last_good_run_timestamp_seconds", "End of the latest run that went through", parts.history.latestGood()),
    ofProcess(gauge("config_disk_full", "1 when settings and runs cannot be saved for want of room", Number(isFull))),
    gauge(
      "destination_unknown",
      "1 when the recordings folder is not the one used before",
      Number(isAcceptable(parts.destination.standing)),
    ),
    ofProcess(gauge("build_info", "The version of the service", 1, `{version="${version}"}`)),
  ];
}
