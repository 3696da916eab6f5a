import { nameOf } from "../../domain/recordings/recording_name.ts";

/**
 * The files of one moment and type in one folder as the viewer sees them. A moment at home has at least one video. Only
 * one that is still on the camera has none, and no one but the viewer is given that.
 */
export interface Segment {
  /** `YYYYMMDD_HHMMSS_T`, in camera wall time. */
  readonly key: string;
  /** Relative to the destination, empty for the destination itself. */
  readonly folder: string;
  /** Shared between segments. */
  readonly parts: SegmentParts;
}

/** Endings of file names: what follows the key. */
export interface SegmentParts {
  /** All videos, also those that another of the same direction hides. */
  readonly all: readonly string[];
  /** All that the camera wrote of this moment: videos, and what belongs to them. */
  readonly files: readonly string[];
  /** One per direction, in the order of the letters. */
  readonly videos: readonly { readonly direction: string; readonly ending: string }[];
  /** The letters of their directions: `FR`. */
  readonly cameras: string;
  /** The front's, or the first that has one. */
  readonly thumbnail: string | null;
  readonly gps: string | null;
  readonly gsensor: string | null;
}

/** Not the markers of failures, which are this program's own. */
const ARTIFACT = /\.(mp4|thm|3gf|gps)$/;

/** Path of a file of a segment, relative to the destination. */
export function pathOf(segment: Pick<Segment, "key" | "folder">, ending: string): string {
  const name = nameOf(segment.key, ending);
  return segment.folder === "" ? name : `${segment.folder}/${name}`;
}

/** Returns the endings of a segment's files as a text; the same files give the same text. */
export function endingsOf({ all, gps, gsensor }: SegmentParts): string {
  return [...all, gps ?? "", gsensor ?? ""].join(" ");
}

/** Returns the viewer's parts of a moment; null when there is no video among the endings. */
export function partsOf(endings: readonly string[]): SegmentParts | null {
  const videos = new Map<string, string>();
  for (const ending of endings) {
    if (!ending.endsWith(".mp4")) continue;
    const direction = ending.charAt(0);
    const other = videos.get(direction);
    if (other === undefined || isPreferred(ending, other)) videos.set(direction, ending);
  }
  if (videos.size === 0) return null;
  const shown = [...videos].sort(([one], [other]) => (one < other ? -1 : 1));
  const thumbnails = shown.map(([direction, video]) => thumbnailOf(direction, endings, video));
  const front = shown.findIndex(([direction]) => direction === "F");
  return {
    all: endings.filter((ending) => ending.endsWith(".mp4")),
    files: endings.filter((ending) => ARTIFACT.test(ending)),
    videos: shown.map(([direction, ending]) => ({ direction, ending })),
    cameras: shown.map(([direction]) => direction).join(""),
    thumbnail: thumbnails[front] ?? thumbnails.find((ending) => ending !== null) ?? null,
    gps: companionOf("gps", endings),
    gsensor: companionOf("3gf", endings),
  };
}

/**
 * Returns the parts of a moment whose videos are all still on the camera: files that came before them, if any did.
 * @param endings of the files at home
 * @param directions whose videos are to come, sorted
 */
export function partsWithoutVideo(endings: readonly string[], directions: readonly string[]): SegmentParts {
  const thumbnails = new Map(directions.map((direction) => [direction, thumbnailOf(direction, endings)]));
  return {
    all: [],
    videos: [],
    cameras: directions.join(""),
    files: endings.filter((ending) => ARTIFACT.test(ending)),
    thumbnail: thumbnails.get("F") ?? [...thumbnails.values()].find((ending) => ending !== null) ?? null,
    gps: companionOf("gps", endings),
    gsensor: companionOf("3gf", endings),
  };
}

/** The name without an upload flag beats those with one, and live beats the small substream. */
function isPreferred(ending: string, other: string): boolean {
  return ending.length === other.length ? ending < other : ending.length < other.length;
}

/** The direction's own, else the one with the video's flag, else one with any flag. */
export function thumbnailOf(
  direction: string,
  endings: readonly string[],
  video: string = `${direction}.mp4`,
): string | null {
  const wanted = [`${direction}.thm`, video.replace(/mp4$/, "thm"), `${direction}L.thm`, `${direction}S.thm`];
  return wanted.find((ending) => endings.includes(ending)) ?? null;
}

/** Cameras write telemetry once for all directions, usually without the flag. */
function companionOf(kind: "gps" | "3gf", endings: readonly string[]): string | null {
  return [`.${kind}`, `L.${kind}`, `S.${kind}`].find((ending) => endings.includes(ending)) ?? null;
}

/** A clip's videos, the front's before the others. */
export function frontFirst({ parts }: Segment): Segment["parts"]["videos"] {
  return parts.videos.toSorted((one, other) => Number(other.direction === "F") - Number(one.direction === "F"));
}
