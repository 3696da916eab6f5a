import { baseOf } from "../../server/dashcam/simulator/simulated_moments.ts";
import { TYPES } from "../../server/domain/recordings/recording_codes.ts";
import type { Dice } from "./dice.ts";

export type Companion = "thm" | "gps" | "3gf";

/** A video to be recorded, and what the camera writes beside it. */
export interface PlannedVideo {
  name: string;
  /** 0 for a file that is empty on the card. */
  bytes: number;
  /** The companions' names keep the upload letter. */
  keepsFlag: boolean;
  /** Companions that the camera does not write. */
  without: readonly Companion[];
}

/** Change of the card between two visits. */
export type CardChange =
  | { does: "record"; videos: readonly PlannedVideo[] }
  /** Loop recording takes the oldest. */
  | { does: "overwrite"; count: number }
  /** The card was formatted and these names came again with other bytes. */
  | { does: "replace"; names: readonly string[]; sameLength: boolean };

/** Below this a video that is cut off may end where a box does, and nothing tells that it is no whole one. */
const SMALLEST_VIDEO = 2000;
const MINUTE = 60_000;
const DAYS = 86_400_000;

/** Letters that no table knows come up over the years. */
const LETTERS = [...Object.keys(TYPES), ..."NNNNNNPPPPEEEEMMZK"];
const DIRECTIONS = [["F"], ["F"], ["F", "R"], ["F", "R"], ["F", "R"], ["F", "R", "I"], ["F", "O"]] as const;

/** The moments of one round: later calls record later moments, and no name comes twice. */
export class Recorder {
  readonly #dice: Dice;
  readonly #directions: readonly string[];
  readonly #keepsFlag: boolean;
  readonly #taken = new Set<string>();
  #now: number;

  constructor(dice: Dice) {
    this.#dice = dice;
    this.#directions = dice.pick(DIRECTIONS);
    this.#keepsFlag = dice.chance(0.5);
    this.#now = Date.UTC(2026, 0, 1) + dice.whole(0, 200) * DAYS + dice.whole(0, 86_399) * 1000;
  }

  /** Videos of so many moments. */
  record(moments: number): PlannedVideo[] {
    return Array.from({ length: moments }, () => this.#moment()).flat();
  }

  #moment(): PlannedVideo[] {
    const dice = this.#dice;
    const type = dice.pick(LETTERS);
    let base = "";
    do base = baseOf(this.#time());
    while (this.#taken.has(base + type));
    this.#taken.add(base + type);
    const flag = dice.chance(0.15) ? dice.pick(["L", "S"]) : "";
    const isParkedWithoutGps = dice.chance(0.2);
    return this.#directions.map((direction) => ({
      name: `${base}_${type}${direction}${flag}.mp4`,
      bytes: this.#size(),
      keepsFlag: this.#keepsFlag,
      without: isParkedWithoutGps ? ["gps"] : dice.some<Companion>(["thm", "gps", "3gf"], dice.chance(0.2) ? 3 : 0),
    }));
  }

  /** Mostly a minute after the last; now and then a clock that was never set, or one that is far ahead. */
  #time(): number {
    const dice = this.#dice;
    if (dice.chance(0.05)) return Date.UTC(dice.pick([1970, 1999]), 0, 1) + dice.whole(0, 7200) * 1000;
    if (dice.chance(0.04)) return Date.UTC(2099, dice.whole(0, 11), 1) + dice.whole(0, 86_399) * 1000;
    this.#now += dice.chance(0.15) ? dice.whole(1, 40) * DAYS + dice.whole(0, 3600) * 1000 : MINUTE;
    return this.#now;
  }

  #size(): number {
    const dice = this.#dice;
    if (dice.chance(0.03)) return 0;
    return dice.chance(0.2) ? dice.spread(400_000, 2_500_000) : dice.spread(SMALLEST_VIDEO, 400_000);
  }
}

/** Changes of the card before a visit; `names` are the videos on it, oldest first. */
export function planCardChanges(dice: Dice, recorder: Recorder, names: readonly string[]): CardChange[] {
  const changes: CardChange[] = [];
  if (dice.chance(0.25)) changes.push({ does: "replace", names: dice.some(names, 4), sameLength: dice.chance(0.6) });
  if (dice.chance(0.3)) changes.push({ does: "overwrite", count: dice.whole(1, 3) });
  if (dice.chance(0.85)) changes.push({ does: "record", videos: recorder.record(dice.whole(1, 3)) });
  return changes;
}
