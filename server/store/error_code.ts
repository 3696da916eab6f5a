/** The code of a failed system call such as `ENOSPC`; empty when the error has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
