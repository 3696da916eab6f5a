import type { TargetKind } from "../settings/notify_address.ts";
import { counted } from "../text/format.ts";

/** Says what a service learns from messages. */
export const LEARNS: Readonly<Record<TargetKind, string>> = {
  ntfy: "This server, and everyone who knows the topic, can read the messages and see the pictures.",
  generic: "The receiver gets the text, the name of the recording and the link. It gets no picture.",
  gotify: "Your Gotify server keeps the text and the link. It gets no picture.",
  telegram: "Telegram, and everyone in the chat, can read the messages and see the pictures.",
  discord: "Discord, and everyone in the channel, can read the messages and see the pictures.",
  smtp: "Your mail server, and those of the receivers, can read the messages and see the pictures.",
  apprise: "Your Apprise server passes text and picture on to the services under this key.",
};

/** An address as people copy it from a service. */
export const EXAMPLES: Readonly<Record<TargetKind, string>> = {
  ntfy: "https://ntfy.sh/your-topic",
  generic: "https://host/path",
  gotify: "gotify://host/token",
  telegram: "telegram://TOKEN@telegram?chats=CHAT",
  discord: "https://discord.com/api/webhooks/…",
  smtp: "smtp://user:password@host:587/?from=me@example.org&to=me@example.org",
  apprise: "apprise://host:8000/key?scheme=http",
};

/** A failed try in a word: the service said no, or nothing answered. */
export function failedWord(status: number | null): string {
  return status === null ? "No answer" : "Refused";
}

/** The answer in two or three lines: the status, and the text. */
export function cameBack(status: number | null, answer: string, milliseconds?: number): string {
  const time = milliseconds === undefined ? "" : `${milliseconds} ms`;
  const head = [status === null ? "" : String(status), time].filter(Boolean).join("  ");
  return [head, answer || (status === null ? "" : "(no text)")].filter(Boolean).join("\n");
}

/** A service that messages were given up for. */
export interface NotifyTrouble {
  readonly name: string;
  readonly lost: number;
}

/** Says on the dashboard that a service did not get what it was to be told. */
export function troubleInWords({ name, lost }: NotifyTrouble): string {
  const [messages, them] = lost === 1 ? ["A message", "it"] : [counted(lost, "message"), "them"];
  return `${messages} did not reach you: ${name} did not take ${them}.`;
}
