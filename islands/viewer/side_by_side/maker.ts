import {
  CanvasSource,
  canEncodeVideo,
  EncodedAudioPacketSource,
  type EncodedPacket,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  type VideoCodec,
} from "mediabunny";
import { mapTrackOf } from "../../../server/domain/viewer/map_track.ts";
import { bitsFor, type Size, sideLayout } from "../../../server/domain/viewer/side_layout.ts";
import { trackBetween } from "../../../server/domain/viewer/side_map.ts";
import {
  filmTimeAt,
  type SidePiece,
  sideClock,
  sidePlan,
  sideRate,
  tripTimeAt,
  videoTimeAt,
} from "../../../server/domain/viewer/side_plan.ts";
import { type SideProgress, sideText } from "../../../server/domain/viewer/side_text.ts";
import { TripTelemetry } from "../../../server/domain/viewer/trip_telemetry.ts";
import { FilmReader, soundOf } from "./film_reader.ts";
import { FilmParts } from "./film_source.ts";
import type { MadeFile } from "./made_file.ts";
import type { Order } from "./messages.ts";
import { CannotMake, REFUSALS } from "./refusals.ts";
import { SidePainter } from "./side_painter.ts";

/** Most usual first: nearly everything plays H.264. */
const CODECS: readonly VideoCodec[] = ["avc", "vp9", "hevc", "av1"];
const NOT_USUAL =
  "This browser cannot write H.264, so the video is in another coding. Some programs do not play it: try it before you send it.";
const NO_SOUND = "The sound is in a coding that this kind of video cannot hold, so it has none.";
/** Bytes that are collected before they are written. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const KEY_EVERY_SECONDS = 2;
/**
 * A video is often smaller than its bits a second tell: so many times what there is room for, it is surely too large.
 */
const SURELY = 2;
/** The car moves on the map so often. */
const CAR_A_SECOND = 10;

/**
 * Makes a video of several cameras and writes it to a file, picture by picture: no more of it is in memory than what is
 * being written.
 * @returns what the user should know of it @throws CannotMake, and what `signal` ends with
 */
export async function makeVideo(
  order: Order,
  file: MadeFile,
  signal: AbortSignal,
  tell: (progress: SideProgress) => void,
): Promise<readonly string[]> {
  const { films, telemetry } = order;
  const clock = sideClock(films, telemetry);
  const plan = sidePlan(films, clock);
  using readers = new DisposableStack();
  const cameras: FilmReader[] = [];
  for (const film of films) cameras.push(readers.use(await FilmReader.open(film, new FilmParts(film.address, signal))));
  const [lead] = cameras;
  if (lead === undefined || plan.seconds <= 0) throw new CannotMake(REFUSALS.noPictures);

  const figures = new TripTelemetry(telemetry, clock);
  const begins = tripTimeAt(plan, 0);
  const whole = order.hasMap ? mapTrackOf(telemetry) : null;
  const track = whole && trackBetween(whole, begins, tripTimeAt(plan, plan.seconds));
  const layout = sideLayout({ pictures: cameras, hasMap: track !== null });
  const painter = new SidePainter(
    layout,
    films.map(({ name }) => name),
    track && { track, unit: order.unit },
  );
  const shown = {
    clock,
    figures: order.hasSpeed && figures.track.t.length > 0 ? figures : null,
    unit: order.unit,
    format: order.format,
  };

  const rate = sideRate(lead.rate);
  const count = Math.max(1, Math.ceil(plan.seconds * rate - 0.01));
  const bitrate = bitsFor(layout, rate);
  if ((bitrate / 8) * plan.seconds > file.most * SURELY) throw new CannotMake(REFUSALS.tooLarge);
  const codec = await codecFor(layout, bitrate);
  const format = new Mp4OutputFormat({ fastStart: "reserve" });
  const target = new StreamTarget(streamTo(file), { chunked: true, chunkSize: CHUNK_BYTES });
  let bytes = 0;
  target.on("write", ({ end }) => {
    bytes = Math.max(bytes, end);
  });
  const output = new Output({ format, target });
  const pictures = new CanvasSource(painter.canvas, {
    codec,
    bitrate,
    keyFrameInterval: KEY_EVERY_SECONDS,
  });
  output.addVideoTrack(pictures, { frameRate: rate, maximumPacketCount: count + 1 });
  const notes = codec === "avc" ? [] : [NOT_USUAL];
  const sound = order.hasSound ? await SoundCopy.of(lead, plan.pieces[0] ?? [], plan.seconds, format) : null;
  if (sound === "unknown") notes.push(NO_SOUND);
  const copy = sound === "unknown" ? null : sound;
  if (copy !== null) output.addAudioTrack(copy.source, { maximumPacketCount: copy.most });

  try {
    await output.start();
    let drawnCar = -1;
    for (let number = 0; number < count; number++) {
      signal.throwIfAborted();
      const time = number / rate;
      for (const [camera, reader] of cameras.entries()) {
        const film = filmTimeAt(plan.pieces[camera] ?? [], time);
        painter.picture(camera, film === null ? null : await reader.at(film));
      }
      const trip = tripTimeAt(plan, time);
      painter.text(sideText(shown, trip));
      const turn = Math.floor(time * CAR_A_SECOND);
      if (turn !== drawnCar) painter.car(trip);
      drawnCar = turn;
      await pictures.add(time, 1 / rate);
      await copy?.until(time + 1 / rate);
      tell({ done: time, seconds: plan.seconds, bytes });
    }
    pictures.close();
    await copy?.finish();
    signal.throwIfAborted();
    await output.finalize();
    return notes;
  } catch (error) {
    // The caller throws away all that was written.
    await output.cancel().catch(() => {});
    throw error;
  }
}

