import { mixed } from "../../server/dashcam/simulator/simulated_noise.ts";
import type { SimulatorOptions } from "../../server/dashcam/simulator/simulator.ts";
import { GENERATION_NAMES } from "../../server/dashcam/simulator/simulator_generation.ts";
import { GROUPINGS } from "../../server/domain/recordings/date_folders.ts";
import { PRIORITIES } from "../../server/domain/settings/sections/sync.ts";
import { Dice } from "./dice.ts";
import { type CardChange, type PlannedVideo, planCardChanges, Recorder } from "./plan_card.ts";
import { type PlannedFault, planFaults } from "./plan_faults.ts";
import { type PlannedForeign, planForeign } from "./plan_foreign.ts";
import { type PlannedPatch, planCodes, planPatch } from "./plan_patches.ts";

/** A moment of a visit, by what has happened since it began; `line`: of what the program writes. */
export interface Trigger {
  count: number;
  of: "request" | "byte" | "line" | "patch sent" | "patch answered" | "run ended";
}

/** Something that happens while the program runs. */
export type Happening =
  /** The camera is out of reach, for so long or for the rest of the visit. */
  | { does: "away"; forMs: number | null }
  /** The camera starts again with other firmware, and speaks the other interface. */
  | { does: "update" }
  | { does: "stop" }
  /** A file of a recording's name is put where the program would put it. */
  | { does: "put"; name: string; bytes: number }
  /** A second `sync` on the same folder. */
  | { does: "rival" }
  | { does: "patch"; patch: PlannedPatch };

/** The options of one `sync`. */
export interface PlannedCommand {
  grouping: string;
  priority: string;
  include: readonly string[];
  exclude: readonly string[];
  skip: string;
  verbose: number;
}

/** One time that the program is started, and how it ends. */
export interface Visit {
  /** The service, or the command with these options. */
  by: "service" | PlannedCommand;
  card: readonly CardChange[];
  /** The camera was given other firmware before. */
  isUpdated: boolean;
  /** Bytes per second. */
  rate: number | null;
  faults: readonly PlannedFault[];
  /**
   * A video whose room on the card is taken before it is written: its bytes from `from` on are zeros. The camera leaves
   * at `until` of it, so that it never comes whole while nothing tells that it is not.
   */
  preallocated: { name: string; from: number; until: number } | null;
  happenings: readonly { at: Trigger; what: Happening }[];
  /** Time at which it is killed, or asked to end; null: it comes to its own end. */
  end: { at: Trigger; signal: "SIGKILL" | "SIGTERM"; delayMs: number } | null;
  /** It is killed as well when the wire was quiet for so long: a wait of its own takes seconds. */
  waitMs: number;
}

type PlannedCamera = Required<
  Pick<SimulatorOptions, "generation" | "v1009" | "listCompanions" | "listSizes" | "keepAlive" | "validators">
>;

/** Everything that is chance in a round; the same for the same seed. */
export interface RoundPlan {
  seed: number;
  camera: PlannedCamera;
  card: readonly PlannedVideo[];
  foreign: readonly PlannedForeign[];
  visits: readonly Visit[];
  /** Program that runs undisturbed in the end. */
  last: "service" | "command";
}

/** A partial of at least this size is compared with the camera before it is continued (64 KiB of it are). */
export const COMPARED_BYTES = 256 * 1024;
const COMPARED_TAIL = 64 * 1024;

export function seedOfRound(seed: number, round: number): number {
  return mixed(seed, round);
}

export function planRound(seed: number): RoundPlan {
  const dice = new Dice(seed);
  const recorder = new Recorder(dice.fork(1));
  const camera = {
    ...planInterface(dice.fork(3)),
    listCompanions: dice.chance(0.2),
    listSizes: dice.chance(0.2),
    keepAlive: dice.chance(0.85),
    validators: dice.chance(0.5),
  };
  const card = recorder.record(dice.whole(1, 5));
  const foreign = planForeign(dice.fork(2), card);
  // Videos on the card at a visit, as far as no fault of an earlier visit has changed it.
  const names = new Map(card.map((video) => [video.name, video.bytes]));
  const visits = Array.from({ length: dice.whole(4, 12) }, (_, index) => {
    const changes = index === 0 ? [] : planCardChanges(dice, recorder, [...names.keys()]);
    for (const change of changes) {
      if (change.does === "record") for (const video of change.videos) names.set(video.name, video.bytes);
      if (change.does === "overwrite") for (const name of [...names.keys()].slice(0, change.count)) names.delete(name);
    }
    const videos = [...names].map(([name, bytes]) => ({ name, bytes }));
    return planVisit(dice.fork(10 + index), videos, changes, camera.validators);
  });
  return { seed, camera, card, foreign, visits, last: dice.pick(["service", "command"]) };
}

