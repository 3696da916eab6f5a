import { type Letter, withLink } from "../../domain/notify/message.ts";
import type { TargetOf } from "../../domain/settings/notify_address.ts";
import { type Asking, askService, type Told } from "./ask_service.ts";

const TYPE = { info: "info", warning: "warning", error: "failure" } as const;

/** Tells it to an Apprise server, which passes it on to the services that it has under the key. */
export async function tellApprise({ base, key }: TargetOf<"apprise">, letter: Letter, asking: Asking): Promise<Told> {
  const { title, level, picture } = letter;
  const fields = { title, body: withLink(letter), type: TYPE[level] };
  const url = `${base}/notify/${key}`;
  if (picture === null)
    return await askService(
      url,
      { headers: { "content-type": "application/json", accept: "application/json" }, body: JSON.stringify(fields) },
      asking,
    );
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("attach", new Blob([picture], { type: "image/jpeg" }), "event.jpg");
  return await askService(url, { headers: { accept: "application/json" }, body: form }, asking);
}
