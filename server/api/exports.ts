import * as v from "valibot";
import type { App } from "../app.ts";
import { orNull } from "../domain/answers/answer_fields.ts";
import { AppError } from "../domain/answers/errors.ts";
import { readGps } from "../domain/recordings/gps_file.ts";
import { readGsensor } from "../domain/recordings/gsensor_file.ts";
import { secondsOf } from "../domain/recordings/recording_name.ts";
import { MAIN_CAMERA, splitKey } from "../domain/settings/camera_key.ts";
import { type ExportWanted, exportName, MOST_SECONDS } from "../domain/viewer/export_choice.ts";
import { USUAL_SEGMENT_SECONDS } from "../domain/viewer/journey.ts";
import {
  type ExportedClip,
  GPX_TAIL,
  GpxPoints,
  gpxHead,
  TELEMETRY_CSV_HEAD,
  TelemetryLines,
} from "../domain/viewer/track_export.ts";
import { isUnchanged, rangeAsked, unsatisfiable } from "../http/request/part_request.ts";
import { refusedAs } from "../http/request/read_request.ts";
import type { Caller } from "../http/request/request_context.ts";
import { causeOf } from "../log.ts";
import { readCompanion } from "../store/library/companions.ts";
import { pathOf, type Segment } from "../store/library/recording_files.ts";
import { cameraNotFound } from "./cameras_asked.ts";
import { type Description, responseEndpoint } from "./endpoint.ts";
import { NO_SUCH_CLIP, RECORDING_KEY } from "./recording_keys.ts";
import { recordingNotFound } from "./viewer.ts";

type Parts = Pick<App, "segments" | "viewed" | "settings">;

/** The parts of all cameras, of which the keys of a request choose one. */
type All = Pick<App, "cameras">;

const LOGGER = "http";

/** More than a week of driving without a stop; what is longer is saved in parts. */
const MOST_CLIPS = 10_000;

const NOTHING_NAMED = "Name a clip by `key`, a trip by `trip`, or a range by `from` and `to`, in this order";
const END = v.message(RECORDING_KEY, NOTHING_NAMED);
const SECONDS = v.pipe(v.number(NOTHING_NAMED), v.minValue(0, NOTHING_NAMED));
const secondsOr = (usual: string) => v.pipe(v.nullable(v.string(), usual), v.transform(Number));
const clip = (description: string) =>
  v.pipe(
    v.nullable(v.string()),
    v.transform((text) => text || null),
    v.nullable(v.message(RECORDING_KEY, NO_SUCH_CLIP)),
    v.description(description),
    refusedAs("RECORDING_NOT_FOUND", "recording"),
  );

const WANTED = v.pipe(
  v.object({
    key: clip("This recording"),
    trip: clip("Or the trip that this recording belongs to"),
    from: orNull(END, "Or all recordings from this one"),
    to: orNull(END, "To this one"),
    from_seconds: v.pipe(
      secondsOr("0"),
      SECONDS,
      v.maxValue(MOST_SECONDS, NOTHING_NAMED),
      v.description("Seconds into the first of these at which to begin"),
    ),
    to_seconds: v.pipe(secondsOr("Infinity"), SECONDS, v.description("Seconds into the last of these at which to end")),
  }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): ExportWanted => {
    const { key, trip, from, to, from_seconds: fromSeconds, to_seconds: toSeconds } = value;
    if (key !== null) return { kind: "clip", key };
    if (trip !== null) return { kind: "trip", key: trip };
    if (from !== null && to !== null && splitKey(from).bare <= splitKey(to).bare)
      return { kind: "range", from, to, fromSeconds, toSeconds };
    addIssue({ message: NOTHING_NAMED });
    return NEVER;
  }),
  refusedAs("VALIDATION_ERROR", "key"),
);

/** Clips of a request by time, and the name of a file made of them. */
interface Chosen {
  readonly wanted: ExportWanted;
  readonly clips: readonly Segment[];
  readonly name: (ending: string) => string;
}

