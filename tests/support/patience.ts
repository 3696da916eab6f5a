import type { SyncPatience } from "../../server/engine/transfer/patience.ts";

/** As the usual one, at a fiftieth of its length. */
export const SHORT_PATIENCE: SyncPatience = { retryMs: [0, 20, 40, 100, 200], silentCameraMs: 300, probeEveryMs: 20 };

/** For a clock that stands still until it is told. */
export const NO_PATIENCE: SyncPatience = { retryMs: [], silentCameraMs: 0, probeEveryMs: 0 };
