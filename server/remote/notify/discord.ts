import { cutTo, type Letter, withLink } from "../../domain/notify/message.ts";
import type { TargetOf } from "../../domain/settings/notify_address.ts";
import { type Asking, askService, type Told } from "./ask_service.ts";

const LONGEST = 2000;

/** Tells it to a Discord channel by its webhook. */
export async function tellDiscord(
  { api, id, token }: TargetOf<"discord">,
  letter: Letter,
  asking: Asking,
): Promise<Told> {
  const { picture } = letter;
  const content = cutTo(`**${cutTo(letter.title, 200)}**\n${withLink(letter)}`, LONGEST);
  const form = new FormData();
  // A name such as @everyone in a text calls no members.
  form.set("payload_json", JSON.stringify({ content, allowed_mentions: { parse: [] } }));
  if (picture !== null) form.set("files[0]", new Blob([picture], { type: "image/jpeg" }), "event.jpg");
  return await askService(`${api}/api/webhooks/${id}/${token}?wait=true`, { body: form }, asking);
}
