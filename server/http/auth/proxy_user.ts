import type { Settings } from "../../domain/settings/settings.ts";
import { withoutDirectionMarks } from "../../domain/text/direction_marks.ts";
import type { Session } from "../request/admitted_user.ts";
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

/**
 * Returns the role of a user whom a trusted proxy names. Where a group of admins is set, all who are not in it may look and save only,
 * also those of whom no group is named.
 */
export function proxyRole({ request }: Caller, auth: Settings["auth"]): Session["role"] {
  const { proxy_groups_header: header, proxy_admin_group: group } = auth;
  if (group === "") return "admin";
  const groups = header === "" ? [] : (request.headers.get(header) ?? "").split(",").map((one) => one.trim());
  return groups.includes(group) ? "admin" : "viewer";
}
