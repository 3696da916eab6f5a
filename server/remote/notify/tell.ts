import type { Letter } from "../../domain/notify/message.ts";
import { readTarget, secretsIn, type Target, type TargetKind } from "../../domain/settings/notify_address.ts";
import type { Asking, Told } from "./ask_service.ts";

/** Kinds that get pictures over HTTP. */
const PICTURED: ReadonlySet<TargetKind> = new Set(["ntfy", "telegram", "discord", "apprise"]);
/** These refusals are about the message itself: without its picture it would be refused as well. */
const NOT_THE_PICTURE: ReadonlySet<number> = new Set([401, 403, 404, 408, 429]);
/** A mail server says so that a message is too large. */
const TOO_LARGE = 552;

/**
 * Tells a service something, once. Where the picture is refused, it gets the text alone. What speaks to a service is
 * loaded when there is one of its kind.
 * @throws the signal's reason when that aborts
 */
export async function tell(address: string, letter: Letter, asking: Omit<Asking, "secrets">): Promise<Told> {
  const target = readTarget(address);
  const own: Asking = { ...asking, secrets: secretsIn(address) };
  const told = await tellOnce(target, letter, own);
  if (letter.picture === null || told.ok || !isOfPicture(target.kind, told.status ?? 0)) return told;
  return await tellOnce(target, { ...letter, picture: null }, own);
}

function isOfPicture(kind: TargetKind, status: number): boolean {
  if (kind === "smtp") return status === TOO_LARGE;
  return PICTURED.has(kind) && status >= 400 && status < 500 && !NOT_THE_PICTURE.has(status);
}

async function tellOnce(target: Target, letter: Letter, own: Asking): Promise<Told> {
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
