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
import { isUnchanged, rangeAsked, unsatisfiable } from "../http/request/part_request.ts";
import type { Caller } from "../http/request/request_context.ts";
import { causeOf } from "../log.ts";
import { readCompanion } from "../store/library/companions.ts";
import { pathOf } from "../store/library/recording_files.ts";
import { type Description, responseEndpoint } from "./endpoint.ts";
import { type AllCameras, type Chosen, chosen, ofOneCamera, SPAN, type SpanParts } from "./export_span.ts";
import { recordingNotFound } from "./viewer.ts";

const LOGGER = "http";

export const zip = responseEndpoint({
  summary: "All files of a recording, a trip or a range in one archive",
  description:
    "Stored as they are, made while it is sent; a download that broke off can go on by Range and If-Range. It comes in chunks: HEAD tells how long it is.",
  query: SPAN,
  answers: {
    200: { description: "The archive", type: "application/zip" },
    206: { description: "The part that was asked for", type: "application/zip" },
    304: { description: "What you have is still right" },
    416: { description: "The archive has no such part" },
  },
  errors: ["TOO_MANY_STREAMS"],
  async respond({ context, query: asked }, all: SpanParts & AllCameras & Pick<App, "archives" | "downloads" | "log">) {
    const { request } = context;
    const { query, app } = ofOneCamera(asked, all);
    const { clips, name } = await chosen(query, app);
    const archive = await (await app.archives()).open(
      clips.flatMap((clip) => clip.parts.files.map((file) => pathOf(clip, file))),
    );
    const { size, entries } = archive.layout;
    // They went away after the folders were looked at.
    if (entries.length === 0) throw recordingNotFound(clips[0]?.key ?? "");
    const headers = { etag: archive.etag, "cache-control": "private, no-cache", "accept-ranges": "bytes" };
    if (isUnchanged(request.headers, archive)) return new Response(null, { status: 304, headers });
    const range = rangeAsked(request, archive, size);
    if (range === "unsatisfiable") return unsatisfiable(size);
    const [from, to] = range === null ? [0, size] : [range.start, range.end + 1];
    context.takesTime = true;
    const sent = () => {
      const release = app.downloads.take(() => {}, context.sessionId);
      return archive.stream(from, to, (failure) => {
        release();
        if (failure !== undefined)
          app.log.error(LOGGER, `An archive could not be sent to its end: ${causeOf(failure)}`);
      });
    };
    const isHead = request.method === "HEAD";
    return new Response(isHead ? null : sent(), {
      status: range === null ? 200 : 206,
      headers: {
        ...headers,
        ...attachment("application/zip", name("zip")),
        // The listener sends what is made while it is sent in chunks, and drops a length.
        ...(isHead && { "content-length": String(to - from) }),
        ...(range !== null && { "content-range": `bytes ${from}-${to - 1}/${size}` }),
      },
    });
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

function attachment(type: string, name: string): Record<string, string> {
  return { "content-type": type, "content-disposition": `attachment; filename="${name}"` };
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
