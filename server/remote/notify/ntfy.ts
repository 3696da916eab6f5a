import type { Letter } from "../../domain/notify/message.ts";
import type { TargetOf } from "../../domain/settings/notify_address.ts";
import { type Asking, askService, type Told } from "./ask_service.ts";

const PRIORITY = { info: 3, warning: 4, error: 5 } as const;
/** A server that takes no pictures answers so; others mean the message itself. */
const NOT_THE_PICTURE: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** Tells it to an ntfy topic: with a picture as an attachment where the server takes one. */
export async function tellNtfy(target: TargetOf<"ntfy">, letter: Letter, asking: Asking): Promise<Told> {
  const { base, topic } = target;
  const { title, text: message, level, url, picture } = letter;
  const headers = authorization(target);
  if (picture !== null) {
    // Headers hold ASCII only; parameters hold every language.
    const query = new URLSearchParams({ title, message, priority: String(PRIORITY[level]), filename: "event.jpg" });
    if (url !== null) query.set("click", url);
    const put = { method: "PUT", headers: { ...headers, "content-type": "image/jpeg" }, body: picture } as const;
    const told = await askService(`${base}/${topic}?${query}`, put, asking);
    const isRefused = told.status !== null && told.status >= 400 && !NOT_THE_PICTURE.has(told.status);
    if (!isRefused) return told;
  }
  const body = { topic, title, message, priority: PRIORITY[level], ...(url !== null && { click: url }) };
  return await askService(
    `${base}/`,
    { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) },
    asking,
  );
}

function authorization({ user, password }: TargetOf<"ntfy">): Record<string, string> {
  if (password === null) return {};
  if (user === null || user === "") return { authorization: `Bearer ${password}` };
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}
