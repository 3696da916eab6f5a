import { groupOf, parseArtifact, parseRecording } from "../../domain/recordings/recording_name.ts";
import { type DrivePlan, SimulatedDrives } from "./simulated_drive.ts";
import { greyImage } from "./simulated_image.ts";
import { type Moment, momentOf, planMoments } from "./simulated_moments.ts";
import { gpsFile, gsensorFile, lacksGps } from "./simulated_telemetry.ts";
import { type CardFile, fileOf, lazyFile, syntheticVideo } from "./simulated_video.ts";

/** Source of a card's pictures: real clips, or noise of a given size. */
export interface Footage {
  video(moment: Moment, direction: string, name: string): CardFile;
  thumbnail(moment: Moment, direction: string, name: string): CardFile;
  /** Seconds of the moment's clip: the telemetry beside it lasts as long. */
  secondsOf(moment: Pick<Moment, "type" | "minutes" | "drive">): number;
}

export interface CardOptions {
  /** Number of videos: one is one direction of one moment. */
  recordings: number;
  /** Epoch milliseconds; the latest recording ended shortly before. */
  now: number;
  /** Camera wall time minus UTC; 0 when left out. */
  offsetMinutes?: number;
  /** Front and rear, `["F", "R"]`, when left out. */
  directions?: readonly string[];
  /** Bytes of each video, all alike or by name, when there is no footage; 2 MB when left out. */
  size?: number | ((name: string) => number);
  /** Noise when left out. */
  footage?: Footage;
  /** Metres along the road to the car's first place; 0 when left out. */
  startsAt?: number;
}

/** Videos of exactly this many bytes, by name or all alike: boxes around noise, a minute long as far as they claim. */
export function syntheticFootage(size: number | ((name: string) => number)): Footage {
  return {
    video: (_moment, _direction, name) => syntheticVideo(name, typeof size === "number" ? size : size(name), 60),
    thumbnail: (_moment, _direction, name) => lazyFile(() => greyImage(name)),
    secondsOf: () => 60,
  };
}

/** The memory card of the simulated camera. The same options always make the same bytes. */
export class SimulatedCard {
  readonly #files = new Map<string, CardFile>();
  readonly #footage: Footage;
  readonly #offsetMinutes: number;
  readonly #drives: SimulatedDrives;

  /** An empty card. */
  constructor(footage: Footage = syntheticFootage(2_000_000), offsetMinutes = 0, startsAt = 0, plan?: DrivePlan) {
    this.#footage = footage;
    this.#offsetMinutes = offsetMinutes;
    this.#drives = new SimulatedDrives(footage.secondsOf({ type: "E", minutes: 1, drive: 0 }), startsAt, plan);
  }

  /** Every file by its bare name. */
  get files(): ReadonlyMap<string, CardFile> {
    return this.#files;
  }

  /** A whole file, for comparing. */
  async bytes(name: string): Promise<Uint8Array> {
    const file = this.#files.get(name);
    if (!file) throw new Error(`The card has no file ${name}`);
    return file.read(0, file.size);
  }

  /** Puts one file on the card, or another in its place: these bytes, or a synthetic video of so many bytes. */
  add(name: string, content: Uint8Array | number | CardFile): void {
    if (typeof content === "number") this.#files.set(name, syntheticVideo(name, content, 60));
    else this.#files.set(name, content instanceof Uint8Array ? fileOf(content) : content);
  }

  /**
   * Records a video by its name, with the companions a camera writes beside it: a thumbnail of its own, and telemetry
   * shared by the moment's directions. Without `moment` it is taken to belong to some drive, or to be parked.
   * @param keepsFlag the companions' names keep the upload letter, as some cameras do
   */
  record(name: string, moment: Moment | null = null, keepsFlag = false): void {
    const recording = parseRecording(name);
    if (!recording) throw new Error(`${name} is no recording's name`);
    const recorded = moment ?? momentOf(recording);
    const seconds = this.#footage.secondsOf(recorded);
    const companion = (kind: "thm" | "gps" | "3gf") => recording.namesOf(kind).at(keepsFlag ? -1 : 0) ?? name;
    this.#files.set(name, this.#footage.video(recorded, recording.direction, name));
    this.#files.set(companion("thm"), this.#footage.thumbnail(recorded, recording.direction, name));
    const sensor = lazyFile(() => gsensorFile(recorded, seconds, this.#drives));
    this.#files.set(companion("3gf"), sensor);
    if (lacksGps(recorded)) return;
    const gps = lazyFile(() => gpsFile(recorded, seconds, this.#drives, this.#offsetMinutes));
    this.#files.set(companion("gps"), gps);
  }

  remove(name: string): void {
    this.#files.delete(name);
  }

  /** Loop recording: the video goes, its thumbnail with it, and what all directions share with the last of them. */
  overwrite(name: string): void {
    const video = parseRecording(name);
    if (!video) return;
    this.remove(name);
    const group = [...this.#files.keys()].filter(
      (other) => other.startsWith(video.base) && groupOf(other) === video.key,
    );
    const shared = group.some((other) => other.endsWith(".mp4"));
    for (const other of group) {
      const file = parseArtifact(other);
      if (file === null) continue;
      if (file.direction === "" ? !shared : file.direction === video.direction) this.remove(other);
    }
  }

  /** All files, in listing order. */
  names(): string[] {
    return [...this.#files.keys()].sort();
  }

  /** The recordings in the order in which a camera lists them: oldest first, the front before the rear. */
  videos(): string[] {
    return this.names().filter((name) => name.endsWith(".mp4"));
  }
}

/** A card with a plausible mixture of drives and parked hours, front and rear. */
export function simulatedCard(options: CardOptions): SimulatedCard {
  const { recordings, now, offsetMinutes = 0, directions = ["F", "R"], startsAt } = options;
  const footage = options.footage ?? syntheticFootage(options.size ?? 2_000_000);
  const card = new SimulatedCard(footage, offsetMinutes, startsAt);
  const moments = planMoments(recordings, now, offsetMinutes, directions).reverse();
  for (const [index, moment] of moments.entries()) {
    for (const direction of moment.directions) {
      const name = `${moment.base}_${moment.type}${direction}${moment.flag}.mp4`;
      card.record(name, moment, index % 2 === 0);
    }
  }
  return card;
}
