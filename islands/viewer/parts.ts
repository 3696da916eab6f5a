import type { Actions } from "./actions.ts";
import type { Browsing } from "./browsing.ts";
import type { Lockstep } from "./lockstep.ts";

/** What every part of the viewer is given. */
export interface ViewerParts {
  readonly browsing: Browsing;
  readonly lockstep: Lockstep;
  readonly actions: Actions;
  readonly thisYear: number;
}
