import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { secondsOf } from "../domain/recordings/recording_name.ts";
import { keyIn, splitKey } from "../domain/settings/camera_key.ts";
import { addressForOthers, publicAddress } from "../domain/settings/public_address.ts";
import {
  DAY_MS,
  endOf,
  FEWEST_DAYS,
  LONGEST_LINK_PASSWORD,
  LONGEST_SHARE_NOTE,
  MOST_DAYS,
  MOST_SHARED,
  MOST_SHARES,
  SHORTEST_LINK_PASSWORD,
  type Share,
  type Shared,
  USUAL_DAYS,
} from "../domain/shares/share.ts";
import { MADE_SHARE, SHARES } from "../domain/shares/share_schema.ts";
import { HIDDEN_METERS, MOST_MORE_METERS } from "../domain/shares/shared_track.ts";
import type { ExportWanted } from "../domain/viewer/export_choice.ts";
import { sharesNow } from "../engine/shares/share_facts.ts";
import { filmOfShare, sizesOf, tripEnds } from "../engine/shares/shared_clips.ts";
import { linkPath, newToken } from "../http/auth/link_access.ts";
import { ownAddress } from "../http/request/own_address.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { noContent } from "../http/request/respond.ts";
import { digestOf } from "../store/config/share_list.ts";
import type { Segment } from "../store/library/recording_files.ts";
import { keyedError } from "./cameras_asked.ts";
import { endpoint, responseEndpoint } from "./endpoint.ts";
import { chosenClips, NOT_ONE_SPAN, ofOneCamera, onlySpanOf } from "./export_span.ts";
import { RECORDING_KEY } from "./recording_keys.ts";

const LOGGER = "http";
const KEY = v.nullish(v.message(RECORDING_KEY, NOT_ONE_SPAN));
const SECONDS = v.nullish(
  v.union(
    [v.pipe(v.number(), v.minValue(0)), v.pipe(v.string(), v.regex(/^[0-9]{1,9}(\.[0-9]+)?$/), v.transform(Number))],
    NOT_ONE_SPAN,
  ),
);
const SPAN = v.message(
  v.strictObject({ key: KEY, trip: KEY, from: KEY, to: KEY, from_seconds: SECONDS, to_seconds: SECONDS }),
  NOT_ONE_SPAN,
);

const NO_DIRECTIONS = "directions must be letters of cameras, such as FR";
const NO_DAYS = `days must be a whole number from ${FEWEST_DAYS} to ${MOST_DAYS}`;
const NO_PASSWORD = `The password must have ${SHORTEST_LINK_PASSWORD} to ${LONGEST_LINK_PASSWORD} characters`;
const NO_NOTE = `The note must have at most ${LONGEST_SHARE_NOTE} characters`;
const flag = (name: string) => v.optional(v.boolean(`${name} must be true or false`), false);

const ASKED = v.pipe(
  v.strictObject(
    {
      span: v.pipe(SPAN, v.description("As the query of `GET /film/F.mp4`")),
      directions: v.pipe(
        v.nullish(v.pipe(v.string(NO_DIRECTIONS), v.regex(/^[A-Z]{1,26}$/, NO_DIRECTIONS))),
        v.description("All of the span when left out"),
      ),
      days: v.optional(
        v.pipe(v.number(NO_DAYS), v.integer(NO_DAYS), v.minValue(FEWEST_DAYS, NO_DAYS), v.maxValue(MOST_DAYS, NO_DAYS)),
        USUAL_DAYS,
      ),
      place: flag("place"),
      sound: flag("sound"),
      download: flag("download"),
      password: v.nullish(
        v.pipe(
          v.string(NO_PASSWORD),
          v.minLength(SHORTEST_LINK_PASSWORD, NO_PASSWORD),
          v.maxLength(LONGEST_LINK_PASSWORD, NO_PASSWORD),
        ),
      ),
      note: v.nullish(v.pipe(v.string(NO_NOTE), v.maxLength(LONGEST_SHARE_NOTE, NO_NOTE))),
    },
    ({ expected }) => (expected === "never" ? "There is no such field" : NOT_ONE_SPAN),
  ),
  refusedAs("VALIDATION_ERROR"),
);

export const makeShare = endpoint({
  summary: "Makes a link by which people without a sign-in see a part of a trip",
  description:
    "It shows films of the recordings that are at home now, and nothing else. Its address is told this once: only a digest of it is kept.",
  body: ASKED,
  shape: MADE_SHARE,
  status: 201,
  returns: "The link",
  errors: [
    "SHARING_OFF",
    "TOO_MANY_SHARES",
    "RECORDING_NOT_FOUND",
    "NOT_ONE_FILM",
    "RATE_LIMITED",
    "SHARE_NOT_SAVED",
    "VALIDATION_ERROR",
  ],
  async answer({ context, body }, all: App) {
    const { clock, settings, shares, passwords, log } = all;
    if (!settings.current.share.enabled)
      throw new AppError("SHARING_OFF", "Links are switched off. Switch them on in the settings first.");
    const now = clock.now();
    if (shares.all.filter((share) => endOf(share, now) === null).length >= MOST_SHARES)
      throw new AppError("TOO_MANY_SHARES", `${MOST_SHARES} links hold already. Revoke one first.`);
    const { query: wanted, app } = ofOneCamera(wantedOf(body.span), all);
    const { clips } = await chosenClips(wanted, app);
    if (clips.length > MOST_SHARED) throw tooLong();
    const shared = await sharedOf(body, wanted, clips, app);
    const token = newToken();
    const share: Share = {
      ...shared,
      id: crypto.randomUUID(),
      token: digestOf(token),
      password: body.password ? await passwords.hash(body.password, true) : null,
      note: body.note?.trim() || null,
      made: now,
      expires: now + body.days * DAY_MS,
      revoked: null,
      ended: null,
      views: 0,
      viewed: null,
      hidden: body.place ? await tripEnds(clips, app) : [],
      radius: HIDDEN_METERS + randomBelow(MOST_MORE_METERS),
    };
    if (!(await shares.add(share))) throw notSaved("The link could not be saved, so there is none.");
    log.info(LOGGER, `A link was made that shows ${clips.length} recordings for ${body.days} days`);
    const url = publicAddress(addressForOthers(settings.current) ?? ownAddress(context), linkPath(token));
    return { id: share.id, url, expires_at: new Date(share.expires).toISOString() };
  },
});

