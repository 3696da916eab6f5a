import { box } from "./mp4.ts";

/** A clip to be made: every sample has bytes of its own, by which it is found again. */
export interface ClipPlan {
  /** Tells the bytes of this clip from those of another. */
  readonly seed: number;
  readonly scale?: number;
  readonly pictures: readonly PlannedSample[];
  readonly sounds?: readonly PlannedSample[];
  readonly soundScale?: number;
  /** Samples in a chunk; pictures and sound take turns. */
  readonly perChunk?: number;
  /** Rows of the edit lists: length in milliseconds, beginning in ticks of the track. */
  readonly edits?: readonly (readonly [ms: number, from: number])[];
  readonly soundEdits?: readonly (readonly [ms: number, from: number])[];
  readonly record?: readonly number[];
  readonly soundRecord?: readonly number[];
  readonly width?: number;
  readonly isIndexFirst?: boolean;
  /** Bytes of a box of the camera's own, between the chunks' box and the index. */
  readonly more?: Uint8Array;
}

export interface PlannedSample {
  readonly size: number;
  readonly lasts: number;
  /** Delay from decoding to showing. */
  readonly delay?: number;
  readonly isKey?: boolean;
}

/** A sample as a player finds it. */
export interface FoundSample {
  readonly bytes: string;
  /** Position in the file. */
  readonly at: number;
  readonly size: number;
  readonly decoded: number;
  /** Seconds on the movie's clock. */
  readonly shown: number;
  readonly lasts: number;
  readonly isKey: boolean;
}

export interface FoundTrack {
  readonly kind: string;
  readonly samples: readonly FoundSample[];
  /** Seconds between which its samples are shown. */
  readonly from: number;
  readonly to: number;
}

const u32 = (...numbers: readonly number[]) => {
  const bytes = new Uint8Array(4 * numbers.length);
  for (const [at, number] of numbers.entries()) new DataView(bytes.buffer).setUint32(4 * at, number);
  return bytes;
};
const u16 = (...numbers: readonly number[]) => numbers.flatMap((number) => [(number >> 8) & 255, number & 255]);
const ascii = (text: string) => new TextEncoder().encode(text);
const MATRIX = u32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);
export const MOVIE_SCALE = 1000;

/** Rows of equal numbers, one after the other. */
function rows(values: readonly number[]): Uint8Array {
  const found: [number, number][] = [];
  for (const value of values) {
    const last = found.at(-1);
    if (last?.[1] === value) last[0]++;
    else found.push([1, value]);
  }
  return Buffer.concat([u32(found.length), ...found.map(([count, value]) => u32(count, value >>> 0))]);
}

/** Bytes of a sample: no two are the same. */
function sampleBytes(seed: number, kind: string, at: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(ascii(`${kind}${seed}.${at};`).subarray(0, size));
  return bytes;
}

