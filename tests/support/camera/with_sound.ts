import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from "mediabunny";

const RATE = 16_000;
const PACKET_SAMPLES = 1024;

/**
 * A packet of silence in AAC (ISO/IEC 14496-3 §4.4.2): one channel without any band, then an element to be skipped,
 * whose two last bytes are a number.
 */
function soundPacket(number: number): Uint8Array {
  const packet = new DataView(new ArrayBuffer(8));
  packet.setUint32(0, 0b110);
  packet.setUint32(4, (3 << 28) | (number << 4) | 0b1110);
  return new Uint8Array(packet.buffer);
}

/** The number of a packet; null for one that is not from here. */
export function numberOfSound(packet: Uint8Array): number | null {
  if (packet.length !== 8) return null;
  const number = (new DataView(packet.buffer, packet.byteOffset).getUint32(4) >> 4) & 0xffff;
  return soundPacket(number).every((byte, at) => byte === packet[at]) ? number : null;
}

/** A video without sound, with its pictures as they are and packets of sound over all its length. */
export async function withSound(video: Uint8Array): Promise<Uint8Array> {
  using input = new Input({ source: new BufferSource(video), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  const decoderConfig = await track?.getDecoderConfig();
  if (!track?.codec || !decoderConfig) throw new Error("there are no pictures");
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target });
  const pictures = new EncodedVideoPacketSource(track.codec);
  const sound = new EncodedAudioPacketSource("aac");
  output.addVideoTrack(pictures);
  output.addAudioTrack(sound);
  await output.start();
  for await (const packet of new EncodedPacketSink(track).packets()) await pictures.add(packet, { decoderConfig });
  const lasts = PACKET_SAMPLES / RATE;
  const count = Math.floor((await track.computeDuration()) / lasts);
  for (let number = 0; number < count; number++)
    await sound.add(new EncodedPacket(soundPacket(number), "key", number * lasts, lasts), {
      // AAC-LC, 16 kHz, one channel.
      decoderConfig: {
        codec: "mp4a.40.2",
        sampleRate: RATE,
        numberOfChannels: 1,
        description: new Uint8Array([0x14, 0x08]),
      },
    });
  await output.finalize();
  if (target.buffer === null) throw new Error("no video was made");
  return new Uint8Array(target.buffer);
}
