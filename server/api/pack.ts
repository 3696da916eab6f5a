import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { lackInWords } from "../domain/film/film_lack.ts";
import { REPORT } from "../domain/pack/pack_names.ts";
import { styleIn } from "../domain/pack/pack_report.ts";
import { PACK_FACTS } from "../domain/pack/pack_schema.ts";
import { isTooLong, lastDay, PURPOSES } from "../domain/pack/pack_span.ts";
import { isoDay } from "../domain/text/zone_time.ts";
import { packName } from "../domain/viewer/export_choice.ts";
import { wallText } from "../domain/viewer/trip_text.ts";
import { packAmounts } from "../engine/pack/pack_amounts.ts";
import { MOST_PACK_CLIPS } from "../engine/pack/pack_clips.ts";
import { findPicture } from "../engine/pack/pack_picture.ts";
import type { MadePack } from "../engine/pack/packs.ts";
import { isUnchanged } from "../http/request/part_request.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { bytesOf, ChangedFile } from "../store/clips/archive_source.ts";
import { VERSION } from "../version.ts";
import { archiveAnswer, archiveAnswers } from "./archive_answer.ts";
import { keyedError } from "./cameras_asked.ts";
import { type Asked, endpoint, responseEndpoint } from "./endpoint.ts";
import {
  type AllCameras,
  chosen,
  chosenClips,
  NOT_ONE_SPAN,
  ofOneCamera,
  onlySpanOf,
  SPAN_QUERY,
  type SpanParts,
} from "./export_span.ts";
import { recordingNotFound } from "./viewer.ts";

type Parts = SpanParts &
  AllCameras &
  Pick<
    App,
    | "camera"
    | "packFiles"
    | "films"
    | "packs"
    | "history"
    | "cameraSettings"
    | "zone"
    | "downloads"
    | "log"
    | "retention"
  >;

/** Ranges of all bytes. */
const WHOLE: readonly (string | null)[] = [null, "bytes=0-"];
const NO_DIRECTIONS = "Name cameras by their letters, such as FR";
const NO_PURPOSE = `\`for\` is one of ${PURPOSES.join(", ")}`;

const CAMERA = v.pipe(v.string(), v.description("The id of the camera: `main`, or the one in its keys"));

const PACK_WANTED = v.pipe(
  v.object({
    ...SPAN_QUERY,
    directions: v.pipe(
      v.nullable(v.string()),
      v.transform((text) => text || null),
      v.nullable(v.pipe(v.string(), v.regex(/^[A-Z]{1,26}$/, NO_DIRECTIONS))),
      v.description("Letters of the cameras, such as `FR`; all when left out"),
      refusedAs("VALIDATION_ERROR", "directions"),
    ),
    for: v.pipe(
      v.nullable(v.string(), "all"),
      v.picklist(PURPOSES, NO_PURPOSE),
      v.description("`police` adds one minute before and after; `insurer`; `all`"),
      refusedAs("VALIDATION_ERROR", "for"),
    ),
  }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const wanted = onlySpanOf(value);
    if (wanted !== null) return { wanted, directions: value.directions, purpose: value.for };
    addIssue({ message: NOT_ONE_SPAN });
    return NEVER;
  }),
  refusedAs("VALIDATION_ERROR", "key"),
);

export const pack = responseEndpoint({
  summary: "Original files, track and report of a recording, a trip or a range in one signed archive",
  description:
    "Files whose checksums were not taken yet are read before the first byte is sent: that may take a while. The same files give the same bytes; a download that broke off can go on by Range and If-Range. It comes in chunks: HEAD tells how long it is.",
  query: PACK_WANTED,
  answers: archiveAnswers("pack"),
  errors: ["TOO_MANY_STREAMS", "SIGNING_KEY_UNUSABLE"],
  async respond(asked, all: Parts) {
    const isWhole = WHOLE.includes(asked.context.request.headers.get("range"));
    const made = await madeAsAsked(asked, all, { isWhole, isStamped: true });
    // There is no client any more.
    if (made === null) return new Response(null, { status: 503 });
    const { from, to } = made.choice.span;
    return archiveAnswer(asked.context, made.archive, `${packName(from, to)}.zip`, made.app);
  },
});

