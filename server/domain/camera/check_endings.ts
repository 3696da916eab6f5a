import type { CheckVerdict } from "./check_report.ts";

/** A sync runs already: the camera serves one request at a time. */
export const SYNC_RUNS: CheckVerdict = {
  level: "attention",
  reason: "sync-running",
  cause: "A sync is running, so the check asks the camera nothing and says what the sync sees.",
  remedy: "Check again when it has ended.",
  command: null,
  setting: null,
};

/** A sync began in the middle of the check. */
export const SYNC_BEGAN: CheckVerdict = {
  ...SYNC_RUNS,
  reason: "sync-began",
  cause: "A sync has begun, and the check stepped aside: the camera serves one request at a time.",
};

/** What broke is our own. */
export const UNEXPECTED: CheckVerdict = {
  level: "failed",
  reason: "unexpected",
  cause: "Something unexpected went wrong in the check itself.",
  remedy: "Check again; the log has the cause.",
  command: null,
  setting: null,
};

/**
 * The verdict for those who did not sign in: whether a camera is there, and nothing of what else may be.
 * @param elsewhere the machine's networks and that of the address, which no question to the network told
 */
export function noCamera(elsewhere: { readonly own: readonly string[]; readonly camera: string } | null): CheckVerdict {
  const networks = elsewhere
    ? ` This machine is in ${elsewhere.own.join(" and ")}, the address in ${elsewhere.camera}: cameras drop what comes from another network.`
    : "";
  return {
    level: "failed",
    reason: "no-camera",
    cause: `No camera answers there.${networks}`,
    remedy: "Check the address, and that it is on and in Wi-Fi range. Where a password is asked for, more is told.",
    command: null,
    setting: null,
  };
}
