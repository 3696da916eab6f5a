import { describe, expect, test } from "bun:test";
import { ClipRefused, type Refusal } from "../../../server/domain/film/clip_refusal.ts";
import { type ClipTables, readClip } from "../../../server/domain/film/clip_tables.ts";
import { FilmBuilder, type FilmFacts } from "../../../server/domain/film/film_builder.ts";
import { boxesIn } from "../../../server/domain/recordings/mp4_boxes.ts";
import {
  type ClipPlan,
  clipFile,
  type FoundTrack,
  type PlannedSample,
  samplesOf,
} from "../../support/camera/film_clip.ts";

const TICK = 1000;

/** The tables of a file in memory. */
function tablesIn(file: Uint8Array): ClipTables | Refusal {
  const boxes = [...boxesIn(file)];
  const media = boxes.flatMap(({ type, content, end }) => (type === "mdat" ? [{ from: content, to: end }] : []));
  const movie = boxes.find(({ type }) => type === "moov");
  try {
    return readClip(file.subarray(movie?.content ?? 0, movie?.end ?? 0), media);
  } catch (error) {
    if (error instanceof ClipRefused) return error.reason;
    throw error;
  }
}

interface Part {
  readonly key: string;
  readonly file: Uint8Array;
  readonly from?: number;
  readonly to?: number;
}

function filmOf(
  parts: readonly Part[],
  isPlain = false,
  isSilent = false,
): { facts: FilmFacts; film: Uint8Array | null } {
  const builder = new FilmBuilder(isPlain, isSilent);
  for (const { key, file, from = 0, to = Number.POSITIVE_INFINITY } of parts)
    builder.add({ key, from, to, size: file.length, tables: tablesIn(file) });
  const built = builder.finish();
  const film =
    built &&
    Buffer.concat([
      built.header,
      ...built.slices.map(({ clip, at, length }) => parts[clip]?.file.subarray(at, at + length) ?? new Uint8Array(0)),
    ]);
  if (film) expect(film.length).toBe(built.length);
  return { facts: builder.facts(), film };
}

/** Pictures of one length, a key frame every so many. */
const pictures = (count: number, every = 10): PlannedSample[] =>
  Array.from({ length: count }, (_, at) => ({ size: 20 + (at % 7), lasts: TICK, isKey: at % every === 0 }));
/** Packets of 1024 samples at 16 kHz. */
const sounds = (count: number): PlannedSample[] =>
  Array.from({ length: count }, (_, at) => ({ size: 12 + (at % 3), lasts: 1024 }));
/** The order of decoding I P B B P B B, as encoders write it: each picture is shown two later than it would be without. */
const withB = (count: number): PlannedSample[] =>
  Array.from({ length: count }, (_, at) => {
    const shown = at === 0 ? 0 : at % 3 === 1 ? Math.min(at + 2, count - 1) : at - 1;
    return { size: 30, lasts: TICK, isKey: at === 0, delay: (shown - at + 2) * TICK };
  });
const key = (second: number) =>
  `20260607_10${String(Math.floor(second / 60)).padStart(2, "0")}${String(second % 60).padStart(2, "0")}_N`;
const names = (track: FoundTrack | undefined) => track?.samples.map(({ bytes }) => bytes) ?? [];
const times = (track: FoundTrack | undefined) => track?.samples.map(({ shown }) => Math.round(shown * 1e6) / 1e6) ?? [];
const expected = (kind: string, seed: number, from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `${kind}${seed}.${from + at}`);

