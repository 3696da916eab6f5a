import * as v from "valibot";
import type { App } from "../app.ts";
import { orNull } from "../domain/answers/answer_fields.ts";
import { AppError } from "../domain/answers/errors.ts";
import { secondsOf } from "../domain/recordings/recording_name.ts";
import { MAIN_CAMERA, splitKey } from "../domain/settings/camera_key.ts";
import { cameraNotFound } from "../domain/settings/camera_not_found.ts";
import { type ExportWanted, exportName, MOST_SECONDS } from "../domain/viewer/export_choice.ts";
import { USUAL_SEGMENT_SECONDS } from "../domain/viewer/journey.ts";
import { refusedAs } from "../http/request/read_request.ts";
import type { Segment } from "../store/library/recording_files.ts";
import { keyedError } from "./cameras_asked.ts";
import { NO_SUCH_CLIP, RECORDING_KEY } from "./recording_keys.ts";
import { recordingNotFound } from "./viewer.ts";

/** Parts of one camera by which the clips of a span are found. */
export type SpanParts = Pick<App, "segments" | "viewed" | "settings">;

/** The parts of all cameras, of which the keys of a request choose one. */
export type AllCameras = Pick<App, "cameras">;

/** More than a week of driving without a stop; what is longer is saved in parts. */
const MOST_CLIPS = 10_000;

/** The refusal of a query that names no span, or one that ends before it begins. */
const NOTHING_NAMED = "Name a clip by `key`, a trip by `trip`, or a range by `from` and `to`, in this order";
/** The refusal of a query that must name one span and nothing beside it. */
export const NOT_ONE_SPAN =
  "Name one span: a clip by `key`, a trip by `trip`, or a range by `from` and `to`, in this order, with `from_seconds` and `to_seconds`";
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

/** The query of a span: one recording, a trip, or a range of recordings. */
export const SPAN_QUERY = {
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
};

type SpanAsked = v.InferOutput<v.ObjectSchema<typeof SPAN_QUERY, undefined>>;

/** Reads which of them a query names. */
export const SPAN = v.pipe(
  v.object(SPAN_QUERY),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): ExportWanted => {
    const wanted = spanOf(value);
    if (wanted !== null) return wanted;
    addIssue({ message: NOTHING_NAMED });
    return NEVER;
  }),
  refusedAs("VALIDATION_ERROR", "key"),
);

/** The span that a query names; null when it names none, or ends before it begins. */
export function spanOf(asked: SpanAsked): ExportWanted | null {
  const { key, trip, from, to, from_seconds: fromSeconds, to_seconds: toSeconds } = asked;
  if (key !== null) return { kind: "clip", key };
  if (trip !== null) return { kind: "trip", key: trip };
  if (from === null || to === null || splitKey(from).bare > splitKey(to).bare) return null;
  if (secondsOf(from) + fromSeconds > secondsOf(to) + toSeconds) return null;
  return { kind: "range", from, to, fromSeconds, toSeconds };
}

/**
 * The same, and null when a query names several, or seconds of what is no range: to choose among them would show others
 * more than was meant.
 */
export function onlySpanOf(asked: SpanAsked): ExportWanted | null {
  const { key, trip, from, to, from_seconds: fromSeconds, to_seconds: toSeconds } = asked;
  const isRange = from !== null || to !== null || fromSeconds > 0 || toSeconds < Number.POSITIVE_INFINITY;
  const named = [key !== null, trip !== null, isRange].filter((is) => is);
  return named.length > 1 ? null : spanOf(asked);
}

/** Clips of a request by time, and the name of a file made of them. */
export interface Chosen {
  readonly wanted: ExportWanted;
  readonly clips: readonly Segment[];
  readonly name: (ending: string) => string;
}

/** The camera that the keys of a request name, and the request with bare keys. @throws AppError CAMERA_NOT_FOUND, VALIDATION_ERROR */
export function ofOneCamera<A extends AllCameras>(asked: ExportWanted, all: A) {
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

/** The clips of a span, by time; at least one. @throws AppError RECORDING_NOT_FOUND, VALIDATION_ERROR */
export async function chosenClips(wanted: ExportWanted, app: SpanParts): Promise<Pick<Chosen, "wanted" | "clips">> {
  const clips = await clipsOf(wanted, app);
  if (clips.length === 0) throw keyedError(await notHere(wanted.kind === "range" ? wanted.from : wanted.key, app), app);
  if (clips.length > MOST_CLIPS) {
    const message = `These are more than ${MOST_CLIPS} clips. Choose fewer, and save the others after them`;
    throw new AppError("VALIDATION_ERROR", message, { field_errors: [{ path: "key", message }] });
  }
  return { wanted, clips };
}

/** The same with the name of a file, for which lengths are read. @throws AppError RECORDING_NOT_FOUND, VALIDATION_ERROR */
export async function chosen(wanted: ExportWanted, app: SpanParts): Promise<Chosen> {
  const { clips } = await chosenClips(wanted, app);
  const [first, last] = [clips[0]?.key ?? "", clips.at(-1)?.key ?? ""];
  const [facts] = await app.segments.facts(clips.slice(-1));
  const length = facts?.durationSeconds ?? USUAL_SEGMENT_SECONDS;
  const end = secondsOf(last) + (wanted.kind === "range" ? Math.min(wanted.toSeconds, length) : length);
  const begin = wanted.kind === "range" ? wanted.fromSeconds : 0;
  return { wanted, clips, name: (ending) => exportName(wanted.kind, first, begin, end, ending) };
}

/** Finds the clips at home: a clip that is still on the camera has nothing to save yet. */
async function clipsOf(wanted: ExportWanted, { segments, viewed, settings }: SpanParts): Promise<readonly Segment[]> {
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
async function notHere(key: string, { viewed }: SpanParts): Promise<AppError> {
  const isComing = (await viewed.find(key)) !== null;
  const words = "This is still on the camera. It can be saved when its videos are here";
  return isComing ? new AppError("RECORDING_NOT_FOUND", words, { recording: key }) : recordingNotFound(key);
}
