import type { Settings } from "../../domain/settings/settings.ts";
import { withoutDirectionMarks } from "../../domain/text/direction_marks.ts";
import { isWithin } from "../request/client_address.ts";
import type { Caller } from "../request/request_context.ts";

/**
 * The user a trusted proxy names, or null. The proxy is the other end of the connection itself; a forwarded address
 * is never taken for it.
 */
export function proxyUser(context: Caller, auth: Settings["auth"]): string | null {
  if (auth.proxy_user_header === "" || !isWithin(context.peer, auth.trusted_proxies)) return null;
  const name = withoutDirectionMarks(context.request.headers.get(auth.proxy_user_header) ?? "").trim() || null;
  // Two headers of the name arrive joined: one of them may be the client's own.
  return name?.includes(",") ? null : name;
}
