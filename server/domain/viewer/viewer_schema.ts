import * as v from "valibot";
import {
  addressText,
  count,
  epoch,
  KEPT,
  keyText,
  number,
  ofCamera,
  orNull,
  text,
  whole,
} from "../answers/answer_fields.ts";

export const RECENT_RECORDINGS = v.object({
  recordings: v.array(v.object({ filename: v.string(), mtime: epoch, path: text("Absolute"), camera: ofCamera })),
  total: whole("All videos there are"),
});
export type RecentRecordings = v.InferOutput<typeof RECENT_RECORDINGS>;

const VIEWER_DAY = v.object({
  date: text("`YYYY-MM-DD`, camera time"),
  camera: ofCamera,
  count: whole("Clips: a moment with its cameras together, not files"),
});
export type ViewerDay = v.InferOutput<typeof VIEWER_DAY>;

/** Direction in which a car was pushed: the axis, and the sign that its speed and course give. */
const PUSH = v.picklist(["braked", "accelerated", "lengthwise", "left", "right", "sideways", "vertical"]);
export type Push = v.InferOutput<typeof PUSH>;

/** The strongest moment of an event, as its telemetry tells it. */
const STRONGEST = v.object({
  t: orNull(v.number(), "Seconds since the beginning of the clip; null without samples, as the others"),
  g: orNull(v.number(), "With how the camera is mounted taken off"),
  push: orNull(
    PUSH,
    "Along which axis, and what speed and course say of it: `braked`, `accelerated` or `lengthwise`; `left`, `right` or `sideways`; `vertical`",
  ),
  from_knots: orNull(v.number(), "The speed before it; null where no fix is near"),
  to_knots: orNull(v.number(), "The speed after it"),
});

/** State of a recording with videos that are still on the camera. */
export const COMING = v.object({
  key: keyText("`YYYYMMDD_HHMMSS_T`"),
  directions: v.pipe(v.array(v.string()), v.description("Whose videos are not at home yet; sorted letters")),
  state: v.pipe(
    v.picklist(["waiting", "now", "unwanted"]),
    v.description("`now`: a file of it is on its way; `unwanted`: a user said that it is not needed"),
  ),
  position: orNull(count, "Its place in the queue, 1 is next; null for what comes now, and what is not to come"),
  seconds: orNull(count, "Until it is at home, about; null while unknown, and while no sync runs"),
});
export type Coming = v.InferOutput<typeof COMING>;

/** State of the videos to come, beside the files that are here of the recording. */
const COMING_VIDEOS = v.object({
  ...v.omit(COMING, ["key"]).entries,
  stills: v.pipe(
    v.record(v.string(), addressText),
    v.description("Direction to the address of its thumbnail, of those of `directions` whose thumbnail is here"),
  ),
});
export type ComingVideos = v.InferOutput<typeof COMING_VIDEOS>;

/** A picture that was kept with a recording. */
export const STILL = v.object({
  seconds: number("Since the recording's beginning"),
  direction: text("Letter of the camera direction"),
  url: addressText,
});
export type Still = v.InferOutput<typeof STILL>;

export const STILLS_LEFT = v.object({ stills: v.array(STILL) });

