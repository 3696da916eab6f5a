/** A part of the page that comes with a script of its own. */
export type LaterPart =
  | "address"
  | "sessions"
  | "cameras"
  | "card"
  | "codes"
  | "dialogs"
  | "folder"
  | "keys"
  | "kinds"
  | "mqtt"
  | "notify"
  | "other"
  | "retention"
  | "savebar"
  | "schedule"
  | "viewer"
  | "zone";
