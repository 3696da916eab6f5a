import type { Settings } from "../settings/settings.ts";
import { formatCount, formatSeconds } from "../text/format.ts";
import type { CoverageCause } from "./coverage_schema.ts";
import type { LossCause } from "./recording_state.ts";

/** Facts that decide what the words for a cause say, and what can still be done. */
export interface LossFacts {
  /** Recordings that were lost, and those of them that "at risk first" would have brought home. */
  readonly lost: number;
  readonly saved: number;
  /** Seconds for which the car was at home while recordings waited; null while that is not known. */
  readonly staySeconds: number | null;
  readonly settings: Pick<Settings, "sync" | "schedule">;
}

type Words = Pick<CoverageCause, "sentence" | "remedy" | "action">;

/** Setting the order is done where this is shown, with a script. */
const FOR_ORDER = { label: "Set that order", href: "/settings#sync-priority" } as const;
const FOR_LESS = { label: "Choose what comes home", href: "/settings#sync" } as const;
const LESS = "Leave out parking recordings, so that less has to come";

/** The words for each cause of a loss, with what helps. */
const WORDS: Readonly<Record<LossCause, (facts: LossFacts) => Words>> = {
  failing: () => ({
    sentence: "The camera could not deliver these recordings.",
    remedy: "See whether the card shows signs of failing.",
    action: { label: "Look at the card", href: "/stats/card" },
  }),
  disk: () => ({
    sentence: "The disk of the recordings was full, and syncing had stopped.",
    remedy: "Free some space, or keep recordings for a shorter time.",
    action: { label: "Open the keep times", href: "/settings#retention" },
  }),
  paused: ({ settings }) => ({
    sentence: "Syncing was paused.",
    remedy: settings.schedule.paused ? "Resume syncing." : "Resume syncing before the camera’s card is full.",
    action: settings.schedule.paused ? { label: "Open the schedule", href: "/settings#schedule" } : null,
  }),
  rate: (facts) => ({
    sentence: "The Wi-Fi was too slow for everything that the camera recorded.",
    remedy: `Improve the Wi-Fi where the car is parked. ${LESS}.`,
    action: FOR_LESS,
    ...otherOrder(facts),
  }),
  short_visit: (facts) => ({
    sentence:
      facts.staySeconds === null
        ? "The car was home for a short time only."
        : `The car was home for ${formatSeconds(facts.staySeconds)} only.`,
    remedy: `Leave the camera on for longer when you are home. ${LESS}.`,
    action: FOR_LESS,
    ...otherOrder(facts),
  }),
  away: () => ({
    sentence: "The car was not home before the camera recorded over these recordings.",
    remedy: "A larger card keeps recordings for longer.",
    action: null,
  }),
  unknown: () => ({
    sentence: "It is not known why these recordings did not come home in time.",
    remedy: "Keep Dashdock running while the car is home.",
    action: null,
  }),
};

/** Says what another order of downloads would have done, where it would have helped. */
function otherOrder({ lost, saved, settings }: LossFacts): Pick<Words, "remedy" | "action"> | null {
  if (saved === 0 || settings.sync.priority === "smart") return null;
  const them = saved < lost ? `${formatCount(saved)} of them` : lost === 1 ? "it" : "all of them";
  return {
    remedy: `Fetching first what the camera overwrites next would have brought ${them} home.`,
    action: FOR_ORDER,
  };
}

/** Returns what happened, and what helps. */
export function lossInWords(cause: LossCause, facts: LossFacts): Words {
  return WORDS[cause](facts);
}
