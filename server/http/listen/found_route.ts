import type { Route } from "../request/route.ts";

/** A request as the listener hands it over, with the `:name` parts of the path that it has matched. */
export type Routed = Request & { readonly params?: Readonly<Record<string, string>> };

/** Rows of one path by their method. */
export type Methods<A, S> = ReadonlyMap<string, Route<A, S>>;

/** The rows that a request is for, and how its path leads to them. */
export interface Found<A, S> {
  readonly methods: Methods<A, S>;
  /** The part before the `*`, or null. */
  readonly wildcard: string | null;
  /** The part of the request's path before that of the rows; mostly empty. */
  readonly below: string;
  /** The `:name` parts, decoded; those that the listener found when left out. */
  readonly params?: Readonly<Record<string, string>>;
}

/** Most parts of a path that is looked for below a base. */
const MOST_PARTS = 24;

/** Paths that match what no row does, so that the listener tells how it has read each part. */
export const ANY_PATHS: readonly string[] = Array.from({ length: MOST_PARTS }, (_, last) =>
  Array.from({ length: last + 1 }, (_, at) => `/:p${at}`).join(""),
).flatMap((path) => [path, `${path}/`]);

export function foundOf<A, S>(path: string, methods: Methods<A, S>, below: string): Found<A, S> {
  return { methods, wildcard: path.endsWith("/*") ? path.slice(0, -1) : null, below };
}
