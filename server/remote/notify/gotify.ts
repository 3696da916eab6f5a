import type { Letter } from "../../domain/notify/message.ts";
import type { TargetOf } from "../../domain/settings/notify_address.ts";
import { type Asking, askService, type Told } from "./ask_service.ts";

const PRIORITY = { info: 4, warning: 6, error: 8 } as const;

/** Tells it to a Gotify server, which takes no pictures. */
export async function tellGotify(
  { base, token }: TargetOf<"gotify">,
  { title, text: message, level, url }: Letter,
  asking: Asking,
): Promise<Told> {
  const extras = url === null ? {} : { extras: { "client::notification": { click: { url } } } };
  const body = JSON.stringify({ title, message, priority: PRIORITY[level], ...extras });
  const headers = { "content-type": "application/json", "x-gotify-key": token };
  return await askService(`${base}/message`, { headers, body }, asking);
}
