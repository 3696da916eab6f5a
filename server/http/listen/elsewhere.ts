import type { Base } from "../request/base.ts";
import { targetOf } from "../request/request_context.ts";
import { redirect } from "../request/respond.ts";
import type { Route } from "../request/route.ts";
import { type Found, foundOf, type Methods, type Routed } from "./found_route.ts";
import { decoded, RoutePaths } from "./route_paths.ts";

/** Probes, which are asked past a proxy, too. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Rows for paths that the listener does not know: it has them below the setting's base alone. */
export class Elsewhere<A, S> {
  readonly #table: ReadonlyMap<string, Methods<A, S>>;
  readonly #own: string;
  readonly #paths: RoutePaths;

  /** @param own the setting's base; empty without one */
  constructor(table: ReadonlyMap<string, Methods<A, S>>, own: string) {
    this.#table = table;
    this.#own = own;
    this.#paths = new RoutePaths(table.keys());
  }

  /** The rows of a request that is sent below a base and was matched by one of `ANY_PATHS`; null for none. */
  find(request: Routed, { path: base, isTold }: Base): Found<A, S> | null {
    const [path = ""] = targetOf(request).split(/[?#]/, 1);
    if (!isAsRead(path, Object.values(request.params ?? {}))) return null;
    if (path === base || path === this.#own) return leadsHome();
    // Where a proxy names the base, the path arrives without it, and with it is understood, too.
    if (isTold || PROBES.has(path)) return this.#rows(path, "") ?? (isTold ? this.#rows(path, base) : null);
    return null;
  }

  #rows(path: string, below: string): Found<A, S> | null {
    if (!path.startsWith(`${below}/`)) return null;
    const found = this.#paths.find(path.slice(below.length));
    const methods = found && this.#table.get(found.path);
    return found && methods ? { ...foundOf(found.path, methods, below), params: found.params } : null;
  }
}

/**
 * True when a path is as the listener has read it. In an address its dots are resolved, and a proxy in front may have judged
 * the path as it was sent.
 */
function isAsRead(path: string, read: readonly string[]): boolean {
  const parts = path.replace(/\/$/, "").split("/").slice(1);
  return parts.length === read.length && parts.every((part, at) => decoded(part) === read[at]);
}

/** The base without its slash leads to the dashboard. */
function leadsHome<A, S>(): Found<A, S> {
  const home: Route<A, S> = {
    method: "GET",
    path: "",
    access: "open",
    handle: ({ url }) => redirect(`/${url.search}`),
  };
  return { methods: new Map([[home.method, home]]), wildcard: null, below: "", params: {} };
}
