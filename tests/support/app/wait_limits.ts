import type { WaitLimits } from "../../../server/engine/transfer/wait_limits.ts";

/** As the usual one, at a fiftieth of its length. */
export const SHORT_WAITING: WaitLimits = { retryMs: [0, 20, 40, 100, 200], silentCameraMs: 300, probeEveryMs: 20 };

/** For a clock that stands still until it is told. */
export const NO_WAITING: WaitLimits = { retryMs: [], silentCameraMs: 0, probeEveryMs: 0 };
