import * as v from "valibot";
import type { App } from "../app.ts";
import type { ErrorCode } from "../domain/answers/errors.ts";
import { LONGEST_BACKUP } from "../domain/backup/longest_backup.ts";
import { ALL_CAMERAS, MAIN_CAMERA } from "../domain/settings/camera_key.ts";
import { cameraNotFound } from "../domain/settings/camera_not_found.ts";
import type { Rewrite } from "../domain/settings/keys_in_answers.ts";
import { type Fields, readBody, readFields, readQuery } from "../http/request/read_request.ts";
import type { Caller, RequestContext } from "../http/request/request_context.ts";
import { json } from "../http/request/respond.ts";
import type { RouteAddress } from "../http/request/route.ts";
import {
  answersOf,
  asksForAll,
  byCamera,
  type CameraAnswer,
  cameraOf,
  camerasOf,
  keyedError,
  oneByOne,
} from "./cameras_asked.ts";

/**
 * The schema of an answer or a body; `Settings` and `Changes` are made from the table of the settings, `Picture` is bytes,
 * `Backup` a ZIP that comes in pieces.
 */
export type Shape = v.GenericSchema | "Settings" | "Changes" | "Picture" | "Backup";
/** Bytes of the longest picture that is taken: one of 4K as PNG. */
export const LONGEST_PICTURE = 8 * 1024 * 1024;

export interface DescribedAnswer {
  readonly description: string;
  /** Default: JSON when there is a shape, nothing when there is none. */
  readonly type?: string;
  readonly schema?: Shape;
}

