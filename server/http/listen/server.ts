import { within } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { causeOf } from "../../log.ts";
import { errorCode } from "../../store/error_code.ts";
import { checkAccess, checkQuery } from "../auth/access.ts";
import { checkHost } from "../auth/foreign_origin.ts";
import { type Base, baseOf } from "../request/base.ts";
import { isWithin, mayBeProxy } from "../request/client_address.ts";
import type { HttpApp, OpeningHttpApp } from "../request/http_app.ts";
import { type Arrival, LONGEST_BODY, RequestContext, urlOf } from "../request/request_context.ts";
import { bare, type ErrorPage, finish, refusal } from "../request/respond.ts";
import type { Method, Route } from "../request/route.ts";
import { compressed } from "./compress.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { ANY_PATHS, type Found, foundOf, type Methods, type Routed } from "./found_route.ts";
import { LongAnswers } from "./long_answers.ts";

const LOGGER = "http";
/** A paused player holds its connection for minutes; a browser that needs longer asks again. */
const IDLE_SECONDS = 120;
/** Bigger bodies are refused by us, with a message; this is only where the listener itself gives up on a client. */
const MOST_RECEIVED = 1024 * LONGEST_BODY;
/** Time that requests in progress may take once the service stops. */
const GRACE_MS = 3000;

export interface Listening {
  readonly port: number;
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  /** Accepts nothing more, ends the event streams, and lets what is under way come to its end for a few seconds. */
  stop(): Promise<void>;
}

type Server = Bun.Server<undefined>;
type Refuse = (error: AppError, context: RequestContext) => Promise<Response>;
type Line = Pick<Arrival, "port" | "peer" | "connection" | "base">;

/**
 * Serves the routes. The listener decides once which route a request is for. Access follows from that row and never
 * from the path as we would read it.
 * @throws Error when the port cannot be had
 */
export function listen<A extends HttpApp, S extends OpeningHttpApp<A>>(
  app: S,
  routes: readonly Route<A, S>[],
  errorPage: ErrorPage,
  place: { port: number; host: string },
): Listening {
  const refuse: Refuse = (error, context) => refusal(error, context, errorPage);
  const table = new Map<string, Map<string, Route<A, S>>>();
  for (const route of routes) {
    const methods = table.get(route.path) ?? new Map<Method, Route<A, S>>();
    if (methods.has(route.method)) throw new Error(`${route.method} ${route.path} is listed twice`);
    table.set(route.path, methods.set(route.method, route));
  }
  const long = new LongAnswers();
  // In use from the start on; a change of the setting counts from the next one.
  const own: Base = { path: app.settings.current.web.base_path, isTold: false, isFrame: false };
  // Loaded for the first request that comes below a base.
  let elsewhere: Promise<Elsewhere<A, S>> | null = null;
  const openElsewhere = async () => new (await import("./elsewhere.ts")).Elsewhere(table, own.path);
  const respond = async (request: Routed, self: Server, matched: Found<A, S> | null) => {
    const line = lineOf(request, self, own, app);
    if (line.base.path === "") return compressed(await answer(app, request, line, { refuse, long }, matched), request);
    elsewhere ??= openElsewhere();
    const found = matched ?? (await elsewhere).find(request, line.base);
    const { baseAnswer } = await import("./base_answer.ts");
    return compressed(await baseAnswer(await answer(app, request, line, { refuse, long }, found), line.base), request);
  };
  const handlers = [...table].map(([path, methods]) => {
    const found = foundOf(path, methods, own.path);
    return [own.path + path, (request: Routed, self: Server) => respond(request, self, found)] as const;
  });
  const unknown = (request: Routed, self: Server) => respond(request, self, null);
  const server: Server = Bun.serve({
    port: place.port,
    hostname: place.host,
    development: false,
    // Else a second service could quietly take half of the connections.
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: MOST_RECEIVED,
    routes: Object.fromEntries([...ANY_PATHS.map((path) => [path, unknown] as const), ...handlers]),
    fetch: unknown,
    // Only what goes wrong after the answer was handed over, such as a file that vanished.
    error: (error) => {
      if (errorCode(error) === "ENOENT") return bare(404);
      app.log.error(LOGGER, `An answer could not be sent: ${causeOf(error)}`);
      return bare(500);
    },
  });
  const port = server.port ?? place.port;
  const host = place.host.includes(":") ? `[${place.host}]` : place.host;
  app.reach.listens(place.host);
  const judge = () => long.judge();
  const unsubscribe = [
    app.settings.onChange(judge),
    app.sessions.onEnd(judge),
    app.shares.onEnd(judge),
    app.keys.onEnd(judge),
  ];
  const stopAll = async () => {
    for (const leave of unsubscribe) leave();
    await stop(app, server);
  };
  return { port, url: `http://${host}:${port}`, stop: stopAll };
}

/** One request from its context to its answer, with the only catch. */
async function answer<A extends HttpApp, S extends OpeningHttpApp<A>>(
  app: S,
  request: Routed,
  line: Line,
  { refuse, long }: { readonly refuse: Refuse; readonly long: LongAnswers },
  found: Found<A, S> | null,
): Promise<Response> {
  const context = arrive(app, request, line, found);
  const route = found && routeFor(found.methods, request.method);
  try {
    if (app.settings.current.auth.mode === "none") app.reach.note(context.peer);
    checkHost(context, route?.path, app);
    checkQuery(context);
    if (!found || !hasPath(context, found.wildcard)) throw notFound(context);
    if (!route) throw methodNotAllowed(found.methods);
    const response = route.access === "open" ? await route.handle(context, app) : await guarded(context, route, app);
    if (context.takesTime) lookAfter(response, context, long);
    return finish(response, context);
  } catch (error) {
    if (!(error instanceof AppError)) return finish(await unexpected(error, context, app, refuse), context);
    try {
      // A form is for people who may send it.
      const isForm = route !== null && route.access !== "open" && !context.isByKey && error.code !== "READ_ONLY";
      const own = isForm ? await route.refuse?.(error, context, app) : null;
      return finish(own ?? (await refuse(error, context)), context);
    } catch (second) {
      return finish(await unexpected(second, context, app, refuse), context);
    }
  }
}