async function codecFor({ width, height }: Size, bitrate: number): Promise<VideoCodec> {
  for (const codec of CODECS) if (await canEncodeVideo(codec, { width, height, bitrate })) return codec;
  throw new CannotMake(REFUSALS.noCodec);
}

function streamTo(file: MadeFile) {
  return new WritableStream({ write: (chunk) => file.write(chunk) });
}

/** The sound of a film, packet by packet as it was recorded, at the times of the video. */
class SoundCopy {
  readonly source: EncodedAudioPacketSource;
  /** Most packets that it has. */
  readonly most: number;
  readonly #packets: AsyncGenerator<EncodedPacket, void, unknown>;
  readonly #pieces: readonly SidePiece[];
  readonly #config: AudioDecoderConfig;
  /** The next one; undefined before the first, null behind the last. */
  #next: EncodedPacket | null | undefined;
  #count = 0;

  private constructor(
    source: EncodedAudioPacketSource,
    config: AudioDecoderConfig,
    pieces: readonly SidePiece[],
    { packets, most }: Awaited<ReturnType<typeof soundOf>>,
  ) {
    this.source = source;
    this.most = most;
    this.#packets = packets;
    this.#pieces = pieces;
    this.#config = config;
  }

  /** @returns null without sound, `unknown` where the file cannot hold it */
  static async of(
    { sound }: FilmReader,
    pieces: readonly SidePiece[],
    seconds: number,
    format: Mp4OutputFormat,
  ): Promise<SoundCopy | "unknown" | null> {
    if (sound === null) return null;
    const { codec } = sound;
    const config = await sound.getDecoderConfig();
    if (codec === null || config === null || !format.getSupportedAudioCodecs().includes(codec)) return "unknown";
    return new SoundCopy(new EncodedAudioPacketSource(codec), config, pieces, await soundOf(sound, seconds));
  }

  /** Adds what is heard before a time of the video. */
  async until(time: number): Promise<void> {
    for (;;) {
      if (this.#next === undefined) this.#next = (await this.#packets.next()).value ?? null;
      const packet = this.#next;
      if (packet === null) return;
      const at = videoTimeAt(this.#pieces, packet.timestamp);
      if (at !== null && at >= time) return;
      this.#next = undefined;
      if (at === null || this.#count === this.most) continue;
      await this.source.add(
        packet.clone({ timestamp: at }),
        this.#count++ === 0 ? { decoderConfig: this.#config } : {},
      );
    }
  }

  async finish(): Promise<void> {
    await this.until(Number.POSITIVE_INFINITY);
    this.source.close();
  }
}