/** The camera stands in the path: in the report, pictures have addresses relative to it, and no other mark of theirs. */
export const packReport = responseEndpoint({
  summary: "The report of a pack by itself: the `report.html` that a pack of this span has",
  description:
    "It names the checksums of all files: films, and files whose checksums were not taken yet, are read first. That may take a while.",
  params: v.object({ camera: CAMERA }),
  query: PACK_WANTED,
  answers: { 200: { description: "The report", type: "text/html", schema: v.string() } },
  errors: ["SIGNING_KEY_UNUSABLE"],
  async respond(asked, all: Parts) {
    const { app } = ofOneCamera(asked.query.wanted, all);
    if (app.camera.id !== asked.params.camera) {
      const message = "The address names another camera than its recordings";
      throw new AppError("VALIDATION_ERROR", message, { field_errors: [{ path: "camera", message }] });
    }
    const made = await madeAsAsked(asked, all, { isWhole: false, isStamped: false });
    if (made === null) return new Response(null, { status: 503 });
    const bytes = await made.archive.entry(REPORT);
    if (bytes === null) throw new Error("The pack has no report");
    const { context } = asked;
    const style = styleIn(new TextDecoder().decode(bytes));
    context.ownStyle = new Bun.CryptoHasher("sha256").update(style).digest("base64");
    const headers = { "content-type": "text/html; charset=utf-8", "content-length": String(bytes.length) };
    return new Response(context.request.method === "HEAD" ? null : bytes, { headers });
  },
});

export const packPicture = responseEndpoint({
  summary: "A picture that the report of a pack shows, as it is in the pack",
  params: v.object({
    camera: CAMERA,
    picture: v.pipe(v.string(), v.description("Its name in the folder `pictures` of a pack"), refusedAs("NOT_FOUND")),
  }),
  answers: {
    200: { description: "The picture, JPEG or PNG", type: "*/*" },
    304: { description: "What you have is still right" },
  },
  errors: ["NOT_FOUND"],
  async respond({ context, params: { picture: name } }, { segments, retention, packFiles }: Parts) {
    const found = await findPicture({ segments, files: await packFiles(), stills: retention.stills }, name);
    const etag = found && `"${new Bun.CryptoHasher("sha256").update(found.version).digest("hex").slice(0, 32)}"`;
    if (found === null || etag === null) throw new AppError("NOT_FOUND", "There is no such picture");
    const headers = { etag, "cache-control": "private, no-cache" };
    const { request } = context;
    if (isUnchanged(request.headers, { etag })) return new Response(null, { status: 304, headers });
    const told = {
      "content-type": name.endsWith(".png") ? "image/png" : "image/jpeg",
      "content-length": String(found.size),
    };
    const bytes = request.method === "HEAD" ? null : await bytesOf(found).catch(goneMeanwhile);
    return new Response(bytes, { headers: { ...headers, ...told } });
  },
});

type PackAsked = Pick<Asked<never, never, never>, "context"> & {
  readonly query: v.InferOutput<typeof PACK_WANTED>;
};

/**
 * Makes the pack that is asked for, as soon as it is its turn. Null when there is no client any more.
 * @param sending `isWhole` as in `makePack`; `isStamped` with the time stamp of the settings
 */
