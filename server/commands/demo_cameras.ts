import { join } from "node:path";
import type { GenerationName } from "../dashcam/generation.ts";
import { type SimulatedCard, simulatedCard } from "../dashcam/simulator/simulated_card.ts";
import { demoFootage } from "../dashcam/simulator/simulated_demo.ts";
import { MODEL_NAMES, type ModelName } from "../dashcam/simulator/simulated_models.ts";
import { openSimulator, type Simulator } from "../dashcam/simulator/simulator.ts";
import { MAIN_CAMERA } from "../domain/settings/camera_key.ts";
import { idFor } from "../domain/settings/camera_name.ts";
import type { CameraParts } from "../domain/settings/more_cameras.ts";
import { isObject } from "../domain/settings/settings_migrations.ts";

/** Most cameras of a demo. */
export const MOST_DEMO_CAMERAS = 10;

/** The time by which each camera's latest recording is older than that of the camera before. */
const APART_MS = 47 * 60_000 + 13_000;
/** Metres along the road by which each car starts further than the one before. */
const APART_METRES = 1300;

/** One simulated camera of a demo with several. */
export interface DemoCamera {
  readonly id: string;
  readonly name: string;
  readonly model: ModelName;
  readonly card: SimulatedCard;
  readonly directions: readonly string[];
  readonly simulator: Simulator;
  /** True: it leaves in the middle of its first sync. */
  readonly drivesOff: boolean;
}

interface DemoCameraOptions {
  readonly count: number;
  readonly recordings: number;
  readonly now: number;
  readonly offsetMinutes: number;
  readonly generation: GenerationName;
  readonly rate: number;
}

/**
 * Starts the cameras of a car and of vans: other models, other recordings, other times. Every third, beginning with the
 * first van, drives off when half of its recordings are home.
 */
export async function openDemoCameras(
  options: DemoCameraOptions,
  closing: AsyncDisposableStack,
): Promise<readonly DemoCamera[]> {
  const { count, recordings, now, offsetMinutes, generation, rate } = options;
  const cameras: DemoCamera[] = [];
  for (let number = 0; number < count; number++) {
    const name = number === 0 ? "Car" : number === 1 ? "Van" : `Van ${number}`;
    const id = number === 0 ? MAIN_CAMERA : idFor(name, []);
    const directions = number % 3 === 2 ? ["F"] : ["F", "R"];
    const card = simulatedCard({
      recordings,
      now: now - number * APART_MS,
      offsetMinutes,
      directions,
      footage: await demoFootage(number),
      startsAt: number * APART_METRES,
    });
    const model = MODEL_NAMES[number % MODEL_NAMES.length] ?? MODEL_NAMES[0];
    const drivesOff = number % 3 === 1;
    const simulator = closing.use(
      await openSimulator({
        card,
        // A camera alone tells the name of its model, as it left the works.
        name: count === 1 ? undefined : name,
        generation,
        rate,
        model,
        faults: drivesOff ? [{ name: "goes-away", value: Math.floor(recordings / 2) }] : [],
      }),
    );
    cameras.push({ id, name, model, card, directions, simulator, drivesOff });
  }
  return cameras;
}

/** The parts of the settings file with the cameras of the demo; other entries stay, and those of a demo before go on. */
export function withDemoCameras(parts: CameraParts, cameras: readonly DemoCamera[], folder: string): CameraParts {
  const [main, ...further] = cameras;
  const before = Array.isArray(parts.more_cameras) ? parts.more_cameras : [];
  const idOf = (entry: unknown) => (isObject(entry) ? entry["id"] : null);
  const entries = further.map(({ id, name, simulator: { address } }) => {
    const known: unknown = before.find((entry) => idOf(entry) === id);
    const kept = isObject(known) ? known : { id, name, destination: join(folder, id), sync: { grouping: "daily" } };
    const connection = isObject(kept["connection"]) ? kept["connection"] : {};
    return { ...kept, connection: { ...connection, address } };
  });
  const others = before.filter((entry) => !further.some(({ id }) => id === idOf(entry)));
  return {
    ...parts,
    main_camera: parts.main_camera ?? { name: main?.name },
    more_cameras: [...entries, ...others],
  };
}