/** Answers clients who were let in. @throws AppError STARTING until the app is opened, and again while it closes */
async function guarded<A extends HttpApp, S extends OpeningHttpApp<A>>(
  context: RequestContext,
  route: Exclude<Route<A, S>, { access: "open" }>,
  app: S,
): Promise<Response> {
  if (app.opened === null || !app.isReady()) throw notReady();
  return (await checkAccess(context, route, app)) ?? (await route.handle(context, app.opened));
}

/** @throws AppError AUTH_REQUIRED when the session was ended while the answer was made */
function lookAfter(response: Response, context: RequestContext, long: LongAnswers): void {
  if (!context.isStillAdmitted) {
    response.body?.cancel().catch(() => {});
    throw new AppError("AUTH_REQUIRED", "Your session ended before this could be sent.");
  }
  long.add(context);
}

function lineOf(request: Request, server: Server, own: Base, app: HttpApp): Line {
  const peer = () => server.requestIP(request)?.address ?? "";
  return {
    port: server.port ?? 0,
    peer,
    base: baseOf(request, own, () => isWithin(peer(), app.settings.current.auth.trusted_proxies)),
    connection: {
      // The listener no longer knows the address of a request that is over.
      isOpen: () => server.requestIP(request) !== null,
      keepOpen: () => server.timeout(request, 0),
      limitSilence: () => server.timeout(request, IDLE_SECONDS),
      end: async () => {
        // Loaded when a first one is to be ended: it opens the C library.
        const { endConnection } = await import("./end_connection.ts");
        const peer = server.requestIP(request);
        if (peer === null || endConnection(server.port ?? 0, peer)) return;
        // Elsewhere a client that takes nothing for a moment is let go, which is as much as there is a way for.
        server.timeout(request, 1);
      },
    },
  };
}

function arrive<A, S>(app: HttpApp, request: Routed, line: Line, found: Found<A, S> | null): RequestContext {
  const { port, peer, base, connection } = line;
  const { wildcard, below, params = request.params } = found ?? NOT_FOUND;
  return new RequestContext({
    request,
    params: { ...params },
    rest: wildcard ? restOf(request, wildcard, below) : "",
    peer,
    base,
    below,
    port,
    trustProxy: app.trustProxy,
    isFromProxy: () => app.trustProxy && mayBeProxy(peer(), app.settings.current.auth.trusted_proxies),
    connection,
  });
}

const NOT_FOUND = { wildcard: null, below: "", params: {} } as const;

function routeFor<A, S>(methods: Methods<A, S>, method: string): Route<A, S> | null {
  return methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : null) ?? null;
}

/** True when the variable parts of the path can name anything. */
function hasPath(context: RequestContext, wildcard: string | null): boolean {
  // The listener puts U+FFFD where an escape made no sense.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  const isClean = Object.values(context.params).every((value) => !/[\u0000\ufffd]/.test(value));
  return isClean && (wildcard === null || context.rest !== "");
}

/** Returns the part in the place of `*`, decoded once; empty when it cannot name a file. */
function restOf(request: Request, start: string, below: string): string {
  // The listener matched the path as it was sent; here its dots are resolved, and it may lead elsewhere.
  const { pathname } = urlOf(request, below);
  if (!pathname.startsWith(start)) return "";
  try {
    const rest = decodeURIComponent(pathname.slice(start.length));
    return rest.includes("\0") || rest.split("/").some((part) => /^\.{0,2}$/.test(part)) ? "" : rest;
  } catch {
    return "";
  }
}

function notReady(): AppError {
  return new AppError("STARTING", "The service is starting or stopping. Try again in a moment.");
}

function notFound(context: RequestContext): AppError {
  return new AppError("NOT_FOUND", context.isApi ? "There is no such endpoint" : "There is no page at this address.");
}

function methodNotAllowed(methods: ReadonlyMap<string, unknown>): AppError {
  const allowed = [...methods.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return new AppError("METHOD_NOT_ALLOWED", `This address only takes ${allowed.join(", ")}`, { allowed });
}

/** The cause goes into the log and nowhere else; the two are tied by the request's id. */
function unexpected(error: unknown, context: RequestContext, app: HttpApp, refuse: Refuse): Promise<Response> {
  const { request, requestId: request_id, url } = context;
  // A client that hung up while we were reading is no error, and gets no answer.
  if (!request.signal.aborted) {
    const what = `${request.method} ${withoutToken(url.pathname)}`;
    app.log.error(LOGGER, `${what} failed (${request_id}): ${causeOf(error)}`, { event: "request_failed", request_id });
  }
  return refuse(new AppError("INTERNAL", "Something went wrong here. The log says what.", { request_id }), context);
}

/** A path for the log, in which no link can be read. */
function withoutToken(path: string): string {
  return path.replace(/^\/s\/[^/]+/, "/s/…");
}

async function stop(app: HttpApp, server: Server): Promise<void> {
  const stopped = server.stop();
  app.streams.close();
  await within(app.clock, GRACE_MS, stopped);
  await server.stop(true);
}