/** One moment and type, with a video per direction. */
export const VIEWER_RECORDING = v.object({
  camera: ofCamera,
  base_filename: text("`YYYYMMDD_HHMMSS`"),
  number: v.optional(
    v.pipe(
      v.number(),
      v.description(
        "Which recording of its name it is, from 2 on, as in the key `20260607_101500_N.2`; left out of the first",
      ),
    ),
  ),
  type: text("A letter, such as N normal, E event, P parking, M manual"),
  datetime: text("Camera time, ISO 8601 without an offset"),
  directions: v.pipe(v.array(v.string()), v.description("Sorted letters, also of those that are still on the camera")),
  has_gps: v.boolean(),
  has_3gf: v.boolean(),
  has_thm: v.boolean(),
  videos: v.pipe(v.record(v.string(), addressText), v.description("Direction to the address of its video")),
  thumb: orNull(addressText, "Address of the front's thumbnail, or of the first direction that has one"),
  size_bytes: orNull(count, "All videos together; null until known"),
  duration_seconds: orNull(
    v.number(),
    "Of the front's video, or of the first direction's; null until known, and when the video does not tell",
  ),
  codecs: orNull(
    v.record(v.string(), v.string()),
    "Direction to what its pictures are coded with: avc, hevc or av1; null until known, without those that are none of these",
  ),
  kept: orNull(KEPT, "The mark that keeps it from being deleted"),
  kept_with: orNull(keyText("`YYYYMMDD_HHMMSS_T`"), "The key of the kept event that keeps this one, too"),
  stills: v.pipe(v.array(STILL), v.description("Pictures that were kept with it, by direction and time")),
  strongest: orNull(STRONGEST, "The strongest moment of an event; null of other types, and until it is known"),
  coming: orNull(COMING_VIDEOS, "What is still on the camera of it; null when all of it is here"),
});
export type ViewerRecording = v.InferOutput<typeof VIEWER_RECORDING>;

export const JOURNEY_SEGMENT = v.object({
  ...VIEWER_RECORDING.entries,
  offset_seconds: number("Where it begins on the journey's time line"),
});

export const DAYS = v.object({ days: v.array(VIEWER_DAY) });
export type Days = v.InferOutput<typeof DAYS>;

export const DAY_RECORDINGS = v.object({
  days: v.array(v.object({ date: v.string(), camera: ofCamera, recordings: v.array(VIEWER_RECORDING) })),
});
export type DayRecordings = v.InferOutput<typeof DAY_RECORDINGS>;

export const JOURNEY = v.object({ segments: v.array(JOURNEY_SEGMENT) });

const TRIP_NAME = orNull(
  v.string(),
  "By where it begins and ends, such as `Home to Berlin`; null while that is not known, far from all towns, and for keys without the scope `recordings`",
);

const TRIP_KIND = v.pipe(
  v.picklist(["drive", "parked"]),
  v.description("Parked: what moved around the parked car during one stay of one day"),
);

const CLOCK_OFFSET = orNull(
  v.number(),
  "Seconds by which the camera’s clock was ahead of the satellites in `schedule.timezone`; null until known, without a fix, and when it is days",
);

export const TRIP = v.object({
  kind: TRIP_KIND,
  name: TRIP_NAME,
  length_seconds: number("From the beginning of the first clip to the end of the last, each moment once"),
  segments: v.pipe(
    v.array(v.object({ ...VIEWER_RECORDING.entries, offset_seconds: number("Where it begins on the trip's clock") })),
    v.description("By time, of all types; at least one"),
  ),
  earlier: orNull(keyText("`YYYYMMDD_HHMMSS_T`"), "The key with which the trip before begins"),
  later: orNull(keyText("`YYYYMMDD_HHMMSS_T`"), "The key with which the trip after it begins"),
  clock_offset_seconds: v.exactOptional(CLOCK_OFFSET),
});
export type Trip = v.InferOutput<typeof TRIP>;

/** A trip as a list shows it. */
export const TRIP_SUMMARY = v.object({
  kind: TRIP_KIND,
  name: TRIP_NAME,
  start: text("Camera time, ISO 8601 without an offset"),
  end: text("Where the last clip ends, as far as its length is known"),
  length_seconds: number("From the beginning of the first clip to the end of the last, on the trip's clock"),
  distance_meters: orNull(v.number(), "Along the track, without its gaps; null until known, and without a fix"),
  fixes: orNull(
    v.number(),
    "How often the satellites told where the car was; null until known, and without a GPS file",
  ),
  fastest_knots: orNull(v.number(), "Null until known, and where no speed is known"),
  strongest_g: orNull(
    v.number(),
    "The largest force, without how the camera is mounted; null until known, and without samples",
  ),
  clock_offset_seconds: CLOCK_OFFSET,
  is_complete: v.pipe(v.boolean(), v.description("Whether the files of all clips have been read by now")),
  types: v.pipe(v.record(v.string(), count), v.description("Type letter to how many clips")),
  kept: whole("Clips with the mark that keeps them from being deleted"),
  here: whole("Clips of which nothing is still on the camera"),
  coming: whole("Clips of which videos are still to come; what is not needed is none of them"),
  thumb: orNull(addressText, "Address of a thumbnail from about a third of the way"),
  clips: v.pipe(v.array(keyText("`YYYYMMDD_HHMMSS_T`")), v.description("Keys of all clips, by time; at least one")),
});
export type TripSummary = v.InferOutput<typeof TRIP_SUMMARY>;

