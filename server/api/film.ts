import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { lackInWords } from "../domain/film/film_lack.ts";
import { FILMS } from "../domain/film/film_schema.ts";
import { secondsOf } from "../domain/recordings/recording_name.ts";
import { keyIn } from "../domain/settings/camera_key.ts";
import { exportName } from "../domain/viewer/export_choice.ts";
import { refusedAs } from "../http/request/read_request.ts";
import type { Film } from "../store/clips/film.ts";
import { keyedError } from "./cameras_asked.ts";
import { endpoint, responseEndpoint, SWITCH } from "./endpoint.ts";
import {
  type AllCameras,
  type Chosen,
  chosenClips,
  NOT_ONE_SPAN,
  ofOneCamera,
  onlySpanOf,
  SPAN_QUERY,
  type SpanParts,
} from "./export_span.ts";
import { filmAnswer } from "./film_answer.ts";

type Parts = SpanParts & AllCameras & Pick<App, "camera" | "films">;

type Clips = Pick<Chosen, "wanted" | "clips">;

const NO_SUCH_CAMERA = "There is no recording of this camera";

const DIRECTION = v.pipe(
  v.string(),
  v.regex(/^[A-Z]\.mp4$/, NO_SUCH_CAMERA),
  v.transform((name) => name.charAt(0)),
  v.description("The letter of the camera's direction, with `.mp4` behind it: `F.mp4`"),
);

const YES = v.fallback(v.nullable(v.picklist(["true", "1"])), null);
/** Refuses a query that is not understood: a film that was to be plain would have the camera's places in it. */
const PLAIN = v.pipe(
  v.nullable(v.picklist(["true", "1", "false", "0"], "plain must be true or false")),
  v.transform((text) => text === "true" || text === "1"),
  v.description("`true`: without every byte that no picture and no sound of the span needs"),
  refusedAs("VALIDATION_ERROR", "plain"),
);

const WANTED = v.pipe(
  v.object({
    ...SPAN_QUERY,
    plain: PLAIN,
    download: v.pipe(SWITCH, v.description("`1` saves the film instead of showing it")),
  }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const wanted = onlySpanOf(value);
    if (wanted !== null) return { wanted, isPlain: value.plain, isDownload: value.download !== null };
    addIssue({ message: NOT_ONE_SPAN });
    return NEVER;
  }),
  refusedAs("VALIDATION_ERROR", "key"),
);

const FACTS_WANTED = v.pipe(
  v.object({
    ...SPAN_QUERY,
    plain: PLAIN,
    places: v.pipe(YES, v.description("`true`: with the place of each recording in its film")),
  }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const wanted = onlySpanOf(value);
    if (wanted !== null) return { wanted, isPlain: value.plain, hasPlaces: value.places !== null };
    addIssue({ message: NOT_ONE_SPAN });
    return NEVER;
  }),
  refusedAs("VALIDATION_ERROR", "key"),
);

export const film = responseEndpoint({
  summary: "All clips of one camera in a recording, a trip or a range as one video",
  description:
    "A header that is made at once, before the bytes of the recordings as they are: nothing is decoded. It begins with the last key frame not after `from_seconds`. Gaps between recordings are left out; `GET /api/viewer/film` lists them. What lies in several files comes in chunks: HEAD tells how long it is.",
  params: v.pipe(v.object({ name: DIRECTION }), refusedAs("RECORDING_NOT_FOUND", "recording")),
  query: WANTED,
  headers: {
    Range: "The bytes that are wanted",
    "If-Range": "Only if the film is still this one, by ETag",
    "If-None-Match": "Not if the film is still this one, by ETag",
  },
  answers: {
    200: { description: "The film", type: "video/mp4" },
    206: { description: "The part that was asked for", type: "video/mp4" },
    304: { description: "What you have is still right" },
    416: { description: "The film has no such part" },
  },
  errors: ["RECORDING_NOT_FOUND", "NOT_ONE_FILM", "TOO_MANY_STREAMS", "VALIDATION_ERROR"],
  async respond(
    { context, params: { name: direction }, query: asked },
    all: Parts & Pick<App, "mediaFiles" | "filmStreams" | "log">,
  ) {
    const { query, app } = ofOneCamera(asked.wanted, all);
    const span = await chosenClips(query, app);
    if (!directionsOf(span).includes(direction))
      throw keyedError(new AppError("RECORDING_NOT_FOUND", NO_SUCH_CAMERA, { recording: span.clips[0]?.key }), app);
    const found = await filmOf(app, span, direction, asked.isPlain);
    if (found.length === 0) {
      const reason = found.facts.cannot === null ? "" : lackInWords(found.facts.cannot, context.timeFormat);
      throw new AppError("NOT_ONE_FILM", `There is no recording that can be part of a film. ${reason}`, { reason });
    }
    return await filmAnswer(context, found, {
      app,
      etag: found.etag,
      cache: "private, no-cache",
      name: nameOf(span, found, direction),
      isDownload: asked.isDownload,
      slots: app.filmStreams,
      session: context.streamOwner,
    });
  },
});

