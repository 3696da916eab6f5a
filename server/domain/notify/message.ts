import type { NotifyCode } from "../settings/sections/notify.ts";

export const MESSAGE_LEVELS = ["info", "warning", "error"] as const;
export type MessageLevel = (typeof MESSAGE_LEVELS)[number];

/** Things that are told; a summary follows quiet hours, and a test was asked for. */
export type MessageCode = NotifyCode | "summary" | "test";

/** Something to tell, as it waits until every service has it. */
export interface Message {
  /** The same at every try, so that a receiver can tell a repetition. */
  readonly id: string;
  readonly code: MessageCode;
  /** Epoch milliseconds of the event. */
  readonly at: number;
  readonly title: string;
  readonly text: string;
  readonly level: MessageLevel;
  /** The recording that it is about, of a further camera with `<id>~` before it. */
  readonly key: string | null;
  /** The page that it leads to. */
  readonly path: string;
  /** The name of the camera; null where there is only one that was never named. */
  readonly camera: string | null;
}

/** A message as a service is told it. */
export interface Letter extends Omit<Message, "path"> {
  /** Null while the address of this service is not known. */
  readonly url: string | null;
  /** JPEG of the event; null without one. */
  readonly picture: Uint8Array<ArrayBuffer> | null;
}

/** The type of a message in a webhook's body. */
export function typeOfMessage(code: MessageCode): string {
  return `dashdock.${code}`;
}

/** Cuts a text to so many characters, which count as UTF-16 as services do. */
export function cutTo(text: string, length: number): string {
  if (text.length <= length) return text;
  // Half of a pair of surrogates is no character.
  const cut = text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "");
  return `${cut}…`;
}

/** The text with the link below it. */
export function withLink({ text, url }: Pick<Letter, "text" | "url">): string {
  return [text, url].filter(Boolean).join("\n");
}
