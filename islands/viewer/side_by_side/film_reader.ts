import {
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MP4,
  type VideoSample,
  VideoSampleSink,
} from "mediabunny";
import type { FilmParts } from "./film_source.ts";
import type { OrderedFilm } from "./messages.ts";
import { CannotMake, notPlayable } from "./refusals.ts";

/** A picture may stand a little later in its film than its number tells: times are rounded. */
const ROUNDING_SECONDS = 0.002;
/** Packets that tell how many there are a second. */
const PACKETS_LOOKED_AT = 120;

/** Film of one camera, whose pictures are asked for by rising times. */
export class FilmReader implements Disposable {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Pictures a second. */
  readonly rate: number;
  readonly sound: InputAudioTrack | null;
  readonly #input: Input;
  readonly #pictures: AsyncGenerator<VideoSample, void, unknown>;
  #shown: VideoSample | null = null;
  #next: VideoSample | null = null;
  #isOver = false;

  private constructor(name: string, input: Input, track: InputVideoTrack, sound: InputAudioTrack | null, rate: number) {
    this.name = name;
    this.width = track.displayWidth;
    this.height = track.displayHeight;
    this.rate = rate;
    this.sound = sound;
    this.#input = input;
    this.#pictures = new VideoSampleSink(track).samples();
  }

  /** @throws CannotMake when this browser cannot play it */
  static async open({ name, bytes }: OrderedFilm, parts: FilmParts): Promise<FilmReader> {
    const input = new Input({ source: parts.source(bytes), formats: [MP4] });
    try {
      const track = await input.getPrimaryVideoTrack();
      if (track === null || !(await track.canDecode())) throw new CannotMake(notPlayable(name, track?.codec ?? null));
      return new FilmReader(name, input, track, await input.getPrimaryAudioTrack(), await rateOf(track));
    } catch (error) {
      input.dispose();
      throw error;
    }
  }

  /** The picture at a time of the film; it belongs to the reader. Null before the first one. */
  async at(time: number): Promise<VideoSample | null> {
    while (!this.#isOver) {
      if (this.#next === null) {
        const { value, done } = await this.#pictures.next();
        if (done || !value) {
          this.#isOver = true;
          break;
        }
        this.#next = value;
      }
      if (this.#next.timestamp > time + ROUNDING_SECONDS) break;
      this.#shown?.close();
      [this.#shown, this.#next] = [this.#next, null];
    }
    return this.#shown;
  }

  [Symbol.dispose](): void {
    this.#shown?.close();
    this.#next?.close();
    [this.#shown, this.#next, this.#isOver] = [null, null, true];
    void this.#pictures.return();
    this.#input.dispose();
  }
}

/** Pictures a second of a track, by how long most of the first ones last. */
async function rateOf(track: InputVideoTrack): Promise<number> {
  const durations: number[] = [];
  for await (const { duration } of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
    durations.push(duration);
    if (durations.length === PACKETS_LOOKED_AT) break;
  }
  durations.sort((one, other) => one - other);
  return 1 / (durations[Math.floor(durations.length / 2)] ?? 0);
}

/** Packets of a sound track, and how many of them there may be. */
export async function soundOf(track: InputAudioTrack, seconds: number) {
  const { averagePacketRate } = await track.computePacketStats(PACKETS_LOOKED_AT);
  return { packets: new EncodedPacketSink(track).packets(), most: Math.ceil(seconds * averagePacketRate * 1.1) + 100 };
}
