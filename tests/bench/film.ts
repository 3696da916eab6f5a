import { mkdirSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clipFile } from "../support/camera/film_clip.ts";
import { inTurn, measure, median } from "./measure.ts";
import type { Part } from "./part.ts";
import { openService } from "./service.ts";

const CLIPS = 60;
/** A minute of pictures and sound, of 70 MB. */
const PICTURES = 1800;
const PICTURE_BYTES = 38_400;
const PACKETS = 938;

interface FilmFigures {
  readonly firstMs: number;
  readonly coldMs: number;
  readonly warmMs: number;
  readonly firstByteMs: number;
  /** Ours over /media with the same bytes: above 1 the film is faster. */
  readonly speed: number;
  readonly megabytesPerSecond: number;
  readonly megabytesOnTop: number;
  readonly bytes: number;
}

/** An hour of one camera as one film. */
export async function benchFilm(rounds: number): Promise<FilmFigures> {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-bench-film-"));
  try {
    await using service = await openService({ folder }, "film");
    const recordings = join(folder, "film", "recordings");
    mkdirSync(recordings, { recursive: true });
    const pictures = Array.from({ length: PICTURES }, (_, at) => ({
      size: PICTURE_BYTES + (at % 31),
      lasts: 1000,
      isKey: at % 30 === 0,
    }));
    const sounds = Array.from({ length: PACKETS }, (_, at) => ({ size: 250 + (at % 13), lasts: 1024 }));
    const clip = clipFile({ seed: 1, pictures, sounds, perChunk: 15 });
    const nameOf = (at: number) =>
      `20261120_${String(8 + Math.floor(at / 60)).padStart(2, "0")}${String(at % 60).padStart(2, "0")}00_NF.mp4`;
    const paths = Array.from({ length: CLIPS }, (_, at) => join(recordings, nameOf(at)));
    for (const path of paths) await Bun.write(path, clip);
    const film = `${service.url}/film/F.mp4?trip=${nameOf(0).slice(0, 17)}`;
    const ms = async (method: string, range?: string) => {
      const began = performance.now();
      const answer = await fetch(film, { method, headers: range === undefined ? {} : { range } });
      const reader = answer.body?.getReader();
      await reader?.read();
      const took = performance.now() - began;
      await reader?.cancel();
      if (!answer.ok) throw new Error(`The film was answered with ${answer.status}`);
      return took;
    };
    const firstMs = await ms("HEAD");
    const cold: number[] = [];
    const warm: number[] = [];
    const first: number[] = [];
    for (let round = 0; round < 3 * rounds; round++) {
      // Another time of writing is another version: nothing of the old one counts.
      for (const path of paths) utimesSync(path, 1_790_000_000, 1_790_000_000 + round);
      cold.push(await ms("HEAD"));
      for (let again = 0; again < 5; again++) warm.push(await ms("HEAD"));
      first.push(await ms("GET", "bytes=0-"));
    }
    const bytes = Number((await fetch(film, { method: "HEAD" })).headers.get("content-length"));
    const before = service.megabytes();
    const all = paths.map((_, at) => `url = "${service.url}/media/${nameOf(at)}"\noutput = "/dev/null"\n`).join("");
    const config = (text: string) =>
      measure(["curl", "--silent", "--show-error", "--fail", "-K", "-"], { stdin: text });
    const pairs = await inTurn(
      rounds,
      () => config(`url = "${film}"\noutput = "/dev/null"\n`),
      () => config(all),
    );
    return {
      firstMs,
      coldMs: median(cold),
      warmMs: median(warm),
      firstByteMs: median(first),
      speed: 1 / pairs.wall,
      megabytesPerSecond: bytes / 1e6 / pairs.a.wallSeconds,
      megabytesOnTop: service.peakMegabytes() - before,
      bytes,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const FILM_PARTS: readonly Part[] = [
  {
    name: "film",
    async measure(add, rounds) {
      const film = await benchFilm(rounds);
      const ms = (value: number) => value.toFixed(1);
      add(
        "a film of 60 clips, its length and ETag: read from the clips / known / the very first after a start",
        `${ms(film.coldMs)} / ${ms(film.warmMs)} / ${ms(film.firstMs)} ms`,
        "≤ 30 / ≤ 3 ms",
      );
      add("the same: first byte", `${ms(film.firstByteMs)} ms`, "≤ 50 ms");
      add(
        `the same: all ${(film.bytes / 1e9).toFixed(1)} GB against the same files from /media; memory on top`,
        `${film.speed.toFixed(2)} × (${film.megabytesPerSecond.toFixed(0)} MB/s); ${film.megabytesOnTop.toFixed(0)} MB`,
        "≥ 0.95 ×; ≤ 20 MB",
      );
    },
  },
];