export const filmFacts = endpoint({
  summary: "What the films of a recording, a trip or a range are like: one for each camera direction",
  query: FACTS_WANTED,
  shape: FILMS,
  returns: "The films by direction",
  errors: ["RECORDING_NOT_FOUND", "VALIDATION_ERROR"],
  async answer({ context, query: asked }, all: Parts) {
    const { query, app } = ofOneCamera(asked.wanted, all);
    const keyOf = (key: string) => keyIn(app.camera.id, key);
    const span = await chosenClips(query, app);
    const cameras = [];
    for (const direction of directionsOf(span)) {
      const { facts, length } = await filmOf(app, span, direction, asked.isPlain);
      const { seconds, clips, gaps, places, startsAt, cannot } = facts;
      cameras.push({
        direction,
        seconds: thousandths(seconds),
        bytes: length,
        clips,
        gaps: gaps.map((gap) => ({ after: keyOf(gap.after), seconds: gap.seconds })),
        ...(asked.hasPlaces && {
          places: places.map(({ key, at, from }) => ({
            key: keyOf(key),
            at: thousandths(at),
            from: thousandths(from),
          })),
        }),
        starts_at: startsAt === null ? null : wallText(startsAt),
        cannot: cannot === null ? null : lackInWords(cannot, context.timeFormat),
      });
    }
    return { cameras };
  },
});

/** The letters of all directions that recordings of the span have. */
function directionsOf({ clips }: Clips): readonly string[] {
  const found = new Set(clips.flatMap(({ parts }) => parts.videos.map(({ direction }) => direction)));
  return [...found].sort();
}

async function filmOf(
  { films }: Pick<App, "films">,
  { wanted, clips }: Clips,
  direction: string,
  isPlain: boolean,
): Promise<Film> {
  // Where the first or last recording is gone, what is left of the span is whole.
  const isRange = wanted.kind === "range";
  const from = isRange && clips[0]?.key === wanted.from ? wanted.fromSeconds : 0;
  const to = isRange && clips.at(-1)?.key === wanted.to ? wanted.toSeconds : Number.POSITIVE_INFINITY;
  return await (await films()).open({ direction, clips, from, to, isPlain });
}

/** Names a saved film, such as `2026-11-20_0800-0840_trip_F.mp4`. */
function nameOf({ wanted, clips }: Clips, { facts }: Film, direction: string): string {
  const first = clips[0]?.key ?? "";
  const begin = (facts.startsAt ?? 0) - secondsOf(first);
  const gaps = facts.gaps.reduce((sum, { seconds }) => sum + seconds, 0);
  return exportName(wanted.kind, first, begin, (facts.startsAt ?? 0) + facts.seconds + gaps, "mp4").replace(
    /\.mp4$/,
    `_${direction}.mp4`,
  );
}

function thousandths(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** Wall time as answers have it, with thousandths where it is not of a whole second. */
function wallText(wall: number): string {
  return new Date(Math.round(wall * 1000)).toISOString().replace(/(?:\.000)?Z$/, "");
}
