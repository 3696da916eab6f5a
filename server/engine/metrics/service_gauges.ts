import type { Settings } from "../../domain/settings/settings.ts";
import { type DestinationState, isAcceptable } from "../../domain/status/destination_state.ts";
import type { RecordingCounts } from "../../domain/sync/recording_counts.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import { type Family, renderFamilies } from "./metrics_text.ts";

export interface GaugeParts {
  readonly settings: { readonly current: Settings; readonly isSaved: boolean };
  readonly history: Pick<RunHistory, "latestGood" | "unwritable">;
  readonly listed: { counts(): Promise<RecordingCounts | null> };
  readonly destination: { readonly standing: DestinationState; check(): Promise<unknown> };
}

/**
 * Writes the present state of the service, beside the metrics of its runs. An unknown value has no sample: a 0 would be
 * a number.
 * @param seenAt when the camera last answered, in epoch seconds; null when it never did
 */
export async function renderService(parts: GaugeParts, seenAt: number | null, version: string): Promise<string> {
  const counts = await parts.listed.counts();
  await parts.destination.check();
  const isFull = !parts.settings.isSaved || parts.history.unwritable === "full";
  const gauge = (name: string, help: string, value: number | null, labels = ""): Family => ({
    name,
    help,
    type: "gauge",
    samples: value === null ? [] : [[labels, value]],
  });
  return renderFamilies([
    gauge("recordings_waiting", "Recordings on the camera that are to come home", counts?.waiting ?? null),
    gauge("recordings_home", "Recordings on the camera's list that are at home", counts?.home ?? null),
    gauge("camera_last_seen_timestamp_seconds", "When the camera last answered", seenAt),
    gauge("last_good_run_timestamp_seconds", "End of the latest run that went through", parts.history.latestGood()),
    gauge("config_disk_full", "1 when settings and runs cannot be saved for want of room", Number(isFull)),
    gauge(
      "destination_unknown",
      "1 when the recordings folder is not the one used before",
      Number(isAcceptable(parts.destination.standing)),
    ),
    gauge("build_info", "The version of the service", 1, `{version="${version}"}`),
  ]);
}
