/** Problems in talking to the camera, as a closed list that the engine turns into failure reasons. */
export type ProblemKind =
  | "refused"
  | "unreachable"
  | "dns"
  | "reset"
  | "closed"
  | "timeout"
  | "silence"
  | "too-slow"
  | "cut"
  | "http"
  | "redirect"
  | "not-a-listing"
  | "too-long"
  | "no-address";

export class DashcamProblem extends Error {
  readonly kind: ProblemKind;
  /** The HTTP status, when there was one. */
  readonly status: number | null;

  constructor(kind: ProblemKind, message: string, status: number | null = null) {
    super(message);
    this.name = "DashcamProblem";
    this.kind = kind;
    this.status = status;
  }

  /** The conversation itself broke, as opposed to an answer we could not use: the camera may be away. */
  get isConnection(): boolean {
    return CONNECTION.has(this.kind);
  }

  /** It may be over in a moment: the connection broke, and asking again may bring more. */
  get isPassing(): boolean {
    return this.isConnection || this.kind === "cut";
  }
}

const CONNECTION: ReadonlySet<ProblemKind> = new Set([
  "refused",
  "unreachable",
  "dns",
  "reset",
  "closed",
  "timeout",
  "silence",
]);

/** Writing a body to our own file failed, as opposed to the connection. */
export function isDiskError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "write";
}

/** Turns what `fetch` throws into a problem with words of our own; the original text may hold addresses and paths. */
export function problemOf(error: unknown, phase: "connect" | "body"): DashcamProblem {
  if (error instanceof DashcamProblem) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ECONNREFUSED":
    case "ConnectionRefused":
      return new DashcamProblem("refused", "the camera refused the connection");
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "DNSException":
      return new DashcamProblem("dns", "the camera's name could not be resolved");
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "EHOSTDOWN":
    case "FailedToOpenSocket":
      return new DashcamProblem("unreachable", "the camera cannot be reached");
    case "ETIMEDOUT":
    case "Timeout":
      return new DashcamProblem("timeout", "the camera did not answer in time");
  }
  return phase === "connect"
    ? new DashcamProblem("closed", "the camera closed the connection without an answer")
    : new DashcamProblem("reset", "the connection broke in the middle of a file");
}
