import { describe, expect, test } from "bun:test";
import { ClipRefused } from "../../../server/domain/film/clip_refusal.ts";
import { readClip, type Stretch } from "../../../server/domain/film/clip_tables.ts";
import { FilmBuilder } from "../../../server/domain/film/film_builder.ts";
import { boxesIn } from "../../../server/domain/recordings/mp4_boxes.ts";
import { clipFile, type PlannedSample } from "../../support/camera/film_clip.ts";

const pictures: PlannedSample[] = Array.from({ length: 30 }, (_, at) => ({
  size: 50,
  lasts: 1000,
  isKey: at % 10 === 0,
  delay: at % 2,
}));
const sounds: PlannedSample[] = Array.from({ length: 16 }, (_, at) => ({ size: 10 + (at % 2), lasts: 1024 }));

interface Opened {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly movie: Uint8Array;
  readonly media: readonly Stretch[];
  /** Position in the index of the content of a track's table. */
  readonly at: (type: string, track?: number) => number;
}

function opened(): Opened {
  const file = clipFile({ seed: 1, pictures, sounds, edits: [[1000, 0]] });
  const boxes = [...boxesIn(file)];
  const index = boxes.find(({ type }) => type === "moov");
  const movie = file.subarray(index?.content ?? 0, index?.end ?? 0);
  const media = boxes.flatMap(({ type, content, end }) => (type === "mdat" ? [{ from: content, to: end }] : []));
  const at = (type: string, track = 0) => {
    const text = Buffer.from(movie.buffer, movie.byteOffset, movie.length).toString("latin1");
    let found = -1;
    for (let left = track; left >= 0; left--) found = text.indexOf(type, found + 1);
    return found + 4;
  };
  return { file, movie, media, at };
}

/** Why a clip is refused; `fine` when it is not. */
function outcome({ movie, media }: Pick<Opened, "movie" | "media">): string {
  try {
    readClip(movie, media);
    return "fine";
  } catch (error) {
    if (error instanceof ClipRefused) return error.reason;
    throw error;
  }
}

