import type { WaitLimits } from "../../../server/engine/transfer/wait_limits.ts";

/** The usual limits at a fiftieth of their length. */
export const SHORT_WAITING: WaitLimits = { retryMs: [0, 20, 40, 100, 200], silentCameraMs: 300, probeEveryMs: 20 };

/** For a clock that stands still until it is told. */
export const NO_WAITING: WaitLimits = { retryMs: [], silentCameraMs: 0, probeEveryMs: 0 };
