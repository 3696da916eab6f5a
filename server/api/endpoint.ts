import * as v from "valibot";
import type { App } from "../app.ts";
import type { ErrorCode } from "../domain/api/errors.ts";
import type { RequestContext } from "../http/listen/request_context.ts";
import { json } from "../http/listen/respond.ts";
import type { RouteAddress } from "../http/listen/route.ts";

/** What an answer or a body looks like; the settings are told by their own table. */
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

/** What is told of an endpoint for programs, beside method, path and access, which its row has. */
export interface Description {
  readonly summary: string;
  readonly description?: string;
  /** Asked for instead of a session, when one is set: the bearer token of collectors. */
  readonly token?: "collector";
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly body?: Shape;
  /** By status, without those of `errors`. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Beside what every endpoint of its kind may answer. */
  readonly errors?: readonly ErrorCode[];
}

/** An endpoint for programs: who answers, and what is told of it. */
export interface Endpoint<A> extends Description {
  readonly handle: (context: RequestContext, app: A) => Response | Promise<Response>;
}

/** A row of the routes as far as programs are concerned. */
export interface DescribedRoute extends RouteAddress {
  /** What is told of it; null where the answer is for people. */
  readonly about: () => Promise<Description | null>;
}

interface JsonEndpoint<S extends v.GenericSchema, A> extends Omit<Description, "answers"> {
  readonly shape: S;
  /** What the answer says. */
  readonly says: string;
  readonly status?: number;
  readonly answer: (context: RequestContext, app: A) => v.InferOutput<S> | Promise<v.InferOutput<S>>;
}

/** An endpoint that answers JSON of one shape: what is answered has the type of the schema that describes it. */
export function endpoint<S extends v.GenericSchema, A = App>(told: JsonEndpoint<S, A>): Endpoint<A> {
  const { shape, says, status = 200, answer, ...rest } = told;
  return {
    ...rest,
    answers: { [status]: { description: says, schema: shape } },
    handle: async (context, app) => json(await answer(context, app), { status }),
  };
}

/** The key of a recording in a path. */
export const KEY: Parameter = {
  in: "path",
  description: "`<base>_<type>`, such as `20260607_101500_N`",
  schema: v.pipe(v.string(), v.regex(/^[0-9]{8}_[0-9]{6}_[A-Z]$/)),
};

export const WHOLE_NUMBER = v.pipe(v.number(), v.integer());

export function query(description: string, schema: v.GenericSchema = v.string()): Parameter {
  return { in: "query", description, schema };
}

/** What is told of a stream of server-sent events; OpenAPI has no words for what is in them. */
export function eventsOf(event: string, shape: string): Description["answers"] {
  const description = `Server-sent events named \`${event}\`; the data of each is the JSON of a ${shape}. After 30 s without one a comment.`;
  return { 200: { description, type: "text/event-stream", schema: v.string() } };
}

/** Where the settings file is written. */
export const NOT_SAVED = ["SETTINGS_INVALID", "SETTINGS_NOT_SAVED", "STORAGE_FULL"] as const;
