import type { AppError } from "../../domain/answers/errors.ts";
import type { HttpApp } from "./http_app.ts";
import type { RequestContext } from "./request_context.ts";

/**
 * Who may call a route. `open`: every client, nothing is checked (probes, hashed assets). `sign-in-page`: every client, with a CSRF token
 * for changes (signing in and the first run). `signed-in`: those whom the sign-in mode admits, with a CSRF token for changes.
 */
export type Access = "open" | "sign-in-page" | "signed-in";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Answer = Response | Promise<Response>;

/** Where an endpoint is, and who may call it. GET routes answer HEAD as well. */
export interface RouteAddress {
  readonly method: Method;
  /** A literal path, with `:name` for one part or a final `/*` for the rest, which the request context then has as `rest`. */
  readonly path: string;
  readonly access: Access;
}

/** One endpoint of an app. */
export interface Route<A extends HttpApp> extends RouteAddress {
  readonly handle: (context: RequestContext, app: A) => Answer;
  /** A form's own way to show a refusal, such as itself with a message; null leaves it to the general answer. */
  readonly refuse?: (error: AppError, context: RequestContext, app: A) => Answer | Promise<Response | null> | null;
}
