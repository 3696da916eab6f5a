import { AppError } from "../../domain/answers/errors.ts";
import { isOwnHost } from "../../domain/settings/host_names.ts";
import { shown } from "../../domain/text/shown.ts";
import { lastHop } from "../request/client_address.ts";
import type { HttpApp } from "../request/http_app.ts";
import type { RequestContext } from "../request/request_context.ts";

/** Paths that only show that the service is there, or ask for a token of their own. */
const ANY_NAME: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Refuses a request by a foreign name while no sign-in protects the service. A page elsewhere could lead a name of its
 * own here and then be, to the browser, this service (DNS rebinding). A request that names two hosts is refused in
 * every mode: a proxy in front may have gone by the other one.
 * @param path of the route that was found, if any
 * @throws AppError BAD_HOST, HOST_NOT_ALLOWED
 */
export function checkHost(
  context: RequestContext,
  path: string | undefined,
  app: Pick<HttpApp, "settings" | "machine">,
): void {
  const { auth, web } = app.settings.current;
  const host = context.request.headers.get("host") ?? "";
  // Several headers of one name are joined by commas, which no host has in its name.
  if (host.includes(",")) throw new AppError("BAD_HOST", "The request names more than one host. Send one Host header");
  if (auth.mode === "proxy" || (auth.mode === "login" && auth.password_hash !== "")) return;
  if (path !== undefined && ANY_NAME.has(path)) return;
  if (isOwnHost(host, { machine: app.machine, allowed: web.allowed_hosts })) return;
  const message =
    `This service does not answer as ${shown(host)} while it asks for no sign-in. Open it by its IP address, ` +
    "or add the name to web.allowed_hosts in the settings";
  throw new AppError("HOST_NOT_ALLOWED", message, { host: host.slice(0, 256) });
}

/**
 * True when another site made the browser send this. `Sec-Fetch-Site` is the browser's own statement, sent over HTTPS
 * and on this machine. Elsewhere the `Origin` has to be the request's own host, by the scheme that a proxy in front
 * tells. Programs send neither.
 */
export function isFromElsewhere(context: RequestContext): boolean {
  const { headers } = context.request;
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site === "cross-site" || origin === "null") return true;
  if (origin === null || site === "same-origin") return false;
  if (!URL.canParse(origin)) return true;
  const { host, protocol } = new URL(origin);
  // An unencrypted page of the same name may be written by anyone on its way.
  const scheme = lastHop(context.forwarded("proto")).toLowerCase();
  if (scheme !== "" && protocol !== `${scheme}:`) return true;
  const asked = [headers.get("host") ?? "", lastHop(context.forwarded("host"))];
  return !asked.some((name) => name !== "" && hostOf(name, protocol) === host);
}

/** Name and port as an `Origin` has them: in small letters, and without the default port. */
function hostOf(name: string, protocol: string): string {
  const address = `${protocol}//${name}`;
  return URL.canParse(address) ? new URL(address).host : "";
}
