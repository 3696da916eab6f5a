import type { CheckVerdict } from "./check_report.ts";

/** A sync runs already: the camera serves one request at a time. */
export const SYNC_RUNS: CheckVerdict = {
  level: "attention",
  reason: "sync-running",
  cause: "A sync is running. The check does not ask the camera, and shows what the sync sees.",
  remedy: "Check again after the sync.",
  command: null,
  setting: null,
};

/** A sync began in the middle of the check. */
export const SYNC_BEGAN: CheckVerdict = {
  ...SYNC_RUNS,
  reason: "sync-began",
  cause: "A sync has started, so the check has stopped. The camera serves one request at a time.",
};

/** Verdict for an error in the check itself. */
export const UNEXPECTED: CheckVerdict = {
  level: "failed",
  reason: "unexpected",
  cause: "Something went wrong in the check itself.",
  remedy: "Check again. The log says what happened.",
  command: null,
  setting: null,
};

/**
 * The verdict for those who did not sign in: whether a camera is there, and nothing of what else may be.
 * @param elsewhere the machine's networks and that of the address, which no question to the network told
 */
export function noCamera(elsewhere: { readonly own: readonly string[]; readonly camera: string } | null): CheckVerdict {
  const networks = elsewhere
    ? ` This machine is in ${elsewhere.own.join(" and ")}, the address in ${elsewhere.camera}. Cameras ignore requests from another network.`
    : "";
  return {
    level: "failed",
    reason: "no-camera",
    cause: `No camera answers there.${networks}`,
    remedy: "Check the address, and that the camera is on and in Wi-Fi range. After a sign-in the check tells more.",
    command: null,
    setting: null,
  };
}
