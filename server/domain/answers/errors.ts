/** Every code that an answer can carry, with its HTTP status and its meaning for `/api/openapi.json`. */
export const ERRORS = {
  AUTH_REQUIRED: { status: 401, meaning: "the request comes without a session or a key that holds" },
  BACKUP_FAILED: {
    status: 503,
    meaning:
      "a file cannot be read, copied or written, so there is no backup, or none is restored; the sentence names it",
  },
  BACKUP_UNUSABLE: {
    status: 422,
    meaning:
      "the file is no whole backup of this version or an older one; the sentence says why, and nothing was changed",
  },
  BAD_HOST: { status: 400, meaning: "the request has more than one Host header" },
  BAD_RANGE: { status: 400, meaning: "there is no such range; details.range" },
  BODY_TOO_LARGE: {
    status: 413,
    meaning: "the body is over 1 MiB; over 8 MiB for a picture, over 100 MiB for a backup",
  },
  CAMERA_NOT_FOUND: { status: 404, meaning: "there is no camera with this id; details.camera" },
  CSRF_FAILED: {
    status: 403,
    meaning: "the token is missing or belongs to another browser, or another site sent the request",
  },
  FOLDER_NOT_AVAILABLE: {
    status: 503,
    meaning: "the recordings folder is not available, so what it holds is not known; see GET /api/destination",
  },
  HOST_NOT_ALLOWED: {
    status: 421,
    meaning: "no sign-in is asked for, and the Host header is no known name of this service; see web.allowed_hosts",
  },
  IMPORT_NOT_RUNNING: { status: 404, meaning: "no import is running" },
  IMPORT_OFF: { status: 409, meaning: "no folder to import from is set; see system.import_folder" },
  IMPORT_RUNNING: { status: 409, meaning: "an import is running; details.current_job_id" },
  INTERNAL: { status: 500, meaning: "something unexpected; the log names details.request_id" },
  INVALID_BBOX: { status: 422, meaning: "the box is not west, south, east, north in degrees; details.bbox" },
  INVALID_BODY: { status: 400, meaning: "the body is not a JSON object" },
  INVALID_CURRENT_PASSWORD: { status: 401, meaning: "the current password is wrong; counts as a failed sign-in" },
  INVALID_DATE: { status: 422, meaning: "the date is not YYYY-MM-DD; details.date" },
  INVALID_KIND: { status: 422, meaning: "there is no such kind; details.kind" },
  INVALID_MIN: { status: 422, meaning: "the least strength is not a number from 0 on; details.min" },
  INVALID_ZOOM: { status: 422, meaning: "the zoom is not a whole number from 0 to 22; details.zoom" },
  KEPT_NOT_SAVED: { status: 500, meaning: "what is kept could not be written; nothing was changed" },
  KEY_NOT_FOUND: { status: 404, meaning: "there is no such key; it may be revoked already" },
  KEY_NOT_SAVED: { status: 500, meaning: "the list of keys could not be written" },
  LAST_CAMERA: { status: 409, meaning: "the first camera stays; another one takes its place by a new address" },
  LEDGER_UNUSABLE: {
    status: 503,
    meaning:
      "ledger.db in the config folder, which has what became of each recording, cannot be used; the sentence says why",
  },
  LEFT_OUT: {
    status: 409,
    meaning: "a rule leaves the recording out; details.rule is retention, selection, deleted or unreadable",
  },
  MAP_FILE_OFF: {
    status: 404,
    meaning: "viewer.map_file is not set, or its file is gone or is no map; the sentence says so",
  },
  MAP_TILES_OFF: { status: 404, meaning: "viewer.map_tiles is off, or viewer.map_file is set" },
  METHOD_NOT_ALLOWED: { status: 405, meaning: "the address takes other methods; details.allowed" },
  NOTHING_ASKED: { status: 409, meaning: "no question about the card waits for an answer" },
  NOTHING_HELD: { status: 409, meaning: "nothing waits for an answer whether it may be deleted" },
  NOTHING_TO_ACCEPT: { status: 409, meaning: "the recordings folder, or the camera, is the one that was used before" },
  NOTHING_TO_RETRY: { status: 404, meaning: "none of these files waits to be tried again" },
  NOT_BELOW_IMPORT_FOLDER: { status: 422, meaning: "there is no such folder in system.import_folder" },
  NOT_FOUND: { status: 404, meaning: "there is nothing at this address" },
  NOT_ONE_FILM: {
    status: 409,
    meaning: "no recording of the span can be part of a film; details.reason says why, as a sentence",
  },
  NO_ADDRESS: { status: 409, meaning: "no camera address is set" },
  NO_GPS: { status: 404, meaning: "the recording has no GPS data" },
  NO_GSENSOR: { status: 404, meaning: "the recording has no G-sensor data" },
  RATE_LIMITED: { status: 429, meaning: "too many failed attempts from this address; Retry-After" },
  READ_ONLY: { status: 403, meaning: "who is signed in may look and save, and change nothing" },
  RECORDING_KEPT: { status: 409, meaning: "the recording is marked as kept; take the mark off first" },
  RECORDING_NOT_FOUND: { status: 404, meaning: "there is no such recording" },
  RESTART_IMPOSSIBLE: { status: 409, meaning: "this process cannot start its stores anew, as the demo" },
  RESTORE_RUNNING: { status: 409, meaning: "another backup is being checked or restored" },
  RUN_NOT_FOUND: { status: 404, meaning: "there is no such run in the history" },
  SCOPE: { status: 403, meaning: "the scope of the key does not reach so far; details.scope and details.needed" },
  SECRET_NOT_FOUND: { status: 404, meaning: "the key names no password, or nothing was read yet" },
  SECTION_NOT_FOUND: { status: 404, meaning: "there is no such section; details.section" },
  SETTINGS_INVALID: {
    status: 422,
    meaning: "a field is unknown or its value is not accepted; details.field_errors lists {path, message}",
  },
  SETTINGS_NOT_SAVED: { status: 500, meaning: "the settings file could not be written; the running settings stay" },
  SHARE_LOCKED: { status: 401, meaning: "the link has a password that this browser has not given" },
  SHARE_NOT_FOUND: { status: 404, meaning: "there is no such link, or it has ended" },
  SHARE_NOT_SAVED: { status: 500, meaning: "the list of links could not be written" },
  SHARING_OFF: { status: 403, meaning: "links are off; see share.enabled" },
  SIGNING_KEY_UNUSABLE: {
    status: 503,
    meaning: "the key that signs packs is damaged or cannot be written; the sentence names its file",
  },
  STARTING: { status: 503, meaning: "the service is starting or stopping; Retry-After" },
  STORAGE_FULL: {
    status: 507,
    meaning: "the disk is full: that of the settings, which stay as they run, or that of the recordings",
  },
  SYNC_ALREADY_RUNNING: { status: 409, meaning: "a sync is running; details.current_job_id" },
  SYNC_NOT_RUNNING: { status: 404, meaning: "no sync is running" },
  TARGET_NOT_FOUND: { status: 404, meaning: "messages go to no service of this id; see GET /api/notify" },
  TILE_NOT_FOUND: { status: 404, meaning: "the map has no such square, or viewer.tile_url leads nowhere" },
  TILE_UNAVAILABLE: {
    status: 502,
    meaning:
      "the tile server did not give the picture; details.reason, and details.status when it answered; `failed` alone where no sign-in is asked for",
  },
  TOO_MANY_SHARES: { status: 409, meaning: "as many links hold as there can be; revoke one first" },
  TOO_MANY_STILLS: { status: 409, meaning: "the recording has as many pictures as it can have" },
  TOO_MANY_STREAMS: { status: 503, meaning: "all streams are taken; Retry-After" },
  TRASH_UNUSABLE: {
    status: 503,
    meaning: "recordings cannot be moved to or from the trash now; the sentence says why",
  },
  UNDECODABLE_PASSWORD: { status: 422, meaning: "the stored password does not decode to text" },
  VALIDATION_ERROR: { status: 422, meaning: "a value cannot be taken; details.field_errors lists {path, message}" },
  VERIFY_NOT_RUNNING: { status: 409, meaning: "no check of all recordings is running" },
  VERIFY_RUNNING: { status: 409, meaning: "a check of all recordings is running already" },
  WEAK_PASSWORD: { status: 422, meaning: "the new password is too short; details.field_errors" },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly meaning: string }>>;

export type ErrorCode = keyof typeof ERRORS;

/** A refusal with a code a program can act on and a sentence a person can. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.details = details;
  }
}