/** A whole clip as cameras write it. */
export function clipFile(plan: ClipPlan): Uint8Array<ArrayBuffer> {
  const { perChunk = 3, scale = 30_000, soundScale = 16_000, isIndexFirst = false } = plan;
  const type = box("ftyp", ascii("mp42"), u32(0), ascii("mp42isom"));
  const tracks = [{ kind: "v", samples: plan.pictures }, ...(plan.sounds ? [{ kind: "a", samples: plan.sounds }] : [])];
  const media: Uint8Array[] = [];
  const places = tracks.map((): number[] => []);
  let length = 0;
  const most = Math.max(...tracks.map(({ samples }) => samples.length));
  for (let at = 0; at < most; at += perChunk)
    for (const [number, { kind, samples }] of tracks.entries()) {
      const some = samples.slice(at, at + perChunk);
      if (some.length === 0) continue;
      places[number]?.push(length);
      for (const [ahead, { size }] of some.entries()) {
        media.push(sampleBytes(plan.seed, kind, at + ahead, size));
        length += size;
      }
    }
  const index = (start: number) => {
    const trackBox = (number: number) => {
      const { kind, samples } = tracks[number] ?? { kind: "", samples: [] };
      const isPicture = kind === "v";
      const own = isPicture ? scale : soundScale;
      const total = samples.reduce((sum, { lasts }) => sum + lasts, 0);
      const delays = samples.map(({ delay = 0 }) => delay);
      const keys = samples.flatMap(({ isKey = false }, at) => (isKey ? [at + 1] : []));
      const full = Math.floor(samples.length / perChunk);
      const rest = samples.length % perChunk;
      const chunks = [...(full > 0 ? [[1, perChunk, 1]] : []), ...(rest > 0 ? [[full + 1, rest, 1]] : [])];
      const entry = isPicture
        ? box(
            "avc1",
            [...new Uint8Array(6), ...u16(1), ...new Uint8Array(16), ...u16(plan.width ?? 64, 36)],
            u32(0x48_0000, 0x48_0000, 0),
            u16(1),
            ascii("\u0010a camera's name.".padEnd(32, "\0")),
            u16(24, 0xffff),
            box("avcC", plan.record ?? [1, 66, 0, 30]),
            box("btrt", u32(1, plan.seed, plan.seed)),
          )
        : box(
            "mp4a",
            [...new Uint8Array(6), ...u16(1), ...new Uint8Array(8), ...u16(1, 16, 0, 0)],
            u32(soundScale * 0x1_0000),
            box("esds", u32(0), esds(plan.soundRecord ?? [0x14, 0x08], plan.seed)),
          );
      const edits = isPicture ? plan.edits : plan.soundEdits;
      const list = (edits ?? []).map(([ms, from]) => u32(ms, from >>> 0, 0x1_0000));
      return box(
        "trak",
        box("tkhd", u32(3, 0, 0, number + 1, 0, 0, 0, 0, 0, 0), MATRIX, u32((plan.width ?? 64) << 16, 36 << 16)),
        ...(edits ? [box("edts", box("elst", u32(0, list.length), ...list))] : []),
        box(
          "mdia",
          box("mdhd", u32(0, 0, 0, own, total, 0)),
          box("hdlr", u32(0, 0), ascii(isPicture ? "vide" : "soun"), u32(0, 0, 0), ascii("handler\0")),
          box(
            "minf",
            box(
              "stbl",
              box("stsd", u32(0, 1), entry),
              box("stts", u32(0), rows(samples.map(({ lasts }) => lasts))),
              ...(delays.some((delay) => delay !== 0) ? [box("ctts", u32(0x100_0000), rows(delays))] : []),
              ...(isPicture && keys.length < samples.length ? [box("stss", u32(0, keys.length, ...keys))] : []),
              box("stsc", u32(0, chunks.length, ...chunks.flat())),
              box("stsz", u32(0, 0, samples.length, ...samples.map(({ size }) => size))),
              box("stco", u32(0, places[number]?.length ?? 0, ...(places[number] ?? []).map((at) => at + start))),
            ),
          ),
        ),
      );
    };
    return box(
      "moov",
      box("mvhd", u32(0, 0, 0, MOVIE_SCALE, 0, 0x1_0000), new Uint8Array(76)),
      ...tracks.map((_, number) => trackBox(number)),
    );
  };
  const data = box("mdat", Buffer.concat(media));
  const more = plan.more ?? new Uint8Array(0);
  if (!isIndexFirst) return new Uint8Array(Buffer.concat([type, data, more, index(type.length + 8)]));
  const start = type.length + index(0).length + 8;
  return new Uint8Array(Buffer.concat([type, index(start), data, more]));
}

/** Descriptors of a decoder, whose rates differ from file to file. */
function esds(record: readonly number[], rate: number): Uint8Array {
  const specific = [5, record.length, ...record];
  const config = [4, 13 + specific.length, 0x40, 0x15, 0, 0, 0, ...u32(rate, rate), ...specific];
  return Uint8Array.from([3, 3 + config.length, 0, 1, 0, ...config]);
}

