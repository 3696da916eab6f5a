import * as v from "valibot";
import type { App } from "../app.ts";
import { AppError } from "../domain/answers/errors.ts";
import { readGps } from "../domain/recordings/gps_file.ts";
import { readGsensor } from "../domain/recordings/gsensor_file.ts";
import {
  type ExportedClip,
  GPX_TAIL,
  GpxPoints,
  gpxHead,
  TELEMETRY_CSV_HEAD,
  TelemetryLines,
} from "../domain/viewer/track_export.ts";
import type { Caller } from "../http/request/request_context.ts";
import { readCompanion } from "../store/library/companions.ts";
import { pathOf } from "../store/library/recording_files.ts";
import { archiveAnswer, archiveAnswers, attachment } from "./archive_answer.ts";
import { keyedError } from "./cameras_asked.ts";
import { type Description, responseEndpoint } from "./endpoint.ts";
import { type AllCameras, type Chosen, chosen, ofOneCamera, SPAN, type SpanParts } from "./export_span.ts";
import { recordingNotFound } from "./viewer.ts";

export const zip = responseEndpoint({
  summary: "All files of a recording, a trip or a range in one archive",
  description:
    "Stored as they are, made while it is sent; a download that broke off can go on by Range and If-Range. It comes in chunks: HEAD tells how long it is.",
  query: SPAN,
  answers: archiveAnswers("archive"),
  errors: ["TOO_MANY_STREAMS"],
  async respond({ context, query: asked }, all: SpanParts & AllCameras & Pick<App, "archives" | "downloads" | "log">) {
    const { query, app } = ofOneCamera(asked, all);
    const { clips, name } = await chosen(query, app);
    const archive = await (await app.archives()).open(
      clips.flatMap((clip) => clip.parts.files.map((file) => pathOf(clip, file))),
    );
    // They went away after the folders were looked at.
    if (archive.layout.entries.length === 0) throw keyedError(recordingNotFound(clips[0]?.key ?? ""), app);
    return archiveAnswer(context, archive, name("zip"), app);
  },
});

export const trackGpx = responseEndpoint({
  summary: "The track of a recording, a trip or a range as GPX 1.1",
  description:
    "Without what the receiver put to impossible places; in a new stretch behind every gap. Where clips overlap in time each moment counts once.",
  query: SPAN,
  answers: textAnswer("Times by the satellites, in UTC", "application/gpx+xml"),
  errors: ["NO_GPS"],
  async respond({ context, query: asked }, all: SpanParts & AllCameras) {
    const { query, app } = ofOneCamera(asked, all);
    const found = await chosen(query, app);
    const points = new GpxPoints();
    const name = found.name("gpx");
    const parts = withEnds(
      [gpxHead(name.slice(0, -".gpx".length)), GPX_TAIL],
      telemetryOf(found, app, points.next.bind(points)),
    );
    const error = () => new AppError("NO_GPS", "There is no GPS track here to save", detailsOf(found));
    return await textOf(context, parts, error, attachment("application/gpx+xml", name));
  },
});

export const telemetryCsv = responseEndpoint({
  summary: "Places, speeds and forces of a recording, a trip or a range as a table",
  description:
    "As the cameras wrote them; where clips overlap in time each moment counts once. Times of the camera's clock, and in UTC where the satellites told it.",
  query: SPAN,
  answers: textAnswer("A line for each fix and each sample", "text/csv"),
  errors: ["NO_GPS"],
  async respond({ context, query: asked }, all: SpanParts & AllCameras) {
    const { query, app } = ofOneCamera(asked, all);
    const found = await chosen(query, app);
    const table = new TelemetryLines();
    const lines = withEnds([TELEMETRY_CSV_HEAD, ""], telemetryOf(found, app, table.next.bind(table)));
    const error = () => new AppError("NO_GPS", "There is neither GPS nor g-sensor data here to save", detailsOf(found));
    return await textOf(context, lines, error, attachment("text/csv; charset=utf-8", found.name("csv")));
  },
});

function textAnswer(description: string, type: string): Description["answers"] {
  return { 200: { description, type, schema: v.string() } };
}

function detailsOf({ clips }: Chosen): Record<string, unknown> {
  return { recording: clips[0]?.key };
}

/** Writes each clip's telemetry with `write`, one clip after the other. */
async function* telemetryOf(
  { wanted, clips }: Chosen,
  { segments }: SpanParts,
  write: (clip: ExportedClip) => string,
): AsyncGenerator<string> {
  for (const clip of clips) {
    const { key } = clip;
    const gps = await readCompanion(segments.root, clip, "gps");
    const force = await readCompanion(segments.root, clip, "gsensor");
    const isRange = wanted.kind === "range";
    yield write({
      key,
      gps: gps && readGps(gps),
      force: force && readGsensor(force),
      from: isRange && key === wanted.from ? wanted.fromSeconds : 0,
      to: isRange && key === wanted.to ? wanted.toSeconds : Number.POSITIVE_INFINITY,
    });
  }
}

/** Nothing when all parts are empty. */
async function* withEnds(
  [head, tail]: readonly [string, string],
  parts: AsyncGenerator<string>,
): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const part of parts) {
    if (part === "") continue;
    yield isEmpty ? head + part : part;
    isEmpty = false;
  }
  if (!isEmpty) yield tail;
}

/** A text that is made while it is sent; its first part decides whether there is one. @throws what `none` makes */
async function textOf(
  context: Caller,
  parts: AsyncGenerator<string>,
  none: () => AppError,
  headers: Record<string, string>,
): Promise<Response> {
  const first = await parts.next();
  if (first.done) throw none();
  if (context.request.method === "HEAD") {
    await parts.return(undefined);
    return new Response(null, { headers });
  }
  context.takesTime = true;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(first.value)),
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => {
      await parts.return(undefined);
    },
  });
  return new Response(body, { headers });
}
