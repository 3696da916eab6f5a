/** Every code an error can carry to a user. The status that belongs to each stands in `http/respond.ts`. */
export type ErrorCode =
  | "AUTH_REQUIRED"
  | "BAD_RANGE"
  | "BODY_TOO_LARGE"
  | "CSRF_FAILED"
  | "HOST_NOT_ALLOWED"
  | "INTERNAL"
  | "INVALID_BODY"
  | "INVALID_CURRENT_PASSWORD"
  | "INVALID_DATE"
  | "KEPT_NOT_SAVED"
  | "METHOD_NOT_ALLOWED"
  | "NOTHING_HELD"
  | "NOTHING_TO_ACCEPT"
  | "NOTHING_TO_RETRY"
  | "NOT_FOUND"
  | "NO_ADDRESS"
  | "NO_GPS"
  | "NO_GSENSOR"
  | "RATE_LIMITED"
  | "RECORDING_KEPT"
  | "RECORDING_NOT_FOUND"
  | "RUN_NOT_FOUND"
  | "SECRET_NOT_FOUND"
  | "SECTION_NOT_FOUND"
  | "SETTINGS_INVALID"
  | "SETTINGS_NOT_SAVED"
  | "STARTING"
  | "STORAGE_FULL"
  | "SYNC_ALREADY_RUNNING"
  | "SYNC_NOT_RUNNING"
  | "TOO_MANY_STREAMS"
  | "TRASH_UNUSABLE"
  | "UNDECODABLE_PASSWORD"
  | "VALIDATION_ERROR"
  | "WEAK_PASSWORD";

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
