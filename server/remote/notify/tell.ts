import type { Letter } from "../../domain/notify/message.ts";
import { readTarget, secretsIn } from "../../domain/settings/notify_address.ts";
import type { Asking, Told } from "./ask_service.ts";

/**
 * Tells a service something, once. What speaks to a service is loaded when there is one of its kind.
 * @throws the signal's reason when that aborts
 */
export async function tell(address: string, letter: Letter, asking: Omit<Asking, "secrets">): Promise<Told> {
  const target = readTarget(address);
  const own: Asking = { ...asking, secrets: secretsIn(address) };
  switch (target.kind) {
    case "ntfy":
      return await (await import("./ntfy.ts")).tellNtfy(target, letter, own);
    case "generic":
      return await (await import("./webhook.ts")).tellWebhook(target, letter, own);
    case "gotify":
      return await (await import("./gotify.ts")).tellGotify(target, letter, own);
    case "telegram":
      return await (await import("./telegram.ts")).tellTelegram(target, letter, own);
    case "discord":
      return await (await import("./discord.ts")).tellDiscord(target, letter, own);
    case "smtp":
      return await (await import("./email.ts")).tellByMail(target, letter, own);
    case "apprise":
      return await (await import("./apprise.ts")).tellApprise(target, letter, own);
  }
}
