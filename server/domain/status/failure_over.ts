import type { FailureCause } from "../runs/failure_cause.ts";
import type { Run } from "../runs/run.ts";
import type { OverviewFacts } from "./overview.ts";

/** A disk is read with other things going on: so much less is used when something was freed. */
const FREED = 0.005;
/** The limit was raised when the disk is so far below it: a run ends a file before it. */
const BELOW_LIMIT = 0.02;

type Facts = Pick<OverviewFacts, "folder" | "destination" | "address" | "other_camera" | "disk_used" | "keep">;

/** That what the last run failed of is over, as a sentence; null while it is not, or as far as only the next run can tell. */
export function overInWords(
  { cause, diskUsedRatio }: Pick<Run, "cause" | "diskUsedRatio">,
  facts: Facts,
): string | null {
  const over = cause === undefined ? undefined : OVER[cause];
  return over?.isOver(facts, diskUsedRatio) ? over.sentence : null;
}

interface Over {
  readonly sentence: string;
  /** @param before how full the disk was when the run ended, 0..1; null when unknown */
  readonly isOver: (facts: Facts, before: number | null) => boolean;
}

const ROOM = "The disk has room again.";
const wasFreed = ({ disk_used: now }: Facts, before: number | null) =>
  now !== null && before !== null && now < before - FREED;
const isBelowLimit = ({ disk_used: now, keep }: Facts, before: number | null) => {
  const limit = keep.max_used_disk_percent / 100;
  return now !== null && now < limit && (now < limit - BELOW_LIMIT || (before !== null && now < before - FREED));
};

const OVER: Readonly<Partial<Record<FailureCause, Over>>> = {
  folder: {
    sentence: "The recordings folder is back.",
    isOver: ({ folder, destination }) => folder === "there" && destination === "known",
  },
  "other-camera": {
    sentence: "The right camera is at its address again.",
    isOver: ({ other_camera: other }) => other === null,
  },
  "no-address": { sentence: "The camera’s address is set.", isOver: ({ address }) => address !== "" },
  "disk-full": { sentence: ROOM, isOver: wasFreed },
  quota: { sentence: ROOM, isOver: wasFreed },
  "disk-limit": { sentence: ROOM, isOver: isBelowLimit },
};