export const DAY_TRIPS = v.object({
  days: v.array(
    v.object({
      date: v.string(),
      camera: ofCamera,
      before: orNull(TRIP_SUMMARY, "The trip that began on an earlier day and goes on into this one"),
      trips: v.pipe(v.array(TRIP_SUMMARY), v.description("Those that begin on this day, newest first")),
    }),
  ),
});
export type DayTrips = v.InferOutput<typeof DAY_TRIPS>;

export const CALENDAR = v.object({
  days: v.array(
    v.object({
      ...VIEWER_DAY.entries,
      events: whole("Clips of the types E, I, B, O, A and T"),
      driving_seconds: number("What drives were recorded for; a clip of unknown length counts as a minute"),
    }),
  ),
  types: v.pipe(v.record(v.string(), count), v.description("Type letter to how many clips of all days")),
  cameras: v.pipe(v.record(v.string(), count), v.description("Direction to how many clips of all days have it")),
  kept: whole("Clips with the mark that keeps them from being deleted"),
});
export type Calendar = v.InferOutput<typeof CALENDAR>;

const column = (description: string) => v.pipe(v.array(v.number()), v.description(description));

const TRACK = v.object({
  t: column("Seconds since the beginning of the clip, rising"),
  lat: column("Decimal degrees, north positive"),
  lon: column("Decimal degrees, east positive"),
  speed: v.pipe(v.array(v.nullable(v.number())), v.description("Knots over ground; null when unknown")),
  breaks: column(
    "Indexes of fixes that no line leads to: after more than 3 s without one, or a jump that no car makes",
  ),
});

const FORCE = v.object({
  t: column("Seconds since the beginning of the clip, rising"),
  x: column("Vertical, in g, as the camera writes it: about 1 at rest in a camera that hangs straight"),
  y: column("Lateral"),
  z: column("Longitudinal"),
});

const REST = v.object({ x: v.number(), y: v.number(), z: v.number() });

/** Telemetry of a trip for a screen: fewer samples than the files hold, with their extremes. */
export const TELEMETRY = v.object({
  segments: v.array(
    v.object({
      key: keyText("`YYYYMMDD_HHMMSS_T`"),
      offset_seconds: number("Where it begins on the clock of the chain"),
      duration_seconds: orNull(v.number(), "Of its video; null until known"),
      track: orNull(TRACK, "Null without a GPS file; empty columns where the camera saw no satellites"),
      force: orNull(FORCE, "Null without a g-sensor file"),
      rest: orNull(
        REST,
        "How the camera is mounted: the median of each axis of this clip, to be taken off for display",
      ),
    }),
  ),
  rest: orNull(REST, "The median of each axis over all clips; null without samples"),
  distance_meters: orNull(v.number(), "Along the track, without its gaps; null without a fix"),
  fastest_knots: orNull(v.number(), "Null where no speed is known"),
  strongest_g: orNull(v.number(), "The largest force, with the rest of its clip taken off; null without samples"),
  box: orNull(
    v.object({ south: v.number(), west: v.number(), north: v.number(), east: v.number() }),
    "Around the track; `east` may be over 180 where it crosses the date line. Null without a track",
  ),
});
export type Telemetry = v.InferOutput<typeof TELEMETRY>;