async function madeAsAsked(
  { context, query: asked }: PackAsked,
  all: Parts,
  { isWhole, isStamped }: { readonly isWhole: boolean; readonly isStamped: boolean },
): Promise<(MadePack & { readonly app: Parts }) | null> {
  const { query: wanted, app } = ofOneCamera(asked.wanted, all);
  const { clips } = await chosen(wanted, app);
  if (clips.length > MOST_PACK_CLIPS) throw tooMany();
  const { segments, settings, history, cameraSettings, zone } = app;
  const [packs, films, files, camera] = await Promise.all([
    app.packs(),
    app.films(),
    app.packFiles(),
    cameraSettings.known(),
  ]);
  const { purpose } = asked;
  const directions = asked.directions === null ? null : new Set(asked.directions);
  const { police_days: policeDays, timestamp_url: timestampUrl } = settings.current.export;
  const about = {
    ...{ purpose, policeDays, zone, version: VERSION },
    timestampUrl: isStamped ? timestampUrl : null,
    unit: settings.current.viewer.speed_unit,
    model: camera?.model ?? null,
    firmware: camera?.firmware ?? null,
  };
  const { signal } = context.request;
  // Reading the files may take longer than a connection may be silent.
  context.takesTime = true;
  context.connection.keepOpen();
  const source = { segments, history, files, films, stills: app.retention.stills };
  const made = await madeOrGone(
    () => packs.make(source, { wanted, segments: clips, directions, purpose }, about, { isWhole, signal }),
    { signal, key: clips[0]?.key ?? "" },
  );
  if (made === "gone") return null;
  if (made === null) throw keyedError(recordingNotFound(clips[0]?.key ?? ""), app);
  context.connection.limitSilence();
  return { ...made, app };
}

export const packFacts = endpoint({
  summary: "What a pack of a recording, a trip or a range would hold, and until when to hand it in",
  description: "No file is read for it, so that it is answered at once.",
  query: PACK_WANTED,
  shape: PACK_FACTS,
  returns: "Counts and sizes",
  errors: ["RECORDING_NOT_FOUND", "VALIDATION_ERROR"],
  async answer({ context, query: asked }, all: Parts & Pick<App, "clock">) {
    const { query: wanted, app } = ofOneCamera(asked.wanted, all);
    const { clips } = await chosenClips(wanted, app);
    if (clips.length > MOST_PACK_CLIPS) throw tooMany();
    const [films, files] = await Promise.all([app.films(), app.packFiles()]);
    const { purpose } = asked;
    const directions = asked.directions === null ? null : new Set(asked.directions);
    const source = { segments: app.segments, films, files, stills: app.retention.stills };
    const found = await packAmounts(source, { wanted, segments: clips, directions, purpose });
    if (found === null) throw keyedError(recordingNotFound(clips[0]?.key ?? ""), app);
    const { moment, span } = found.choice;
    const { police_days: days } = app.settings.current.export;
    const last = purpose === "police" ? isoDay(lastDay(moment, days) * 1000) : null;
    return {
      starts_at: wallText(span.from),
      ends_at: wallText(span.to),
      seconds: Math.round((span.to - span.from) * 1000) / 1000,
      directions: found.choice.directions.join(""),
      ...found.amounts,
      bytes: Object.values(found.amounts).reduce((sum, { bytes }) => sum + bytes, 0),
      cannot: [...found.lacks].map(([direction, lack]) => ({
        direction,
        reason: lackInWords(lack, context.timeFormat),
      })),
      is_long: isTooLong(span, purpose),
      hand_in_days: last === null ? null : days,
      hand_in_by: last,
      days_left: last === null ? null : daysBetween(app.zone.isoDay(all.clock.now()), last),
    };
  },
});

/** @param from `YYYY-MM-DD` */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** @throws AppError RECORDING_NOT_FOUND for a file that changes all the time */
async function madeOrGone<T>(
  make: () => Promise<T>,
  { signal, key }: { readonly signal: AbortSignal; readonly key: string },
): Promise<T | "gone"> {
  try {
    return await make();
  } catch (error) {
    if (signal.aborted) return "gone";
    if (!(error instanceof ChangedFile)) throw error;
    const words = `${error.file} was changed while the pack was made. Try again in a moment`;
    throw new AppError("RECORDING_NOT_FOUND", words, { recording: key });
  }
}

/** @throws AppError NOT_FOUND for a picture that is another one by now */
function goneMeanwhile(error: unknown): never {
  throw error instanceof ChangedFile ? new AppError("NOT_FOUND", "The picture was changed meanwhile") : error;
}

function tooMany(): AppError {
  const message = `These are more than ${MOST_PACK_CLIPS} clips. Choose fewer, and save the others after them`;
  return new AppError("VALIDATION_ERROR", message, { field_errors: [{ path: "key", message }] });
}