describe("readClip()", () => {
  test("reads what cameras write", () => {
    const clip = opened();
    expect(outcome(clip)).toBe("fine");
    const { picture, sound, bytes } = readClip(clip.movie, clip.media);
    expect([picture.count, picture.scale, sound?.count, sound?.scale]).toEqual([30, 30_000, 16, 16_000]);
    expect([...(picture.keys ?? [])]).toEqual([0, 10, 20]);
    expect(bytes).toBeLessThan(8000);
  });

  const BILLIONS = 0xffff_fff0;
  /** Values and their places, counted from the content of a table. */
  const lies: readonly [what: string, type: string, at: number, value: number, outcome: string, track?: number][] = [
    ["sizes of billions of samples", "stsz", 8, BILLIONS, "damaged"],
    ["billions of samples of one size", "stsz", 4, 50, "fine"],
    ["samples larger than the file", "stsz", 12, BILLIONS, "damaged"],
    ["a size by which samples lie over those of the other track", "stsz", 12, 80, "damaged"],
    ["billions of times", "stts", 4, BILLIONS, "damaged"],
    ["times for fewer samples than there are", "stts", 8, 29, "damaged"],
    ["times for more samples than there are", "stts", 8, BILLIONS, "fine"],
    ["samples that take years", "stts", 12, BILLIONS, "damaged"],
    ["samples that take no time", "stts", 12, 0, "damaged"],
    ["billions of delays", "ctts", 4, BILLIONS, "damaged"],
    ["a delay of a day", "ctts", 12, 0x7fff_ffff, "damaged"],
    ["a delay of minus a day", "ctts", 12, 0x8000_0000, "damaged"],
    ["billions of key frames", "stss", 4, BILLIONS, "damaged"],
    ["a key frame that is not there", "stss", 16, 31, "damaged"],
    ["key frames that do not rise", "stss", 12, 21, "damaged"],
    ["a key frame 0", "stss", 8, 0, "damaged"],
    ["billions of runs of chunks", "stsc", 4, BILLIONS, "damaged"],
    ["a first run that is not of the first chunk", "stsc", 8, 2, "damaged"],
    ["chunks of billions of samples", "stsc", 12, BILLIONS, "damaged"],
    ["chunks without a sample", "stsc", 12, 0, "damaged"],
    ["another description", "stsc", 16, 2, "damaged"],
    ["billions of chunks", "stco", 4, BILLIONS, "damaged"],
    ["fewer chunks than samples need", "stco", 4, 9, "damaged"],
    ["a chunk behind the file", "stco", 8, BILLIONS, "damaged"],
    ["a chunk at the file's head", "stco", 8, 8, "damaged"],
    ["a chunk over another one", "stco", 12, 40, "damaged"],
    ["a sound's chunk over the pictures", "stco", 8, 41, "damaged", 1],
    ["a clock without ticks", "mdhd", 12, 0, "damaged"],
    ["billions of edits", "elst", 4, BILLIONS, "damaged"],
    ["an edit at double speed", "elst", 16, 0x2_0000, "edited"],
    ["an edit before the beginning", "elst", 12, BILLIONS, "edited"],
    ["two ways of coding", "stsd", 4, 2, "edited"],
  ];
  for (const [what, type, at, value, expected, track = 0] of lies)
    test(`believes no table that tells of ${what}`, () => {
      const clip = opened();
      new DataView(clip.movie.buffer, clip.movie.byteOffset).setUint32(clip.at(type, track) + at, value);
      expect(outcome(clip)).toBe(expected);
    });

  test("takes no memory for billions of samples of one size, and refuses pictures beyond any clip's", () => {
    const clip = opened();
    const view = new DataView(clip.movie.buffer, clip.movie.byteOffset);
    const of = (track: number) => {
      view.setUint32(clip.at("stsz", track) + 4, 1);
      view.setUint32(clip.at("stsz", track) + 8, 0xffff_fff0);
      view.setUint32(clip.at("stts", track) + 8, 0xffff_ffff);
      view.setUint32(clip.at("stts", track) + 12, 1);
      return outcome(clip);
    };
    expect(of(1)).toBe("damaged");
    expect(of(0)).toBe("damaged");
  });

  test("says what it is that cannot be joined", () => {
    const clip = opened();
    const text = (find: string, put: string) => {
      const changed = opened();
      changed.movie.set(new TextEncoder().encode(put), changed.at(find) - 4);
      return outcome(changed);
    };
    expect(text("mvhd", "mvex")).toBe("fragments");
    expect(text("vide", "text")).toBe("pictures");
    expect(text("stbl", "nope")).toBe("damaged");
    expect(outcome({ movie: clip.movie, media: [] })).toBe("damaged");
    expect(outcome({ movie: new Uint8Array(0), media: clip.media })).toBe("damaged");
    const empty = clipFile({ seed: 1, pictures: [] });
    const index = [...boxesIn(empty)].find(({ type }) => type === "moov");
    expect(outcome({ movie: empty.subarray(index?.content, index?.end), media: [] })).toBe("pictures");
  });

  test("of damaged bytes gives tables that can be joined, or a refusal", () => {
    let state = 11;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const { file, movie: whole, media } = opened();
    const seen = new Set<string>();
    for (let round = 0; round < 5000; round++) {
      const damaged = whole.slice(0, random(10) === 0 ? random(whole.length) : whole.length);
      for (let count = 1 + random(3); count > 0; count--)
        damaged[random(damaged.length)] = [0, 1, 255, random(256)][random(4)] ?? 0;
      const result = outcome({ movie: damaged, media });
      seen.add(result);
      if (result !== "fine") continue;
      const builder = new FilmBuilder(random(2) === 0);
      const tables = readClip(damaged, media);
      builder.add({ key: "20260607_101500_N", from: random(2), to: random(3), size: file.length, tables });
      const film = builder.finish();
      for (const { at, length } of film?.slices ?? []) expect(at + length).toBeLessThanOrEqual(file.length);
      expect(film?.header.length ?? 0).toBeLessThan(10_000);
    }
    expect([seen.has("damaged"), seen.has("fine")]).toEqual([true, true]);
  });
});
