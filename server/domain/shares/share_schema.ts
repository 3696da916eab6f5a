import * as v from "valibot";
import { count, moment, number, orNull, text, whole } from "../answers/answer_fields.ts";

const SPAN = v.looseObject({});

const SHARE_FACTS = {
  id: text("Names the link to its owner; it opens nothing"),
  span: v.pipe(SPAN, v.description("As it was asked for")),
  camera: text("The camera that its recordings are of"),
  starts_at: text("Camera time at which it begins, ISO 8601 without an offset"),
  ends_at: text("Camera time at which it ends"),
  directions: text("Letters of the camera directions"),
  place: v.boolean(),
  sound: v.boolean(),
  download: v.boolean(),
  note: orNull(v.string(), "For its owner alone"),
  made_at: moment,
  expires_at: moment,
  views: whole("How often its page was opened"),
  last_view: orNull(moment, "Null when nobody has opened it"),
  has_password: v.boolean(),
  recordings: v.object({ there: count, missing: whole("Those that are deleted by now, or not available") }),
};

export const SHARE = v.object(SHARE_FACTS);

export type ShareFacts = v.InferOutput<typeof SHARE>;

export const SHARES = v.object({
  shares: v.array(SHARE),
  ended: v.pipe(
    v.array(v.object({ ...SHARE_FACTS, ended_at: moment, revoked: v.boolean() })),
    v.description("Those that ended within 30 days"),
  ),
});

export type Shares = v.InferOutput<typeof SHARES>;

export const MADE_SHARE = v.object({
  id: SHARE_FACTS.id,
  url: text("The address for others; it is told this once"),
  expires_at: moment,
});

export type MadeShare = v.InferOutput<typeof MADE_SHARE>;

/** Answer of a link's `track.json`. */
export const SHARED_TRACK = v.object({
  forces: v.pipe(
    v.array(v.tuple([number("Seconds"), number("g")])),
    v.description("Strongest force of each fifth of a second, where the track is shown"),
  ),
  stretches: v.pipe(
    v.array(v.array(v.tuple([number("Seconds"), number("Latitude"), number("Longitude"), v.nullable(v.number())]))),
    v.description("Seconds since the beginning of the span, latitude, longitude, and knots or null"),
  ),
});
