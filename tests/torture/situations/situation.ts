import type { Dice } from "../dice.ts";
import type { PlannedVideo } from "../plan_card.ts";
import type { PlannedForeign } from "../plan_foreign.ts";
import type { Scene } from "../scene.ts";
import type { ServiceTalk } from "../service_talk.ts";

/** Parts that a situation works with. */
export interface Stage {
  readonly scene: Scene;
  readonly dice: Dice;
  /** Notes an action, for the story of a round that went wrong. */
  note(line: string): void;
  /** Resolves when the camera has sent so many bytes since the visit began, or when the visit is over. */
  sent(bytes: number): Promise<void>;
  /** Changes a section of the settings file; no program runs. */
  edit(section: string, fields: Readonly<Record<string, unknown>>): void;
}

/** One kind of trouble for which a round is made: what it begins with, what happens in its visits, and what must hold. */
export interface Situation {
  readonly card: readonly PlannedVideo[];
  readonly foreign?: readonly PlannedForeign[];
  /** The camera tells `ETag` and `Last-Modified`. */
  readonly validators?: boolean;
  /** Fields of the settings file, beside those with which every situation begins. */
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly visits: number;
  /** Bytes per second. */
  readonly rate: number | null;
  /** True when each run of this visit is a scheduled one, which deletes. */
  deletes(visit: number): boolean;
  /** Lays down what is there before the first visit. */
  furnish?(stage: Stage): Promise<void>;
  /** No program runs. */
  before?(stage: Stage, visit: number): Promise<void> | void;
  /** Done at the service, which may be killed at any moment of it; one run when left out. */
  act?(stage: Stage, talk: ServiceTalk, visit: number): Promise<void>;
  /** No program runs: puts back what belongs to the stage, and says what is wrong. */
  after(stage: Stage, visit: number): Promise<string[]> | string[];
  /** Nothing goes wrong any more; one run when left out. */
  finish?(stage: Stage, talk: ServiceTalk): Promise<void>;
  /** Takes away the stage; `isKept`: something was wrong, and the round's folder is kept. */
  end?(stage: Stage, isKept: boolean): void;
  /** Problems in the end, when an undisturbed service has come to its own end. */
  check(stage: Stage): Promise<string[]> | string[];
}

export type SituationMaker = (dice: Dice) => Situation;
