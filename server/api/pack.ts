import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { lackInWords } from "../domain/film/film_lack.ts";
import { PACK_FACTS } from "../domain/pack/pack_schema.ts";
import { isTooLong, lastDay, PURPOSES } from "../domain/pack/pack_span.ts";
import { isoDay } from "../domain/text/zone_time.ts";
import { packName } from "../domain/viewer/export_choice.ts";
import { wallText } from "../domain/viewer/trip_text.ts";
import { packAmounts } from "../engine/pack/pack_amounts.ts";
import { MOST_PACK_CLIPS } from "../engine/pack/pack_clips.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { ChangedFile } from "../store/clips/archive_source.ts";
import { VERSION } from "../version.ts";
import { archiveAnswer, archiveAnswers } from "./archive_answer.ts";
import { keyedError } from "./cameras_asked.ts";
import { endpoint, responseEndpoint } from "./endpoint.ts";
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
    "packFiles" | "films" | "packs" | "history" | "cameraSettings" | "zone" | "downloads" | "log" | "retention"
  >;

/** Ranges of all bytes. */
const WHOLE: readonly (string | null)[] = [null, "bytes=0-"];
const NO_DIRECTIONS = "Name cameras by their letters, such as FR";
const NO_PURPOSE = `\`for\` is one of ${PURPOSES.join(", ")}`;

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
  async respond({ context, query: asked }, all: Parts) {
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
      ...{ purpose, policeDays, timestampUrl, zone, version: VERSION },
      unit: settings.current.viewer.speed_unit,
      model: camera?.model ?? null,
      firmware: camera?.firmware ?? null,
    };
    const { signal, headers } = context.request;
    const isWhole = WHOLE.includes(headers.get("range"));
    // Reading the files may take longer than a connection may be silent.
    context.takesTime = true;
    context.connection.keepOpen();
    const source = { segments, history, files, films, stills: app.retention.stills };
    const made = await madeOrGone(
      () => packs.make(source, { wanted, segments: clips, directions, purpose }, about, { isWhole, signal }),
      {
        signal,
        key: clips[0]?.key ?? "",
      },
    );
    // There is no client any more.
    if (made === "gone") return new Response(null, { status: 503 });
    if (made === null) throw keyedError(recordingNotFound(clips[0]?.key ?? ""), app);
    context.connection.limitSilence();
    const { from, to } = made.choice.span;
    return archiveAnswer(context, made.archive, `${packName(from, to)}.zip`, app);
  },
});

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

function tooMany(): AppError {
  const message = `These are more than ${MOST_PACK_CLIPS} clips. Choose fewer, and save the others after them`;
  return new AppError("VALIDATION_ERROR", message, { field_errors: [{ path: "key", message }] });
}
