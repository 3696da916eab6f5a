import { ahead } from "./ahead.ts";
import { cameras } from "./cameras.ts";
import { clocks } from "./clocks.ts";
import { disks } from "./disks.ts";
import { endless } from "./endless.ts";
import { halves } from "./halves.ts";
import { limits } from "./limits.ts";
import { links } from "./links.ts";
import { marks } from "./marks.ts";
import { names } from "./names.ts";
import type { SituationMaker } from "./situation.ts";

/** Every situation by its name, in the order in which rounds take their turns. */
export const SITUATIONS: Readonly<Record<string, SituationMaker>> = {
  limits,
  disks,
  marks,
  clocks,
  halves,
  ahead,
  endless,
  links,
  names,
  cameras,
};