/** Description of an endpoint in `/api/openapi.json`, beside method, path and access, which its route has. */
export interface Description<P extends Fields = Fields, Q extends Fields = Fields, B extends Shape = Shape> {
  readonly summary: string;
  readonly description?: string;
  /** A bearer token in place of a session: `metrics.scrape_token`, asked for once it is set. */
  readonly token?: "collector";
  /** Parts of the path; that in the place of a final `*` is `path`. */
  readonly params?: P;
  readonly query?: Q;
  /** Descriptions of the headers that count, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** May be left out where it is optional. */
  readonly body?: B;
  /** Takes `?camera=all`. */
  readonly takesAll?: boolean;
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

/** Parts of a request as its endpoint declares them. A handler gets nothing else of path, query and body. */
export interface Asked<P extends Fields, Q extends Fields, B extends Shape> {
  readonly context: Caller;
  readonly params: v.InferOutput<P>;
  readonly query: v.InferOutput<Q>;
  /** The changes of a section are checked by the table of the settings. */
  readonly body: B extends v.GenericSchema
    ? v.InferOutput<B>
    : B extends "Picture"
      ? Uint8Array<ArrayBuffer>
      : B extends "Backup"
        ? AsyncIterable<Uint8Array>
        : Readonly<Record<string, unknown>>;
}

/** Answer of an endpoint that is asked for all cameras at once. */
export type OfAll<S extends v.GenericSchema, P extends Fields, Q extends Fields, B extends Shape> = (
  answers: readonly CameraAnswer<v.InferOutput<S>>[],
  asked: Asked<P, Q, B>,
  apps: readonly App[],
) => unknown;

interface JsonEndpoint<S extends v.GenericSchema, P extends Fields, Q extends Fields, B extends Shape, A>
  extends Omit<Description<P, Q, B>, "answers"> {
  readonly shape: S;
  /** The description of the answer. */
  readonly returns: string;
  readonly status?: number;
  readonly answer: (asked: Asked<P, Q, B>, app: A) => v.InferOutput<S> | Promise<v.InferOutput<S>>;
  /** Makes one answer of those of all cameras, for `?camera=all`. Without it there is no such camera. */
  readonly all?: OfAll<S, P, Q, B>;
}

interface ResponseEndpoint<P extends Fields, Q extends Fields, B extends Shape, A> extends Description<P, Q, B> {
  readonly respond: (asked: Asked<P, Q, B>, app: A) => Response | Promise<Response>;
}

/** An endpoint that answers JSON of one shape: what is answered has the type of the schema that describes it. */
export function endpoint<S extends v.GenericSchema, P extends Fields, Q extends Fields, B extends Shape, A = App>(
  described: JsonEndpoint<S, P, Q, B, A>,
): Endpoint<A> {
  const { shape, returns: description, status = 200, answer, all, ...rest } = described;
  // Each is made with the first answer that needs it: most services have one camera, and a host of their own.
  let rewrite: Rewrite | null | undefined;
  let baseRewrite: Rewrite | null | undefined;
  const sent = async ({ context }: Asked<P, Q, B>, value: unknown) => {
    const base = context.baseInJson;
    if (base === "") return json(value, { status });
    if (baseRewrite === undefined)
      baseRewrite = (await import("../domain/settings/keys_in_answers.ts")).baseRewriteOf(shape);
    return json(baseRewrite === null ? value : baseRewrite(value, base), { status });
  };
  const answerOf = async (asked: Asked<P, Q, B>, app: A, isOneOfAll = false) => {
    const answered = await answer(asked, app);
    const id = cameraOf(app)?.id ?? MAIN_CAMERA;
    if (id === MAIN_CAMERA && !isOneOfAll) return answered;
    if (rewrite === undefined) rewrite = (await import("../domain/settings/keys_in_answers.ts")).cameraRewriteOf(shape);
    return rewrite === null ? answered : rewrite(answered, id);
  };
  return responseEndpoint<P, Q, B, A>({
    ...rest,
    takesAll: all !== undefined,
    answers: { [status]: { description, schema: shape } },
    respond: async (asked, app) => {
      if (all !== undefined && asksForAll(asked.context)) {
        const apps = camerasOf(asked.context, app);
        const answers = await answersOf(apps, (one) => answerOf(asked, one as A, true));
        return await sent(asked, await all(answers as CameraAnswer<v.InferOutput<S>>[], asked, apps));
      }
      const parts = byCamera(asked, app);
      if (parts === null) return await sent(asked, await answerOf(asked, app));
      return await sent(asked, await oneByOne(parts, (part) => answerOf(part.asked, part.app)));
    },
  });
}

/** An endpoint that makes its answer itself. */
export function responseEndpoint<P extends Fields, Q extends Fields, B extends Shape, A = App>({
  respond,
  ...described
}: ResponseEndpoint<P, Q, B, A>): Endpoint<A> {
  return {
    ...described,
    async handle(context, app) {
      if (described.takesAll !== true && asksForAll(context)) throw cameraNotFound(ALL_CAMERAS);
      try {
        return await respond(await readRequest(context, described), app);
      } catch (error) {
        throw keyedError(error, app);
      }
    },
  };
}

/** Reads the declared parts. @throws AppError when one is not as declared */
async function readRequest<P extends Fields, Q extends Fields, B extends Shape>(
  context: RequestContext,
  { params, query, body }: Pick<Description<P, Q, B>, "params" | "query" | "body">,
): Promise<Asked<P, Q, B>> {
  const part = (name: string) => context.params[name] ?? context.rest;
  return {
    context,
    params: params && readFields(params, part),
    query: query && readQuery(context, query),
    body: body && (await bodyOf(context, body)),
  } as Asked<P, Q, B>;
}

function bodyOf(context: RequestContext, body: Shape): Promise<unknown> {
  if (body === "Picture") return context.bytes(LONGEST_PICTURE);
  if (body === "Backup") return Promise.resolve(context.pieces(LONGEST_BACKUP));
  return typeof body === "string" ? context.json() : readBody(context, body);
}

export const WHOLE_NUMBER = v.pipe(v.number(), v.integer());

/** Most entries of an answer. */
export function limit(usual: number, most: number) {
  const within = v.transform((text: string) => Math.min(most, Math.max(1, Number(text))));
  return v.pipe(
    v.fallback(v.pipe(v.string(), v.regex(/^[+-]?[0-9]+$/), within, WHOLE_NUMBER), usual),
    v.description(`How many: ${usual} when it is left out, held within 1 and ${most}`),
  );
}

/** A switch in an address: `1`, or null for anything else. */
export const SWITCH = v.fallback(v.nullable(v.literal("1")), null);

/** The answer of a stream of server-sent events, whose data OpenAPI cannot describe. */
export function eventsOf(event: string, shape: string): Description["answers"] {
  const description = `Server-sent events named \`${event}\`; the data of each is the JSON of a ${shape}. After 30 s without one a comment.`;
  return { 200: { description, type: "text/event-stream", schema: v.string() } };
}

/** Codes of every endpoint that writes the settings file. */
export const NOT_SAVED = ["SETTINGS_INVALID", "SETTINGS_NOT_SAVED", "STORAGE_FULL"] as const;
