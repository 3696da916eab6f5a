/** What a user can make the service do from the dashboard. */
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

/** What starts an action, and which one is on its way. */
export interface Acting {
  readonly act?: ((action: Action) => void) | undefined;
  readonly pending?: Action | null | undefined;
}
