import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import type { Film } from "../../../server/store/clips/film.ts";
import { type FilmOrder, Films } from "../../../server/store/clips/films.ts";
import { partsOf, type Segment } from "../../../server/store/library/recording_files.ts";
import { clipFile, samplesOf } from "../../support/camera/film_clip.ts";
import { putFootage } from "../../support/camera/footage.ts";
import { box, FILE_TYPE } from "../../support/camera/mp4.ts";

let root: string;
let films: Films;
const zone = () => new ZoneTime("UTC");
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "films-"));
  films = new Films({ root, clock: systemClock, zone });
});
afterEach(() => rmSync(root, { recursive: true }));

const pictures = Array.from({ length: 30 }, (_, at) => ({ size: 30 + (at % 5), lasts: 1000, isKey: at % 10 === 0 }));
const sounds = Array.from({ length: 16 }, (_, at) => ({ size: 20, lasts: 1024 + (at % 1) }));
const keyAt = (second: number) =>
  `20260607_${new Date(second * 1000).toISOString().slice(11, 19).replaceAll(":", "")}_N`;

function segment(key: string, ...directions: readonly string[]): Segment {
  const parts = partsOf(directions.map((direction) => `${direction}.mp4`));
  if (parts === null) throw new Error("no video");
  return { key, folder: "", parts };
}
function put(second: number, file: Uint8Array): Segment {
  const key = keyAt(second);
  writeFileSync(join(root, `${key}F.mp4`), file);
  return segment(key, "F");
}
const order = (clips: readonly Segment[], more: Partial<FilmOrder> = {}): FilmOrder => ({
  direction: "F",
  clips,
  from: 0,
  to: Number.POSITIVE_INFINITY,
  isPlain: false,
  ...more,
});
const headerOf = async (film: Film) => await film.read(0, film.headerBytes);

