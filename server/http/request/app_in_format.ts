import type { ZoneTime } from "../../domain/text/zone_time.ts";
import type { Caller } from "./request_context.ts";

/** The app as an answer shows it: with times in the format of the client's language, where it tells one. */
export function inFormatOf<A extends { readonly zone: ZoneTime }>(context: Caller, app: A): A {
  if (!context.request.headers.has("accept-language")) return app;
  return Object.create(app, { zone: { get: () => app.zone.as(context.timeFormat) } });
}
