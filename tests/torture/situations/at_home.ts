import { findOut, namesAt, type Whereabouts } from "../whereabouts.ts";
import { keyOf } from "./drives.ts";
import type { Stage } from "./situation.ts";

/** Places of all recordings, without the user's own files. */
export function whereabouts({ scene }: Pick<Stage, "scene">): Whereabouts {
  return findOut(scene.destination, (path) => scene.foreign.has(`recordings/${path}`));
}

/** The newer interface has no g-sensor data. */
export function gives({ simulator }: Stage["scene"], name: string): boolean {
  return simulator.generation === "legacy" || !name.endsWith(".3gf");
}

/** Files on the card that are not at home, as sentences. */
export function notHome({ scene }: Pick<Stage, "scene">, isWanted: (name: string) => boolean = () => true): string[] {
  const { home } = whereabouts({ scene });
  return scene.card
    .names()
    .filter((name) => gives(scene, name) && isWanted(name) && !namesAt(home.get(keyOf(name))).has(name))
    .map((name) => `${name} did not come home`);
}