function planInterface(dice: Dice): Pick<PlannedCamera, "generation" | "v1009"> {
  return {
    generation: dice.pick(GENERATION_NAMES),
    v1009: {
      ignoresRange: dice.chance(0.3),
      head: dice.pick(["answers", "refuses", "hangs-up"]),
      // A video that ends with its connection gives no sign of having been cut off.
      videoFraming: dice.pick(["length", "length", "chunked"]),
      nestsGps: dice.chance(0.5),
      gpsAsText: dice.chance(0.3),
    },
  };
}

type Videos = readonly { name: string; bytes: number }[];

function planVisit(dice: Dice, videos: Videos, card: readonly CardChange[], validators: boolean): Visit {
  const by = dice.chance(0.35) ? "service" : planCommand(dice);
  const bytes = videos.reduce((sum, video) => sum + video.bytes, 0);
  return {
    by,
    card,
    isUpdated: dice.fork(1).chance(0.15),
    rate: dice.chance(0.3) ? null : dice.spread(1_000_000, 30_000_000),
    faults: planFaults(dice, videos),
    preallocated: dice.chance(0.15) ? planPreallocated(dice, videos, validators) : null,
    happenings: planHappenings(dice, videos, by === "service", bytes),
    end: planEnd(dice, by === "service", bytes),
    waitMs: dice.pick([150, 300, 300, 700, 1600]),
  };
}

function planCommand(dice: Dice): PlannedCommand {
  return {
    grouping: dice.pick(GROUPINGS),
    priority: dice.pick(PRIORITIES),
    include: planCodes(dice),
    exclude: dice.chance(0.3) ? planCodes(dice) : [],
    skip: dice.chance(0.1) ? dice.some(["t", "3", "g"], 2).join("") : "",
    verbose: dice.whole(0, 2),
  };
}

function planTrigger(dice: Dice, bytes: number): Trigger {
  // Much may be at home already, so early moments are likelier than late ones.
  if (dice.chance(0.65)) return { of: "byte", count: dice.spread(1, Math.max(2, bytes)) };
  return dice.chance(0.7) ? { of: "request", count: dice.spread(1, 15) } : { of: "line", count: dice.spread(1, 12) };
}

function planHappenings(dice: Dice, videos: Videos, isService: boolean, bytes: number): Visit["happenings"] {
  const happenings: { at: Trigger; what: Happening }[] = [];
  const add = (share: number, what: () => Happening) => {
    if (dice.chance(share)) happenings.push({ at: planTrigger(dice, bytes), what: what() });
  };
  add(0.15, () => ({ does: "away", forMs: dice.chance(0.6) ? dice.spread(20, 600) : null }));
  add(0.06, () => ({ does: "update" }));
  add(0.06, () => ({ does: "rival" }));
  if (videos.length > 0)
    add(0.08, () => ({ does: "put", name: dice.pick(videos).name, bytes: dice.spread(1, 50_000) }));
  if (isService) {
    for (let count = dice.whole(0, 3); count > 0; count--) add(1, () => ({ does: "patch", patch: planPatch(dice) }));
    add(0.08, () => ({ does: "stop" }));
  }
  return happenings;
}

function planEnd(dice: Dice, isService: boolean, bytes: number): Visit["end"] {
  if (dice.chance(0.12)) return null;
  const signal = dice.chance(0.1) ? "SIGTERM" : "SIGKILL";
  const choices: readonly Trigger[] = isService
    ? [
        { of: "patch sent", count: 1 },
        { of: "patch answered", count: 1 },
        { of: "run ended", count: 1 },
        { of: "line", count: dice.spread(1, 20) },
      ]
    : [
        { of: "line", count: dice.spread(1, 8) },
        { of: "request", count: dice.spread(1, 20) },
      ];
  const at = dice.chance(isService ? 0.5 : 0.2) ? dice.pick(choices) : planTrigger(dice, bytes);
  // A change of the settings is written within some milliseconds.
  return { at, signal, delayMs: at.of === "patch sent" ? dice.whole(0, 5) : 0 };
}

function planPreallocated(dice: Dice, videos: Videos, validators: boolean): Visit["preallocated"] {
  const least = validators ? 1000 : COMPARED_BYTES;
  const victims = videos.filter(({ bytes }) => bytes > least + 2 * COMPARED_TAIL);
  if (victims.length === 0) return null;
  const { name, bytes } = dice.pick(victims);
  const from = dice.whole(least, bytes - 2 * COMPARED_TAIL);
  return { name, from, until: dice.whole(from + 1, bytes - 1) };
}
