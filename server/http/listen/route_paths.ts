/** A row's path that was found, and its `:name` parts, decoded. */
export interface FoundPath {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Paths of rows, found as the listener finds them: a part that is written out counts before a `:name`, and both before a
 * final `*`. For requests whose path is not as the listener knows it.
 */
export class RoutePaths {
  readonly #plain: ReadonlySet<string>;
  readonly #others: readonly (readonly string[])[];

  constructor(paths: Iterable<string>) {
    const all = [...paths];
    this.#plain = new Set(all.filter((path) => !/[:*]/.test(path)));
    const others = all.filter((path) => !this.#plain.has(path)).map((path) => path.split("/"));
    this.#others = others.sort((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
  }

  /** @param asked as the client sent it, without its query */
  find(asked: string): FoundPath | null {
    if (this.#plain.has(asked)) return { path: asked, params: {} };
    const parts = asked.split("/");
    const found = this.#others.find((path) => fits(path, parts));
    if (found === undefined) return null;
    const named = found.flatMap((part, at) => (part[0] === ":" ? [[part.slice(1), decoded(parts[at] ?? "")]] : []));
    return { path: found.join("/"), params: Object.fromEntries(named) };
  }
}

function rankOf(path: readonly string[]): string {
  return path.map((part) => (part === "*" ? "2" : part[0] === ":" ? "1" : "0")).join("");
}

function fits(path: readonly string[], asked: readonly string[]): boolean {
  const hasRest = path.at(-1) === "*";
  if (hasRest ? asked.length < path.length : asked.length !== path.length) return false;
  return path.every((part, at) => part === "*" || (part[0] === ":" ? asked[at] !== "" : part === asked[at]));
}

/** An escape that makes no sense becomes U+FFFD, as in the listener's own. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "\ufffd";
  }
}
