import type { KeepClass } from "../../../server/domain/retention/keep_times.ts";
import type { IconName } from "../../parts/icon.tsx";

/** The class and the drawing of each kind that has a keep time. */
export const KIND_LOOKS: Readonly<Record<KeepClass, readonly [look: string, icon: IconName]>> = {
  normal: ["ty-n", "t-normal"],
  event: ["ty-e", "t-event"],
  parking: ["ty-p", "t-parking"],
  manual: ["ty-m", "t-manual"],
};
