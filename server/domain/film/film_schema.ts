import * as v from "valibot";
import { count, number, orNull, text, whole } from "../answers/answer_fields.ts";

const GAP = v.object({
  after: text("The key of the recording before it"),
  seconds: number("How long it is; the film goes on without it"),
});

const PLACE = v.object({
  key: text("The key of the recording"),
  at: number("Seconds of the film at which it begins"),
  from: number("Seconds on the recording's own clock at which it begins there"),
});

export const FILM = v.object({
  direction: text("The letter of the camera's direction"),
  seconds: number("Its length; 0 when there is none"),
  bytes: count,
  clips: whole("Recordings that are in it"),
  gaps: v.array(GAP),
  places: v.optional(
    v.pipe(v.array(PLACE), v.description("Where each recording begins in it, by time; only with `places=true`")),
  ),
  starts_at: orNull(v.string(), "Camera time of its first picture, ISO 8601 without an offset; null without a film"),
  cannot: orNull(v.string(), "Why it does not reach the end of the span, as a sentence; null when it does"),
});

export type Film = v.InferOutput<typeof FILM>;

export const FILMS = v.object({ cameras: v.array(FILM) });
export type Films = v.InferOutput<typeof FILMS>;