/** Reads all samples of a film, or a clip, in a way of its own. */
export function samplesOf(file: Uint8Array): FoundTrack[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const within = (from: number, to: number) => {
    const found: { type: string; from: number; to: number }[] = [];
    for (let at = from; at + 8 <= to; ) {
      const short = view.getUint32(at);
      const size = short === 1 ? Number(view.getBigUint64(at + 8)) : short;
      found.push({
        type: new TextDecoder("latin1").decode(file.subarray(at + 4, at + 8)),
        from: at + (short === 1 ? 16 : 8),
        to: at + size,
      });
      at += size;
    }
    return found;
  };
  const find = (from: number, to: number, ...path: string[]): { from: number; to: number } | null => {
    let place: { from: number; to: number } | null = { from, to };
    for (const type of path) place = place && (within(place.from, place.to).find((one) => one.type === type) ?? null);
    return place;
  };
  const need = (place: { from: number; to: number }, ...path: string[]) => {
    const found = find(place.from, place.to, ...path);
    if (found === null) throw new Error(`no ${path.join("/")}`);
    return found;
  };
  const movie = need({ from: 0, to: file.length }, "moov");
  const movieScale = view.getUint32(
    need(movie, "mvhd").from + (view.getUint8(need(movie, "mvhd").from) === 1 ? 20 : 12),
  );
  return within(movie.from, movie.to)
    .filter(({ type }) => type === "trak")
    .map((track) => {
      const handler = need(track, "mdia", "hdlr").from + 8;
      const clock = need(track, "mdia", "mdhd").from;
      const scale = view.getUint32(clock + (view.getUint8(clock) === 1 ? 20 : 12));
      const table = need(track, "mdia", "minf", "stbl");
      const spread = (type: string) => {
        const place = find(table.from, table.to, type);
        const values: number[] = [];
        if (place === null) return null;
        for (let row = 0; row < view.getUint32(place.from + 4); row++)
          for (let left = view.getUint32(place.from + 8 + 8 * row); left > 0; left--)
            values.push(view.getInt32(place.from + 12 + 8 * row));
        return values;
      };
      const lasts = spread("stts") ?? [];
      const delays = spread("ctts");
      const sync = find(table.from, table.to, "stss");
      const keys = new Set<number>();
      for (let row = 0; sync && row < view.getUint32(sync.from + 4); row++)
        keys.add(view.getUint32(sync.from + 8 + 4 * row) - 1);
      const sizes = need(table, "stsz").from;
      const each = view.getUint32(sizes + 4);
      const short = find(table.from, table.to, "stco");
      const places = (short ?? need(table, "co64")).from;
      const runs = need(table, "stsc").from;
      const runCount = view.getUint32(runs + 4);
      let [wait, skip, length] = [0, 0, Number.POSITIVE_INFINITY];
      const list = find(track.from, track.to, "edts", "elst");
      for (let row = 0; list && row < view.getUint32(list.from + 4); row++) {
        const at = list.from + 8 + 12 * row;
        if (view.getInt32(at + 4) === -1) wait += view.getUint32(at) / movieScale;
        else [skip, length] = [view.getInt32(at + 4), view.getUint32(at) / movieScale];
      }
      const samples: FoundSample[] = [];
      let [decoded, run] = [0, 0];
      for (let chunk = 0; chunk < view.getUint32(places + 4); chunk++) {
        while (run + 1 < runCount && view.getUint32(runs + 8 + 12 * (run + 1)) <= chunk + 1) run++;
        let at = short ? view.getUint32(places + 8 + 4 * chunk) : Number(view.getBigUint64(places + 8 + 8 * chunk));
        for (let left = view.getUint32(runs + 12 + 12 * run); left > 0; left--) {
          const number = samples.length;
          const size = each || view.getUint32(sizes + 12 + 4 * number);
          const time = decoded + (delays?.[number] ?? 0);
          samples.push({
            bytes: new TextDecoder("latin1").decode(file.subarray(at, at + size)).split(";")[0] ?? "",
            at,
            size,
            decoded: decoded / scale,
            shown: (time - skip) / scale + wait,
            lasts: (lasts[number] ?? 0) / scale,
            isKey: sync === null || keys.has(number),
          });
          decoded += lasts[number] ?? 0;
          at += size;
        }
      }
      const kind = new TextDecoder().decode(file.subarray(handler, handler + 4));
      return { kind, samples, from: wait, to: wait + length };
    });
}