describe("a film", () => {
  const clip = (seed: number, more: Partial<ClipPlan> = {}) =>
    clipFile({ seed, pictures: pictures(60), sounds: sounds(31), ...more });

  for (const isPlain of [false, true])
    test(`has the samples of all clips one after the other${isPlain ? ", and nothing else" : ""}`, () => {
      const parts = [0, 1, 2].map((at) => ({ key: key(2 * at), file: clip(at, { isIndexFirst: at === 1 }) }));
      const { facts, film } = filmOf(parts, isPlain);
      const [picture, sound, ...others] = samplesOf(film ?? new Uint8Array(0));
      expect(others).toEqual([]);
      expect(names(picture)).toEqual([0, 1, 2].flatMap((seed) => expected("v", seed, 0, 60)));
      expect(names(sound)).toEqual([0, 1, 2].flatMap((seed) => expected("a", seed, 0, 31)));
      expect(facts).toMatchObject({ seconds: 6, clips: 3, gaps: [], cannot: null });
      expect(times(picture)[0]).toBe(0);
      // Sound that ends before its pictures: the next clip's begins with its pictures.
      for (const at of [0, 1, 2]) expect(sound?.samples[31 * at]?.shown).toBeCloseTo(2 * at, 4);
      const bytes = new TextDecoder("latin1").decode(film ?? new Uint8Array(0));
      expect(bytes.includes("moov", bytes.indexOf("moov") + 4)).toBe(!isPlain);
    });

  for (const isPlain of [false, true])
    test(`has no sound where none is wanted${isPlain ? ", and no byte of it" : ""}`, () => {
      // Clips with sound and without fit together then.
      const silent = clipFile({ seed: 1, pictures: pictures(60) });
      const parts = [0, 2].map((at) => ({ key: key(at), file: clip(at) }));
      const { facts, film } = filmOf(parts, isPlain, true);
      const [picture, ...others] = samplesOf(film ?? new Uint8Array(0));
      expect([names(picture).length, others]).toEqual([120, []]);
      expect(facts).toMatchObject({ seconds: 4, clips: 2, cannot: null });
      const bytes = new TextDecoder("latin1").decode(film ?? new Uint8Array(0));
      expect(/a[02]\.\d+;/.test(bytes)).toBe(!isPlain);
      expect(filmOf([{ key: key(0), file: silent }], isPlain, true).facts.clips).toBe(1);
    });

  test("begins with the last key frame not after a time, and ends with the first picture not before another", () => {
    for (const [from, to, first, last] of [
      [0, 0, 0, 0],
      [0.3, 0.35, 0, 11],
      [0.34, 0.4, 10, 12],
      [1, 1, 30, 30],
      [1.9, 60, 50, 59],
      [60, 60, 50, 59],
      [0.3333, 0.66666, 0, 20],
      [0.33334, 0.66667, 10, 21],
    ] as const) {
      const { film } = filmOf([{ key: key(0), file: clip(1), from, to }], true);
      const [picture] = samplesOf(film ?? new Uint8Array(0));
      expect(names(picture)).toEqual(expected("v", 1, first, last + 1));
    }
  });

  test("cuts sound to within a packet, in step with the pictures", () => {
    const { film, facts } = filmOf([{ key: key(0), file: clip(1), from: 0.7, to: 1.2 }], true);
    const [picture, sound] = samplesOf(film ?? new Uint8Array(0));
    // From picture 20, at 2/3 s: packet 10 begins at 0.64 s.
    expect(names(sound)).toEqual(expected("a", 1, 10, 19));
    expect(sound?.samples[0]?.shown).toBeCloseTo(0.64 - 2 / 3, 4);
    expect(names(picture)[0]).toBe("v1.20");
    expect(facts.startsAt).toBeCloseTo(Date.UTC(2026, 5, 7, 10) / 1000 + 2 / 3, 6);
  });

  test("keeps sound in step over sixty clips, to the sample", () => {
    // 29.97 pictures a second, sound that lasts a little longer.
    const odd = { scale: 30_000, pictures: pictures(60).map((one) => ({ ...one, lasts: 1001 })), sounds: sounds(32) };
    const parts = Array.from({ length: 60 }, (_, at) => ({ key: key(2 * at), file: clipFile({ seed: at, ...odd }) }));
    const [picture, sound] = samplesOf(filmOf(parts).film ?? new Uint8Array(0));
    for (let at = 0; at < 60; at++) {
      const apart = (sound?.samples[32 * at]?.shown ?? 9) - (picture?.samples[60 * at]?.shown ?? 0);
      expect(Math.abs(apart)).toBeLessThanOrEqual(1 / 16_000);
    }
  });

  test("folds B-frames and edit lists in: the first picture stands at 0, all others as far apart as before", () => {
    const plan = {
      pictures: withB(31),
      sounds: sounds(16),
      edits: [[1033, 2 * TICK]],
      soundEdits: [[1000, 1024]],
    } as const;
    const parts = [0, 1].map((seed) => ({ key: key(seed), file: clipFile({ seed, ...plan }) }));
    const { film, facts } = filmOf(parts);
    const [picture, sound] = samplesOf(film ?? new Uint8Array(0));
    const inOrder = times(picture).toSorted((one, other) => one - other);
    expect(inOrder.slice(0, 31)).toEqual(Array.from({ length: 31 }, (_, at) => Math.round((at * 1e6) / 30) / 1e6));
    expect(inOrder[31]).toBeCloseTo(31 / 30, 2);
    expect(picture?.samples.every(({ lasts }) => lasts > 0)).toBe(true);
    // The packet that only warms a decoder up is heard neither before nor now.
    expect(names(sound)).toEqual([...expected("a", 0, 1, 16), ...expected("a", 1, 1, 16)]);
    expect(facts.cannot).toBeNull();
  });

  test("takes pictures that others need, and shows none behind its end", () => {
    const file = clipFile({ seed: 4, pictures: withB(31), edits: [[1033, 2 * TICK]] });
    const { film, facts } = filmOf([{ key: key(0), file, to: 0.03 }], true);
    const [picture] = samplesOf(film ?? new Uint8Array(0));
    // Shown: 0 and 1. The second is a B-frame, which needs the picture shown at 3.
    expect(names(picture)).toEqual(["v4.0", "v4.1", "v4.2"]);
    const shown = picture?.samples.filter((one) => one.shown < (picture?.to ?? 0)) ?? [];
    expect(shown.map(({ bytes }) => bytes)).toEqual(["v4.0", "v4.2"]);
    expect(facts.seconds).toBeCloseTo(2 / 30, 6);
  });

  test("waits for sound that begins late, by an empty edit", () => {
    const file = clipFile({
      seed: 1,
      pictures: pictures(60),
      sounds: sounds(20),
      soundEdits: [
        [300, -1],
        [1280, 0],
      ],
    });
    const [, sound] = samplesOf(filmOf([{ key: key(0), file }]).film ?? new Uint8Array(0));
    expect(sound?.samples[0]?.shown).toBeCloseTo(0.3, 3);
  });

  test("leaves gaps out and lists them; damaged clips are gaps, too", () => {
    const damaged = new Uint8Array([1, 2, 3]);
    const at = (second: number, file: Uint8Array) => ({ key: key(second), file });
    const { facts, film } = filmOf([
      at(0, damaged),
      at(2, clip(1)),
      at(4, clip(2)),
      at(10, clip(3)),
      at(12, damaged),
      at(14, damaged),
      at(16, clip(4)),
      at(18, damaged),
    ]);
    expect(facts).toEqual({
      seconds: 8,
      clips: 4,
      places: [2, 4, 10, 16].map((seconds, number) => ({ key: key(seconds), at: 2 * number, from: 0 })),
      startsAt: Date.UTC(2026, 5, 7, 10, 0, 2) / 1000,
      gaps: [
        { after: key(4), seconds: 4 },
        { after: key(10), seconds: 4 },
        { after: key(16), seconds: 60 },
      ],
      cannot: { key: key(18), words: "is damaged", ends: "before" },
    });
    expect(samplesOf(film ?? new Uint8Array(0))[0]?.samples).toHaveLength(240);
  });

  test("ends before a clip that does not fit, and says why", () => {
    for (const [other, words] of [
      [clip(2, { width: 128 }), "has pictures of another size"],
      [clip(2, { record: [1, 77, 0, 31] }), "has pictures that are coded in another way"],
      [clip(2, { scale: 15_000 }), "counts its pictures in other steps"],
      [clip(2, { soundScale: 8000 }), "has sound that is coded in another way"],
      [clip(2, { soundRecord: [0x12, 0x10] }), "has sound that is coded in another way"],
      [clipFile({ seed: 2, pictures: pictures(60) }), "has no sound"],
    ] as const) {
      const parts = [clip(1), other, clip(3)].map((file, at) => ({ key: key(2 * at), file }));
      expect(filmOf(parts).facts).toMatchObject({
        clips: 1,
        seconds: 2,
        cannot: { key: key(2), words, ends: "before" },
      });
    }
    // Rates and sizes that differ from file to file are no difference.
    expect(filmOf([1, 2].map((seed) => ({ key: key(2 * seed), file: clip(seed) }))).facts.cannot).toBeNull();
  });

  test("has no name of a camera, and none of its boxes", () => {
    const more = new Uint8Array([
      0,
      0,
      0,
      24,
      ...new TextEncoder().encode("free"),
      ...new TextEncoder().encode("$GPRMC,1234567,N"),
    ]);
    const { film } = filmOf([{ key: key(0), file: clip(1, { more }) }], true);
    const bytes = new TextDecoder("latin1").decode(film ?? new Uint8Array(0));
    for (const planted of ["GPRMC", "camera", "btrt"]) expect(bytes).not.toContain(planted);
    expect(
      new TextDecoder("latin1").decode(filmOf([{ key: key(0), file: clip(1, { more }) }]).film ?? undefined),
    ).toContain("GPRMC");
  });

  test("says of every second once: recordings of the same second are in it once", () => {
    const parts = [key(0), key(0).replace("_N", "_P"), key(2)].map((name, seed) => ({ key: name, file: clip(seed) }));
    expect(filmOf(parts).facts).toMatchObject({ clips: 2, seconds: 4, cannot: null });
  });

  test("of random clips has each sample at its time", () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    for (let round = 0; round < 200; round++) {
      const count = 1 + random(4);
      const isB = random(2) === 1;
      const hasSound = random(3) > 0;
      const every = 1 + random(12);
      const plans = Array.from({ length: count }, (_, seed): ClipPlan => {
        const length = 4 + random(40);
        const drawn = isB ? withB(3 * Math.ceil(length / 3) + 1) : pictures(length, every);
        return {
          seed,
          pictures: isB ? drawn : drawn.map((one) => ({ ...one, lasts: 900 + random(3) * 100 })),
          ...(hasSound && { sounds: sounds(3 + random(30)) }),
          ...(isB && { edits: [[0, 2 * TICK]] as const }),
          perChunk: 1 + random(6),
          isIndexFirst: random(2) === 1,
        };
      });
      const [from, to] = [random(12) / 10, random(20) / 10];
      const files = plans.map(clipFile);
      const parts = files.map((file, at) => ({
        key: key(10 * at),
        file,
        from: at === 0 ? from : 0,
        to: at === count - 1 && (count > 1 || to >= from) ? to : Number.POSITIVE_INFINITY,
      }));
      const { film } = filmOf(parts, random(2) === 1);
      const [picture, sound] = samplesOf(film ?? new Uint8Array(0));
      // Each clip as a player of its own shows it.
      let begins = 0;
      for (const [at, file] of files.entries()) {
        const [own, ownSound] = samplesOf(file);
        const mine = picture?.samples.filter(({ bytes }) => bytes.startsWith(`v${at}.`)) ?? [];
        const firstName = mine[0]?.bytes;
        const first = own?.samples.find(({ bytes }) => bytes === firstName);
        expect(first?.isKey).toBe(true);
        if (at === 0) {
          const later = own?.samples.filter((one) => one.isKey && one.shown <= from && one.shown > (first?.shown ?? 0));
          expect(later).toEqual([]);
        } else expect(first?.shown).toBeCloseTo(0, 6);
        begins = mine[0]?.shown ?? 0;
        const offset = begins - (first?.shown ?? 0);
        for (const one of mine) {
          const there = own?.samples.find(({ bytes }) => bytes === one.bytes);
          expect(one.shown - (there?.shown ?? 0)).toBeCloseTo(offset, 6);
        }
        for (const one of sound?.samples.filter(({ bytes }) => bytes.startsWith(`a${at}.`)) ?? []) {
          const there = ownSound?.samples.find(({ bytes }) => bytes === one.bytes);
          expect(Math.abs(one.shown - (there?.shown ?? 0) - offset)).toBeLessThan(0.07);
        }
        if (at === count - 1) {
          const limit = parts[at]?.to ?? 0;
          const shown = mine.filter((one) => one.shown < (picture?.to ?? 0)).map((one) => one.shown - offset);
          const ends = Math.max(...shown);
          const wanted = own?.samples.filter((one) => one.shown >= limit - 1e-6).map((one) => one.shown) ?? [];
          const last =
            wanted.length > 0
              ? Math.max(Math.min(...wanted), first?.shown ?? 0)
              : Math.max(...(own?.samples.map((one) => one.shown) ?? []));
          expect(ends).toBeCloseTo(last, 5);
        }
      }
      const decoded = picture?.samples.map((one) => one.decoded) ?? [];
      expect(decoded.every((time, at) => at === 0 || time > (decoded[at - 1] ?? 0))).toBe(true);
      if (sound) expect(sound.samples.every(({ lasts }) => lasts > 0)).toBe(true);
    }
  });
});
