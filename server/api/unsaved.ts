import { AppError } from "../domain/answers/errors.ts";

/**
 * In place of an answer that would promise more: what was done holds, but only until the restart.
 * @throws AppError STORAGE_FULL when it could not be saved
 */
export function requireSaved(isSaved: boolean): void {
  if (!isSaved)
    throw new AppError(
      "STORAGE_FULL",
      "This is in force until the restart, but not saved: the config folder cannot be written.",
    );
}
