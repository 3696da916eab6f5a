import { cutTo, type Letter } from "../../domain/notify/message.ts";
import type { TargetOf } from "../../domain/settings/notify_address.ts";
import { type Asking, askService, type Told } from "./ask_service.ts";

/** Longest text beside a picture, and longest text alone. */
const CAPTION = 1024;
const TEXT = 4096;

/**
 * Tells it to the chats of a Telegram bot. When one of them takes it, it counts as taken: another try would repeat it
 * there. A test tells of the first chat that refuses it.
 */
export async function tellTelegram(target: TargetOf<"telegram">, letter: Letter, asking: Asking): Promise<Told> {
  const { api, token, chats } = target;
  const all: Told[] = [];
  for (const chat of chats) all.push(await tellChat(`${api}/bot${token}`, chat, letter, asking));
  const refused = all.find(({ ok }) => !ok);
  const taken = all.find(({ ok }) => ok);
  const told = (letter.code === "test" ? (refused ?? taken) : (taken ?? refused)) ?? null;
  if (told === null) throw new Error("a Telegram target has at least one chat");
  return told;
}

async function tellChat(bot: string, chat: string, letter: Letter, asking: Asking): Promise<Told> {
  const { picture } = letter;
  const form = new FormData();
  form.set("chat_id", chat);
  form.set("parse_mode", "HTML");
  form.set(picture === null ? "text" : "caption", written(letter, picture === null ? TEXT : CAPTION));
  if (picture !== null) form.set("photo", new Blob([picture], { type: "image/jpeg" }), "event.jpg");
  return await askService(`${bot}/${picture === null ? "sendMessage" : "sendPhoto"}`, { body: form }, asking);
}

/** The limit counts what is left of the marks, so a text that fits with them fits. */
function written({ title, text, url }: Letter, limit: number): string {
  const head = cutTo(title, 200);
  // A form sends the end of a line as two characters.
  const lines = `${head}${text}`.split("\n").length + 2;
  const rest = limit - head.length - (url?.length ?? 0) - 2 * lines;
  const link = url === null ? [] : [escaped(url)];
  return [`<b>${escaped(head)}</b>`, escaped(cutTo(text, Math.max(1, rest))), ...link].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
