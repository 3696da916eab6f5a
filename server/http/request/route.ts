import type { AppError } from "../../domain/answers/errors.ts";
import type { RequestContext } from "./request_context.ts";

/**
 * Clients that may call a route. `open`: every client, nothing is checked (probes, hashed assets). `sign-in-page`:
 * every client, with a CSRF token for changes (signing in and the first run). `link`: every client, in all modes; the
 * link in the path decides. All others: those whom the sign-in mode admits, with a CSRF token for changes. Of these
 * `signed-in` is for the admin alone; `http/auth/permissions.ts` says who else may call the others. `look`: pages that
 * show. `read`: facts for programs. `recordings`: what is in recordings. `sync`: starting and stopping syncs.
 */
export type Access = "open" | "link" | "sign-in-page" | "signed-in" | "look" | "read" | "recordings" | "sync";

/** True when a route is for those whom the sign-in mode admits. */
export function needsSignIn(access: Access): boolean {
  return access !== "open" && access !== "link" && access !== "sign-in-page";
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Answer = Response | Promise<Response>;

/** Address of an endpoint, and who may call it. GET routes answer HEAD as well. */
export interface RouteAddress {
  readonly method: Method;
  /** A literal path, with `:name` for one part or a final `/*` for the rest, which the request context then has as `rest`. */
  readonly path: string;
  readonly access: Access;
  /** Bytes that its body may have; 1 MiB without. */
  readonly longestBody?: number;
}

/**
 * One endpoint. Those that are open answer while the app is being opened, too, and are given what is there of it, `S`;
 * all others wait for the whole app, `A`.
 */
export type Route<A, S = A> = OpenRoute<S> | GuardedRoute<A, S>;

interface OpenRoute<S> extends RouteAddress {
  readonly access: "open";
  readonly handle: (context: RequestContext, app: S) => Answer;
}

interface GuardedRoute<A, S> extends RouteAddress {
  readonly access: Exclude<Access, "open">;
  readonly handle: (context: RequestContext, app: A) => Answer;
  /** A form's own way to show a refusal, such as itself with a message; null leaves it to the general answer. */
  readonly refuse?: (error: AppError, context: RequestContext, app: S) => Answer | Promise<Response | null> | null;
}
