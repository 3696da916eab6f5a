import type { Actions } from "./actions.ts";
import type { Stores } from "./stores.ts";
import type { ViewerProps } from "./viewer_props.ts";

/** Settings that stay as they are while the page is open. */
type Settings = Pick<
  ViewerProps,
  "thisYear" | "format" | "today" | "speedUnit" | "eventContext" | "videoScript" | "momentsSheet"
>;

interface AllParts extends Stores, Settings {
  readonly actions: Actions;
}

/** The stores and settings that a part of the viewer takes. */
export type Parts<Name extends keyof AllParts> = Pick<AllParts, Name>;