describe("Films", () => {
  test("joins what lies beyond 4 GiB", async () => {
    const rest = 1_700_000_000;
    const clips = [0, 1, 2].map((seed) => {
      const clip = put(seed, clipFile({ seed, pictures, sounds }));
      const path = join(root, `${clip.key}F.mp4`);
      // A box of the camera's own, of which the disk holds nothing.
      const head = new Uint8Array(8);
      new DataView(head.buffer).setUint32(0, rest);
      head.set(new TextEncoder().encode("free"), 4);
      appendFileSync(path, head);
      truncateSync(path, statSync(path).size - 8 + rest);
      return clip;
    });
    const film = await films.open(order(clips));
    const header = await headerOf(film);
    expect(film.length).toBeGreaterThan(3 * rest);
    const text = Buffer.from(header).toString("latin1");
    expect([text.includes("co64"), text.includes("stco")]).toEqual([true, false]);
    // A head of 16 bytes, the second half of which is the length.
    const media = new DataView(header.buffer, header.byteOffset + header.length - 16);
    expect([media.getUint32(0), text.slice(-12, -8), Number(media.getBigUint64(8))]).toEqual([
      1,
      "mdat",
      film.length - header.length + 16,
    ]);
    for (const { samples, kind } of samplesOf(header))
      for (const at of [0, samples.length - 1]) {
        const sample = samples[at];
        const place = sample?.at ?? 0;
        const letter = kind === "vide" ? "v" : "a";
        const name = `${letter}${at === 0 ? 0 : 2}.${at === 0 ? 0 : samples.length / 3 - 1};`;
        const bytes = await film.read(place, place + (sample?.size ?? 0));
        expect(new TextDecoder().decode(bytes)).toStartWith(name);
      }
    // Without what no sample needs it is small.
    expect((await films.open(order(clips, { isPlain: true }))).length).toBeLessThan(10_000);
  });

  test("joins 600 clips, each sample in its place", async () => {
    const clips = Array.from({ length: 600 }, (_, seed) => put(seed, clipFile({ seed, pictures, sounds })));
    const film = await films.open(order(clips));
    expect(film.facts).toMatchObject({ clips: 600, seconds: 600 * 1.024, gaps: [], cannot: null });
    const [picture, sound] = samplesOf(await film.read(0, film.length));
    expect([picture?.samples.length, sound?.samples.length]).toEqual([18_000, 9600]);
    for (const at of [0, 1, 299, 599]) {
      expect(picture?.samples[30 * at + 7]?.bytes).toBe(`v${at}.7`);
      expect(sound?.samples[16 * at + 3]?.bytes).toBe(`a${at}.3`);
      expect(picture?.samples[30 * at]?.shown).toBeCloseTo(at * 1.024, 5);
      expect(sound?.samples[16 * at]?.shown).toBeCloseTo(at * 1.024, 4);
    }
  });

  test("gives any part, as the whole has it", async () => {
    const clips = [0, 1, 2, 3].map((seed) => put(seed, clipFile({ seed, pictures, sounds })));
    for (const isPlain of [false, true]) {
      const film = await films.open(order(clips, { isPlain, from: 0.4, to: 0.5 }));
      const whole = await film.read(0, film.length);
      let state = 3;
      const random = (below: number) => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((state / 2_147_483_648) * below);
      };
      for (let round = 0; round < 300; round++) {
        const from = random(film.length);
        const to = from + 1 + random(film.length - from);
        expect(Buffer.compare(await film.read(from, to), whole.subarray(from, to))).toBe(0);
      }
      using entry = await film.source("film/F.mp4").open();
      const [one, other] = [new Uint8Array(500), new Uint8Array(700)];
      await entry.read(0, one);
      await entry.read(500, other);
      entry.check();
      expect(Buffer.compare(Buffer.concat([one, other]), whole.subarray(0, 1200))).toBe(0);
      await entry.read(100, one);
      expect(Buffer.compare(one, whole.subarray(100, 600))).toBe(0);
    }
  });

  test("has another ETag when a file, or the span, is another one, and the same when nothing is", async () => {
    const clips = [0, 1, 2].map((seed) => put(seed, clipFile({ seed, pictures, sounds })));
    const first = await films.open(order(clips));
    expect(await films.open(order(clips))).toBe(first);
    expect((await new Films({ root, clock: systemClock, zone }).open(order(clips))).etag).toBe(first.etag);
    const etags = new Set([first.etag]);
    etags.add((await films.open(order(clips, { from: 0.4 }))).etag);
    etags.add((await films.open(order(clips, { isPlain: true }))).etag);
    etags.add((await films.open(order(clips.slice(0, 2)))).etag);
    utimesSync(join(root, `${keyAt(1)}F.mp4`), 1000, 1000);
    etags.add((await films.open(order(clips))).etag);
    put(1, clipFile({ seed: 7, pictures, sounds }));
    etags.add((await films.open(order(clips))).etag);
    expect(etags.size).toBe(6);
    await expect(first.read(0, first.length)).rejects.toThrow("was changed while it was sent in a film");
  });

  // In Berlin clocks go from 02:00 to 03:00 on this night.
  for (const [id, gaps] of [
    ["Europe/Berlin", []],
    ["UTC", [{ after: "20260329_015959_N", seconds: 3600 }]],
  ] as const)
    test(`joins what is an hour apart on the clock alone, in ${id}`, async () => {
      const clips = ["20260329_015959_N", "20260329_030000_N"].map((key, seed) => {
        writeFileSync(join(root, `${key}F.mp4`), clipFile({ seed, pictures, sounds }));
        return segment(key, "F");
      });
      const own = new Films({ root, clock: systemClock, zone: () => new ZoneTime(id) });
      expect((await own.open(order(clips))).facts.gaps).toEqual([...gaps]);
    });

  test("tells of each file that is no part of a film why", async () => {
    const good = () => clipFile({ seed: 1, pictures, sounds });
    const fragments = Buffer.concat([good(), box("moof", new Uint8Array(8))]);
    const growing = good().slice(0, -10);
    const large = Buffer.concat([FILE_TYPE, box("moov", new Uint8Array(9_000_000)), box("mdat", [1])]);
    const bad = clipFile({ seed: 1, pictures, sounds, isIndexFirst: true });
    for (const [file, words] of [
      [new Uint8Array(0), "is not finished"],
      [new Uint8Array(100), "is damaged"],
      [FILE_TYPE, "is not finished"],
      [Buffer.concat([FILE_TYPE, box("mdat", new Uint8Array(99))]), "is not finished"],
      [growing, "is not finished"],
      [bad.slice(0, -500), "is damaged"],
      [fragments, "is written in fragments, which cannot be joined"],
      [large, "has an index that is too large"],
    ] as const) {
      const film = await films.open(order([put(0, file)]));
      expect([film.length, film.facts.cannot]).toEqual([0, { key: keyAt(0), words, ends: null }]);
      // Beside others it is a gap.
      const among = await films.open(order([put(0, file), put(1, good()), segment(keyAt(2), "R"), put(3, good())]));
      expect(among.facts).toMatchObject({ clips: 2, cannot: null, gaps: [{ after: keyAt(1), seconds: 1 }] });
    }
    const gone = await films.open(order([segment(keyAt(50), "F")]));
    expect(gone.facts.cannot).toMatchObject({ words: "has no video of this camera", ends: null });
  });

  test("joins the demo's clips", async () => {
    const names = ["20260607_101500_NF.mp4", "20260607_101600_NF.mp4", "20260607_101700_EF.mp4"];
    await putFootage(root, names, names);
    const clips = names.map((name) => segment(name.slice(0, 17), "F"));
    const film = await films.open(order(clips));
    expect(film.facts.cannot).toBeNull();
    const [picture, sound] = samplesOf(await film.read(0, film.length));
    expect(picture?.samples[0]).toMatchObject({ shown: 0, isKey: true });
    const last = picture?.samples.at(-1)?.decoded ?? 0;
    expect(film.facts.seconds).toBeGreaterThan(last);
    expect(Math.abs((sound?.samples.at(-1)?.shown ?? 0) - last)).toBeLessThan(0.3);
  });
});
