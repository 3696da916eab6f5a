import * as v from "valibot";
import type { App } from "../app.ts";
import type { ErrorCode } from "../domain/answers/errors.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { json } from "../http/request/respond.ts";
import type { RouteAddress } from "../http/request/route.ts";

/** The schema of an answer or a body; `Settings` and `Changes` are made from the table of the settings. */
export type Shape = v.GenericSchema | "Settings" | "Changes";

export interface Parameter {
  readonly in: "path" | "query" | "header";
  readonly description: string;
  readonly schema: v.GenericSchema;
}

export interface DescribedAnswer {
  readonly description: string;
  /** Default: JSON when there is a shape, nothing when there is none. */
  readonly type?: string;
  readonly schema?: Shape;
}

/** Description of an endpoint in `/api/openapi.json`, beside method, path and access, which its route has. */
export interface Description {
  readonly summary: string;
  readonly description?: string;
  /** A bearer token in place of a session: `metrics.scrape_token`, asked for once it is set. */
  readonly token?: "collector";
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly body?: Shape;
  /** By status, without those of `errors`. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Beside those that every endpoint of its method and access may answer. */
  readonly errors?: readonly ErrorCode[];
}

/** An endpoint for programs: its handler and its description. */
export interface Endpoint<A> extends Description {
  readonly handle: (context: RequestContext, app: A) => Response | Promise<Response>;
}

/** A route as its description needs it. */
export interface DescribedRoute extends RouteAddress {
  /** Null where the answer is for people. */
  readonly about: () => Promise<Description | null>;
}

interface JsonEndpoint<S extends v.GenericSchema, A> extends Omit<Description, "answers"> {
  readonly shape: S;
  /** The description of the answer. */
  readonly returns: string;
  readonly status?: number;
  readonly answer: (context: RequestContext, app: A) => v.InferOutput<S> | Promise<v.InferOutput<S>>;
}

/** An endpoint that answers JSON of one shape: what is answered has the type of the schema that describes it. */
export function endpoint<S extends v.GenericSchema, A = App>(described: JsonEndpoint<S, A>): Endpoint<A> {
  const { shape, returns: description, status = 200, answer, ...rest } = described;
  return {
    ...rest,
    answers: { [status]: { description, schema: shape } },
    handle: async (context, app) => json(await answer(context, app), { status }),
  };
}

/** The key of a recording in a path. */
export const KEY: Parameter = {
  in: "path",
  description: "`<base>_<type>`, such as `20260607_101500_N`",
  schema: v.pipe(v.string(), v.regex(/^[0-9]{8}_[0-9]{6}_[A-Z](?:\.[1-9][0-9]?)?$/)),
};

export const WHOLE_NUMBER = v.pipe(v.number(), v.integer());

/** A parameter behind `?`; a text unless a schema is given. */
export function query(description: string, schema: v.GenericSchema = v.string()): Parameter {
  return { in: "query", description, schema };
}

/** The answer of a stream of server-sent events, whose data OpenAPI cannot describe. */
export function eventsOf(event: string, shape: string): Description["answers"] {
  const description = `Server-sent events named \`${event}\`; the data of each is the JSON of a ${shape}. After 30 s without one a comment.`;
  return { 200: { description, type: "text/event-stream", schema: v.string() } };
}

/** Codes of every endpoint that writes the settings file. */
export const NOT_SAVED = ["SETTINGS_INVALID", "SETTINGS_NOT_SAVED", "STORAGE_FULL"] as const;
