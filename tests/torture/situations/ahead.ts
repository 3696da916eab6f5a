import { existsSync, readFileSync } from "node:fs";
import { SimulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { type CardFile, fileOf } from "../../../server/dashcam/simulator/simulated_video.ts";
import { shortened } from "../../../server/dashcam/simulator/simulator_contents.ts";
import { parseRecording } from "../../../server/domain/recordings/recording_name.ts";
import { gives } from "./at_home.ts";
import { keyOf, keysOf, planDrives } from "./drives.ts";
import type { Situation, SituationMaker, Stage } from "./situation.ts";

const COMPANIONS = ["gps", "thm", "3gf"] as const;

/**
 * Companions come before their videos, from a card that goes on changing: the camera is still writing them, another
 * drive has taken their names, or they are gone. Beside each video lies in the end what the camera has beside it.
 */
export const ahead: SituationMaker = (dice): Situation => {
  const card = planDrives(dice, { days: 1, moments: dice.whole(3, 5), least: 60_000, most: 400_000 });
  const keys = keysOf(card);
  const bytes = card.reduce((sum, video) => sum + video.bytes, 0);
  /** Companions as they will be once the camera has written them to their end. */
  const whole = new Map<string, CardFile>();
  const videoOf = (key: string) => card.find(({ name }) => keyOf(name) === key)?.name ?? "";
  const isHome = ({ scene }: Stage, key: string) => existsSync(scene.at(videoOf(key)));
  return {
    card,
    validators: true,
    settings: { sync: { metadata_first: true, grouping: "none" } },
    visits: dice.whole(4, 7),
    rate: Math.max(100_000, Math.round(bytes / 2)),
    deletes: () => false,
    before(stage, visit) {
      const { scene } = stage;
      scene.simulator.clearFaults();
      for (const [name, file] of whole) scene.put(name, file);
      whole.clear();
      for (const key of keys) {
        // Beside a whole video nothing changes any more.
        if (isHome(stage, key)) continue;
        const names = scene.card.names().filter((name) => keyOf(name) === key);
        const companions = names.filter((name) => !name.endsWith(".mp4"));
        const what = visit === 0 ? "grows" : dice.pick(["nothing", "other", "other grows", "gone"]);
        stage.note(`${key}: ${what}`);
        if (what.startsWith("other")) {
          const other = otherDrive(videoOf(key), scene.card.files.get(videoOf(key))?.size ?? 0, visit);
          for (const name of names) scene.put(name, other(name) ?? fileOf(new Uint8Array(0)));
        }
        if (what === "gone") for (const name of dice.some(companions, 1)) scene.card.remove(name);
        if (!what.endsWith("grows")) continue;
        // While the camera is writing them, it is writing the video.
        const video = videoOf(key);
        const written = dice.whole(1000, (scene.card.files.get(video)?.size ?? 0) - 1000);
        scene.simulator.fault({ name: "paused", match: new RegExp(`/${video}$`), after: written });
        for (const name of companions) {
          const file = scene.card.files.get(name);
          if (!file || file.size < 2) continue;
          whole.set(name, file);
          scene.put(name, shortened(file, dice.whole(1, file.size - 1)));
        }
      }
    },
    after({ scene }, visit) {
      // The undisturbed run finds what the camera has written to its end.
      if (visit === this.visits - 1) for (const [name, file] of whole) scene.put(name, file);
      return [];
    },
    async finish(_stage, talk) {
      // Files that are no longer there go with the second list without them.
      for (let times = 0; times < 3; times++) await talk.sync();
    },
    async check(stage) {
      const { scene } = stage;
      const wrong: string[] = [];
      for (const key of keys) {
        const video = videoOf(key);
        if (!isHome(stage, key)) wrong.push(`${video} did not come home`);
        for (const kind of COMPANIONS) {
          if (!gives(scene, `.${kind}`)) continue;
          const names =
            parseRecording(video)
              ?.namesOf(kind)
              .filter((name) => existsSync(scene.at(name))) ?? [];
          const file = [...scene.card.files].find(([name]) => keyOf(name) === key && name.endsWith(`.${kind}`))?.[1];
          if (file && file.size > 0 && names.length === 0) wrong.push(`${key}: its .${kind} did not come home`);
          for (const name of names) {
            const here = readFileSync(scene.at(name));
            if (!file) wrong.push(`${name} is beside its video, and the camera has none`);
            else if (Buffer.compare(here, await file.read(0, file.size)) !== 0)
              wrong.push(`${name} is not what the camera has beside the video: ${here.length} bytes of ${file.size}`);
          }
        }
      }
      return wrong;
    },
  };
};

/** Files that the camera has recorded some years later, after it was formatted and its clock went back. */
function otherDrive(video: string, size: number, years: number): (name: string) => CardFile | undefined {
  const later = (name: string) => `${Number(name.slice(0, 4)) + years}${name.slice(4)}`;
  const card = new SimulatedCard(syntheticFootage(size));
  card.record(later(video));
  return (name) => card.files.get(later(name));
}