export const listShares = endpoint({
  summary: "The links that people without a sign-in can open, the newest first",
  description: "Never their addresses: these are told once, when a link is made.",
  shape: SHARES,
  returns: "The links, also while `share.enabled` is off and none of them opens",
  answer: async (_, { shares, cameras, clock }: App) =>
    await sharesNow(shares.all, clock.now(), (id) => cameras.of(id)),
});

export const revokeShare = responseEndpoint({
  summary: "Ends a link at once",
  params: v.object({
    id: v.pipe(v.string(), v.description("As the list has it"), refusedAs("SHARE_NOT_FOUND")),
  }),
  answers: { 204: { description: "It is ended" } },
  errors: ["SHARE_NOT_FOUND", "SHARE_NOT_SAVED"],
  async respond({ params: { id } }, { shares, log }: Pick<App, "shares" | "log">) {
    const share = shares.get(id);
    if (share === null) throw new AppError("SHARE_NOT_FOUND", "There is no such link.");
    const isSaved = await shares.revoke(id);
    log.info(LOGGER, "A link was revoked");
    if (!isSaved) throw notSaved("The link has ended, but that could not be saved: it may open again after a restart.");
    return noContent();
  },
});

/** Returns the clips as a link shows them. @throws AppError RECORDING_NOT_FOUND, NOT_ONE_FILM */
async function sharedOf(
  { span, directions: asked, place, sound, download }: v.InferOutput<typeof ASKED>,
  wanted: ExportWanted,
  clips: readonly Segment[],
  app: App,
): Promise<Shared> {
  const [first, last] = [clips[0]?.key ?? "", clips.at(-1)?.key ?? ""];
  const there = new Set(clips.flatMap(({ parts }) => [...parts.cameras]));
  const letters = [...new Set(asked ?? [...there].sort())];
  if (!letters.every((letter) => there.has(letter)))
    throw keyedError(
      new AppError("RECORDING_NOT_FOUND", "There is no recording of this camera", { recording: first }),
      app,
    );
  const isRange = wanted.kind === "range";
  const starts = secondsOf(first) + (isRange && first === wanted.from ? wanted.fromSeconds : 0);
  const to = isRange && last === wanted.to && Number.isFinite(wanted.toSeconds) ? wanted.toSeconds : null;
  const shared = {
    camera: app.camera.id,
    span: askedSpan(span, app.camera.id),
    keys: clips.map(({ key }) => key),
    videos: clips.map(({ parts }) => parts.videos.map(({ direction }) => direction).join("")),
    sizes: await sizesOf(clips, app.recordings.root),
    from: starts - secondsOf(first),
    to,
    directions: letters.join(""),
    place,
    sound,
    download,
    starts,
    ends: starts,
  };
  const films = await Promise.all(letters.map((letter) => filmOfShare(shared, letter, clips, app)));
  const ends = films.flatMap((film) => {
    const last = film?.facts.places.at(-1);
    return film && last ? [secondsOf(last.key) + last.from + film.facts.seconds - last.at] : [];
  });
  if (ends.length === 0) {
    const reason = "There is no recording that can be part of a film.";
    throw new AppError("NOT_ONE_FILM", reason, { reason });
  }
  const end = Math.max(starts, ...ends);
  return { ...shared, ends: to === null ? end : Math.min(end, Math.max(starts, secondsOf(last) + to)) };
}

/** @throws AppError VALIDATION_ERROR when it names none, or ends before it begins */
function wantedOf(span: v.InferOutput<typeof SPAN>): ExportWanted {
  const { key = null, trip = null, from = null, to = null, from_seconds, to_seconds } = span;
  const seconds = { from_seconds: from_seconds ?? 0, to_seconds: to_seconds ?? Number.POSITIVE_INFINITY };
  const wanted = onlySpanOf({ key, trip, from, to, ...seconds });
  if (wanted !== null) return wanted;
  const field_errors = [{ path: "span", message: NOT_ONE_SPAN }];
  throw new AppError("VALIDATION_ERROR", NOT_ONE_SPAN, { field_errors });
}

/** As it was asked for, but keys as answers have them. */
function askedSpan(span: v.InferOutput<typeof SPAN>, camera: string): Shared["span"] {
  const given = Object.entries(span).flatMap(([name, value]): [string, string | number][] => {
    if (value === null || value === undefined) return [];
    return [[name, typeof value === "string" ? keyIn(camera, splitKey(value).bare) : value]];
  });
  return Object.fromEntries(given);
}

function tooLong(): AppError {
  const message = `A link shows at most ${MOST_SHARED} recordings. Choose a shorter part.`;
  return new AppError("VALIDATION_ERROR", message, { field_errors: [{ path: "span", message }] });
}

function notSaved(message: string): AppError {
  return new AppError("SHARE_NOT_SAVED", message);
}

function randomBelow(most: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return (random / 2 ** 32) * most;
}
