/**
 * Causes of a failed run or file, as finely as the remedies differ. History counts by the coarser `FailureReason`;
 * this is kept beside it.
 */
export const FAILURE_CAUSES = [
  // Failures in talking to the camera.
  "refused",
  "unreachable",
  "dns",
  "reset",
  "closed",
  "timeout",
  "silence",
  "too-slow",
  "cut",
  "http",
  "redirect",
  "not-a-listing",
  "too-long",
  "no-address",
  "other-camera",
  // The disk of the recordings has no room: at all, by the limit that is set, by a quota, for this one file.
  "disk-full",
  "disk-limit",
  "quota",
  "no-room",
  // The recordings folder cannot be used; something in it is in the way of one file; the disk or the machine refuses.
  "folder",
  "in-the-way",
  "disk-error",
  "machine",
  // Other endings of a run.
  "locked",
  "stopped",
  "shutdown",
  "interrupted",
  "unexpected",
] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** Reads a cause; null for an unknown one, such as one that a newer program has written. */
export function failureCause(text: string | null): FailureCause | null {
  return FAILURE_CAUSES.find((cause) => cause === text) ?? null;
}

/** Something answers at the address, and it is not the camera. */
export function isOtherDevice(cause: FailureCause | undefined): boolean {
  return cause === "not-a-listing" || cause === "redirect" || cause === "too-long";
}
