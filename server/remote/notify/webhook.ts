import { createHmac } from "node:crypto";
import { type Letter, typeOfMessage } from "../../domain/notify/message.ts";
import { type TargetOf, webhookKey } from "../../domain/settings/notify_address.ts";
import { type Asking, askService, type Told } from "./ask_service.ts";

/** Tells it to a webhook as Standard Webhooks has it. */
export async function tellWebhook(target: TargetOf<"generic">, letter: Letter, asking: Asking): Promise<Told> {
  const { id, code, at, title, text, level, key, url, camera } = letter;
  const data = { title, text, level, key, url, camera };
  const body = JSON.stringify({ type: typeOfMessage(code), timestamp: new Date(at).toISOString(), data });
  // That of this try: receivers refuse one of five minutes ago, and the third try comes later.
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = target.secret === null ? null : signatureOf(target.secret, `${id}.${timestamp}.${body}`);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    ...(signature !== null && { "webhook-signature": `v1,${signature}` }),
    ...(target.basic !== null && { authorization: `Basic ${Buffer.from(target.basic).toString("base64")}` }),
  };
  return await askService(target.url, { headers, body, takesPages: true }, asking);
}

function signatureOf(secret: string, signed: string): string {
  return createHmac("sha256", Buffer.from(webhookKey(secret) ?? "", "base64"))
    .update(signed)
    .digest("base64");
}
