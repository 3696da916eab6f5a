import type { Letter } from "../../domain/notify/message.ts";
import type { TargetOf } from "../../domain/settings/notify_address.ts";
import { type Asking, askService, type Told } from "./ask_service.ts";

const PRIORITY = { info: 3, warning: 4, error: 5 } as const;
/** Tells it to an ntfy topic, with the picture as an attachment. */
export async function tellNtfy(target: TargetOf<"ntfy">, letter: Letter, asking: Asking): Promise<Told> {
  const { base, topic } = target;
  const { title, text: message, level, url, picture } = letter;
  const headers = authorization(target);
  if (picture !== null) {
    // Headers hold ASCII only; parameters hold every language.
    const query = new URLSearchParams({ title, message, priority: String(PRIORITY[level]), filename: "event.jpg" });
    if (url !== null) query.set("click", url);
    const put = { method: "PUT", headers: { ...headers, "content-type": "image/jpeg" }, body: picture } as const;
    return await askService(`${base}/${topic}?${query}`, put, asking);
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
