import { ROUTES } from "../../../server/routes.ts";

/** Addresses that answers name, and what is wrong with them. */
export interface Crawled {
  /** Routes that were asked, as they stand in the table. */
  readonly routes: ReadonlySet<string>;
  readonly problems: readonly string[];
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

const ATTRIBUTE = /\s(?:href|src|action|formaction|poster)="([^"]*)"/g;
const ASKED_BY_SCRIPTS = /\sdata-poll="([^"]*)"/g;
const ELSEWHERE = /^(#|\?|https:|data:|blob:|mailto:|$)/;
/** A path that only this service has: in JSON and in scripts, it has to begin with the base. */
const OWN = /^\/(?:api|assets|film|help|hx|links|logs|media|s|settings|stats|tiles|trash|viewer)(?:[/?#]|$)/;

/** Scripts that a script takes. */
const SCRIPTS = /\b(?:from|import)\s*\(?["']([./][^"']*\.js)["']/g;

/** Paths of all GET routes without a variable part. */
const FIRST: readonly string[] = ROUTES.filter(({ method, path }) => method === "GET" && !/[:*]/.test(path)).map(
  ({ path }) => path,
);
/** Answers that take long or end the visit, and those that are asked for above the base, too. */
const LEFT_OUT =
  /^\/(healthz|readyz|metrics|first-run|login|logout)$|\/stream$|^\/api\/(backup|support|viewer\/export)/;

/**
 * Follows every address from every page: links, forms, scripts, style sheets, pictures, addresses in JSON. Of addresses
 * with the same route and the same names in the query only the first is asked for.
 * @param ask asks for a path of the host, with the base in it
 */
export async function crawl(ask: Ask, base: string): Promise<Crawled> {
  const problems: string[] = [];
  const routes = new Set<string>();
  const seen = new Set<string>();
  const open: { readonly to: string; readonly from: string; readonly isPart?: boolean }[] = FIRST.filter(
    (path) => !LEFT_OUT.test(path),
  ).map((path) => ({ to: base + path, from: "the table" }));
  const follow = (address: string, from: string, isPart = false) => {
    const found = address.replaceAll("&amp;", "&");
    if (ELSEWHERE.test(found)) return;
    if (found.startsWith(`${base}/`)) open.push({ to: found, from, isPart });
    else problems.push(`${from} leads to ${found}`);
  };
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { to, from, isPart } = next;
    const url = new URL(to, "http://host.invalid");
    const route = routeOf(url.pathname.slice(base.length));
    const kind = `${route ?? url.pathname} ${[...new Set(url.searchParams.keys())].sort()} ${isPart}`;
    if (seen.has(kind) || LEFT_OUT.test(url.pathname.slice(base.length))) continue;
    seen.add(kind);
    if (route !== null) routes.add(route);
    const answer = await ask(url.pathname + url.search, isPart ? { headers: { "hx-request": "true" } } : {});
    const where = `${url.pathname}${url.search}`;
    const location = answer.headers.get("location");
    if (location !== null) follow(location, where);
    // Some questions of the table need more than an address.
    const isUnasked =
      from === "the table" && /^\/(api|map)\/./.test(route ?? "") && /^4(04|22)$/.test(String(answer.status));
    if (answer.status >= 400 && !isUnasked) problems.push(`${where}, from ${from}, is answered with ${answer.status}`);
    for (const cookie of answer.headers.getSetCookie())
      if (!new RegExp(`; Path=${base}(/|;|$)`, "i").test(cookie)) problems.push(`${where} sets ${cookie}`);
    const type = answer.headers.get("content-type") ?? "";
    if (!/^(text\/(html|css|javascript)|application\/(json|manifest\+json))/.test(type)) {
      await answer.body?.cancel();
      continue;
    }
    const text = await answer.text();
    if (type.startsWith("text/html")) {
      for (const [, address = ""] of text.matchAll(ATTRIBUTE)) {
        // A picture beside a report stands beside its page.
        follow(/^[\w-]+[./]/.test(address) ? new URL(address, url).pathname : address, where);
      }
      for (const [, path = ""] of text.matchAll(ASKED_BY_SCRIPTS)) follow(base + path, where, true);
    } else if (type.includes("json")) {
      if (route === "/api/openapi.json") continue;
      for (const address of textsIn(JSON.parse(text)))
        if (address.startsWith(`${base}/`)) follow(address, where);
        else if (OWN.test(address)) problems.push(`${where} names ${address}`);
    } else if (type.startsWith("text/css")) {
      for (const [, address = ""] of text.matchAll(/url\(\s*["']?([^"')]*)/g)) {
        if (/^(\/|https?:)/.test(address)) problems.push(`${where} takes ${address}`);
      }
    } else {
      if (/["'`]\/assets\//.test(text)) problems.push(`${where} names a file from the root`);
      for (const [, address = ""] of text.matchAll(SCRIPTS))
        if (address.startsWith("./")) follow(new URL(address, url).pathname, where);
        else problems.push(`${where} imports ${address}`);
    }
  }
  return { routes, problems };
}

/** The route of a path; null when it has none. */
function routeOf(path: string): string | null {
  // Each script is another one.
  if (path.startsWith("/assets/")) return null;
  const pages = ROUTES.filter(({ method }) => method === "GET");
  const isOf = (route: string) => new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+").replace("*", ".+")}$`).test(path);
  return (pages.find((one) => one.path === path) ?? pages.find((one) => isOf(one.path)))?.path ?? null;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
