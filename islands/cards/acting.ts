/** Actions of the dashboard that the service carries out. */
export type Action =
  | "sync-now"
  | "stop"
  | "pause"
  | "resume"
  | "accept-destination"
  | "check-folder"
  | "confirm-deletion"
  | "keep-everything"
  | "restore-marks"
  | "give-up-marks";

/** Starts an action, and names the one on its way. */
export interface Acting {
  readonly act?: ((action: Action) => void) | undefined;
  readonly pending?: Action | null | undefined;
}