export const zip = responseEndpoint({
  summary: "All files of a recording, a trip or a range in one archive",
  description:
    "Stored as they are, made while it is sent; a download that broke off can go on by Range and If-Range. It comes in chunks: HEAD tells how long it is.",
  query: WANTED,
  answers: {
    200: { description: "The archive", type: "application/zip" },
    206: { description: "The part that was asked for", type: "application/zip" },
    304: { description: "What you have is still right" },
    416: { description: "The archive has no such part" },
  },
  errors: ["TOO_MANY_STREAMS"],
  async respond({ context, query: asked }, all: Parts & All & Pick<App, "archives" | "downloads" | "log">) {
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
  query: WANTED,
  answers: textAnswer("Times by the satellites, in UTC", "application/gpx+xml"),
  errors: ["NO_GPS"],
  async respond({ context, query: asked }, all: Parts & All) {
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
  query: WANTED,
  answers: textAnswer("A line for each fix and each sample", "text/csv"),
  errors: ["NO_GPS"],
  async respond({ context, query: asked }, all: Parts & All) {
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

/** The camera that the keys of a request name, and the request with bare keys. @throws AppError CAMERA_NOT_FOUND, VALIDATION_ERROR */
function ofOneCamera<A extends All>(asked: ExportWanted, all: A) {
  const keys = asked.kind === "range" ? [asked.from, asked.to] : [asked.key];
  const ids = new Set(keys.map((key) => splitKey(key).camera ?? MAIN_CAMERA));
  const [id = MAIN_CAMERA] = ids;
  if (ids.size > 1) {
    const message = "A range begins and ends with recordings of one camera";
    throw new AppError("VALIDATION_ERROR", message, { field_errors: [{ path: "key", message }] });
  }
  const bare = (key: string) => splitKey(key).bare;
  const query: ExportWanted =
    asked.kind === "range"
      ? { ...asked, from: bare(asked.from), to: bare(asked.to) }
      : { ...asked, key: bare(asked.key) };
  // Parts without cameras are those of the only one.
  const app = all.cameras === undefined ? all : all.cameras.of(id);
  if (app === null) throw cameraNotFound(id);
  return { query, app: app as A };
}

/** @throws AppError RECORDING_NOT_FOUND, VALIDATION_ERROR */
async function chosen(wanted: ExportWanted, app: Parts): Promise<Chosen> {
  const clips = await clipsOf(wanted, app);
  const first = clips[0];
  const last = clips.at(-1);
  if (!first || !last) throw await notHere(wanted.kind === "range" ? wanted.from : wanted.key, app);
  if (clips.length > MOST_CLIPS) {
    const message = `These are more than ${MOST_CLIPS} clips. Choose fewer, and save the others after them`;
    throw new AppError("VALIDATION_ERROR", message, { field_errors: [{ path: "key", message }] });
  }
  const [facts] = await app.segments.facts([last]);
  const length = facts?.durationSeconds ?? USUAL_SEGMENT_SECONDS;
  const end = secondsOf(last.key) + (wanted.kind === "range" ? Math.min(wanted.toSeconds, length) : length);
  const begin = wanted.kind === "range" ? wanted.fromSeconds : 0;
  return { wanted, clips, name: (ending) => exportName(wanted.kind, first.key, begin, end, ending) };
}

/** Finds the clips at home: a clip that is still on the camera has nothing to save yet. */
async function clipsOf(wanted: ExportWanted, { segments, viewed, settings }: Parts): Promise<readonly Segment[]> {
  if (wanted.kind === "range") return await segments.between(wanted.from, wanted.to, MOST_CLIPS + 1);
  if (wanted.kind === "trip") {
    // The trip as the viewer shows it: without what is to come it may fall into two.
    const found = await viewed.trip(wanted.key, settings.current.viewer.trip_gap_minutes);
    return found?.trip.clips.filter(({ parts }) => parts.videos.length > 0) ?? [];
  }
  const clip = await segments.find(wanted.key);
  return clip ? [clip] : [];
}

/** Tells why a recording has nothing to save. */
async function notHere(key: string, { viewed }: Parts): Promise<AppError> {
  const isComing = (await viewed.find(key)) !== null;
  const words = "This is still on the camera. It can be saved when its videos are here";
  return isComing ? new AppError("RECORDING_NOT_FOUND", words, { recording: key }) : recordingNotFound(key);
}

/** Writes each clip's telemetry with `write`, one clip after the other. */
async function* telemetryOf(
  { wanted, clips }: Chosen,
  { segments }: Parts,
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
