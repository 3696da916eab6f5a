/** The destination's disk, as `/api/health/storage` tells it. */
export type StorageHealth =
  | {
      available: true;
      destination: string;
      total_bytes: number;
      free_bytes: number;
      used_bytes: number;
      /** One decimal; root's reserve counts as free. */
      used_percent: number;
      recording_count: number;
    }
  | { available: false; reason: string };

/** Whether the camera answers, as `/api/health/dashcam` tells it. */
export type DashcamHealth =
  | { reachable: true; address: string; latency_ms: number }
  | { reachable: false; address?: string; reason: string };
