import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { clipFile } from "../support/camera/film_clip.ts";
import { measure, median } from "./measure.ts";
import type { Part } from "./part.ts";
import { openService, startService } from "./service.ts";
import { MEMORY } from "./stage.ts";

const MAIN = resolve(import.meta.dir, "../../server/main.ts");
/** A minute of pictures, of 70 MB. */
const PICTURES = 1800;
const PICTURE_BYTES = 38_400;
/** The pack has each of them twice: as it is, and in its film. */
const CLIPS = 15;

interface PackFigures {
  readonly firstByteMs: number;
  /** The same where no checksum of a file was kept. */
  readonly withoutMs: number;
  readonly bytes: number;
  readonly megabytesPerSecond: number;
  readonly megabytesOnTop: number;
}

/** A pack of two gigabytes, each time from a service that has just been started. */
async function benchPack(rounds: number): Promise<PackFigures> {
  const folder = mkdtempSync(join(MEMORY, "dashdock-bench-"));
  try {
    await (await openService({ folder }, "pack"))[Symbol.asyncDispose]();
    const recordings = join(folder, "pack", "recordings");
    mkdirSync(recordings, { recursive: true });
    const pictures = Array.from({ length: PICTURES }, (_, at) => ({
      size: PICTURE_BYTES + (at % 31),
      lasts: 1000,
      isKey: at % 30 === 0,
    }));
    const clip = clipFile({ seed: 1, pictures, perChunk: 15 });
    const nameOf = (at: number) => `20261120_08${String(at).padStart(2, "0")}00_NF.mp4`;
    for (let at = 0; at < CLIPS; at++) await Bun.write(join(recordings, nameOf(at)), clip);
    const path = `/api/viewer/export/pack?trip=${nameOf(0).slice(0, 17)}&for=insurer`;
    const firstByte = async () => {
      await using service = await startService(join(folder, "pack"));
      // Code that makes a pack is loaded with the first one, of a clip.
      await (await fetch(`${service.url}/api/viewer/pack?trip=${nameOf(0).slice(0, 17)}`)).arrayBuffer();
      const before = service.megabytes();
      const began = performance.now();
      const answer = await fetch(`${service.url}${path}`);
      const reader = answer.body?.getReader();
      await reader?.read();
      const ms = performance.now() - began;
      if (!answer.ok) throw new Error(`The pack was answered with ${answer.status}`);
      let bytes = 0;
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) bytes += part.value.length;
      const seconds = (performance.now() - began) / 1000;
      return { ms, bytes, megabytesPerSecond: bytes / 1e6 / seconds, onTop: service.peakMegabytes() - before };
    };
    const without: number[] = [];
    for (let round = 0; round < rounds; round++) {
      rmSync(join(recordings, ".dashdock", "sums.db"), { force: true });
      without.push((await firstByte()).ms);
    }
    await measure([process.execPath, MAIN, "verify", "-d", recordings]);
    const all: Awaited<ReturnType<typeof firstByte>>[] = [];
    for (let round = 0; round < rounds; round++) all.push(await firstByte());
    return {
      firstByteMs: median(all.map(({ ms }) => ms)),
      withoutMs: median(without),
      bytes: all[0]?.bytes ?? 0,
      megabytesPerSecond: median(all.map((one) => one.megabytesPerSecond)),
      megabytesOnTop: Math.max(...all.map(({ onTop }) => onTop)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const PACK_PARTS: readonly Part[] = [
  {
    name: "pack",
    async measure(add, rounds) {
      const { firstByteMs, withoutMs, bytes, megabytesPerSecond, megabytesOnTop } = await benchPack(rounds);
      add(
        `a pack of ${(bytes / 1e9).toFixed(1)} GB right after a start: first byte, and where no checksum is kept`,
        `${firstByteMs.toFixed(0)} ms, ${withoutMs.toFixed(0)} ms`,
        "≤ 300 ms",
      );
      const speed = `${megabytesPerSecond.toFixed(0)} MB/s; ${megabytesOnTop.toFixed(0)} MB`;
      add("the same: all of it, its film hashed under way; memory on top", speed, "–");
    },
  },
];
