import { lastHop } from "./client_address.ts";
import type { Caller } from "./request_context.ts";

/** The address by which a client has reached this service, such as `https://dashcam.example:8443` or one with a path. */
export function ownAddress(context: Caller): string {
  const host = lastHop(context.forwarded("host")) || (context.request.headers.get("host") ?? "");
  const address = `${context.isHttps ? "https" : "http"}://${host}`;
  const origin = URL.canParse(address) ? new URL(address).origin : `http://localhost:${context.port}`;
  return origin + context.base;
}
