import type { CardFile } from "../../../server/dashcam/simulator/simulated_video.ts";
import { sizeOf } from "../tree.ts";
import { notHome } from "./at_home.ts";
import { planDrives } from "./drives.ts";
import type { Situation, SituationMaker } from "./situation.ts";

/** The smallest limit there is, and what may be on its way beyond it. */
const LIMIT_GB = 1;
const MOST_BYTES = LIMIT_GB * 1e9 + 16_000_000;
const LOOK_MS = 20;
const NOISE = new Uint8Array(64 * 1024).fill(0x5a);

/**
 * A camera that sends a video without a length and without an end. It is given up at the limit, what came of it goes,
 * and the others come home.
 */
export const endless: SituationMaker = (dice): Situation => {
  const card = planDrives(dice, { days: 1, moments: 4, least: 10_000, most: 200_000 });
  const victim = dice.pick(card).name;
  let real: CardFile | null = null;
  /** Bytes that were seen of what came of the endless one. */
  let largest = 0;
  return {
    card,
    validators: true,
    settings: { sync: { max_video_gb: LIMIT_GB, priority: dice.pick(["date", "rdate", "type", "smart"]) } },
    visits: dice.whole(2, 3),
    rate: null,
    deletes: () => false,
    before({ scene }, visit) {
      if (visit > 0) return;
      real = scene.card.files.get(victim) ?? null;
      if (real !== null) scene.put(victim, withoutEnd(real));
      scene.simulator.fault({ name: dice.pick(["no-length", "chunked"]), match: new RegExp(`/${victim}$`) });
    },
    async act({ scene }, talk) {
      let isOver = false;
      const run = talk.sync().finally(() => {
        isOver = true;
      });
      run.catch(() => {});
      // A file that is given up is gone afterwards: it is seen only while it grows.
      while (!isOver) {
        largest = Math.max(largest, sizeOf(scene.at(`.${victim}`)) ?? 0);
        await Bun.sleep(LOOK_MS);
      }
      await run;
    },
    after({ scene }, visit) {
      const partial = Math.max(largest, sizeOf(scene.at(`.${victim}`)) ?? 0);
      // For the undisturbed run the camera is repaired.
      if (visit === this.visits - 1 && real !== null) scene.put(victim, real);
      return partial > MOST_BYTES ? [`.${victim} has grown to ${partial} bytes`] : [];
    },
    check: (stage) => notHome(stage),
  };
};

/** The bytes of a video, and then noise for longer than any disk lasts. */
function withoutEnd(file: CardFile): CardFile {
  return {
    size: 1e13,
    async read(start, end) {
      if (start >= file.size) return end - start === NOISE.length ? NOISE : new Uint8Array(end - start).fill(0x5a);
      const bytes = new Uint8Array(end - start).fill(0x5a);
      bytes.set(await file.read(start, Math.min(end, file.size)));
      return bytes;
    },
  };
}
