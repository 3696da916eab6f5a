import { GROUPINGS } from "../../server/domain/recordings/date_folders.ts";
import { Dice } from "./dice.ts";
import type { RoundPlan } from "./plan.ts";
import type { Companion, PlannedVideo } from "./plan_card.ts";
import { type PlannedForeign, planForeign } from "./plan_foreign.ts";

/** A change of what is deleted, and when. Dates and bytes are of the round, so the player makes settings of it. */
export interface RetentionChange {
  /** First day of the round that is kept; null keeps everything. */
  cut?: number | null;
  /** At most this share of what is at home stays; null for no limit. */
  share?: number | null;
  trash_days?: number;
  event_context?: number;
  keep_event?: string;
}

/** Action of a user at the service. Its target is a place in the list of all targets, 0..1. */
export type Deed =
  /** "Sync now"; with `waits` nothing else is done before its end. */
  | { does: "sync"; waits: boolean }
  | { does: "retention"; change: RetentionChange }
  | { does: "delete"; picks: readonly number[] }
  | { does: "restore"; what: "keys" | "all" | "deletion"; picks: readonly number[] }
  /** Null: all of the trash. */
  | { does: "purge"; picks: readonly number[] | null }
  | { does: "keep" | "unkeep"; pick: number }
  | { does: "confirm" }
  | { does: "look" };

/** One time that the program is started, and how it ends. */
export interface DeletingVisit {
  /** `scheduling`: the service, of which every run is a scheduled one. A command deletes what is older than its cut. */
  by: "service" | "scheduling" | { cut: number; grouping: string };
  /** Before it begins, what lies in the trash becomes older by so many days. */
  aged: number;
  /** Loop recording takes so many of the oldest. */
  overwritten: number;
  deeds: readonly Deed[];
  /**
   * Moment of the kill: so much after this deed (of a command: its start) began; `inside`: after something is noted as
   * under way in the trash. Null: the program ends in good order.
   */
  kill: { deed: number; of: "inside" | "moves" | "ms"; count: number } | null;
  /** Program that brings half states to their end afterwards. */
  settles: "service" | "command";
}

export interface DeletingPlan extends Pick<RoundPlan, "seed" | "camera" | "card"> {
  foreign: readonly PlannedForeign[];
  /** Grouping of the first files at home, and the share of the moments that are there. */
  grouping: (typeof GROUPINGS)[number];
  atHome: number;
  days: number;
  visits: readonly DeletingVisit[];
}

/** The first day of every round. */
export const FIRST_DAY = Date.UTC(2026, 2, 1);
export const DAY_MS = 86_400_000;
const LETTERS = [..."NNNNNNPPEEMK"];
/** Paths in folders of one's own, and others that no rule may touch. */
const UNTOUCHABLE = /^(Keep|empty|notes|\.hidden|Grüße|a b|-rf|IMG|2026-0[67]|2026\/|line|\.Trash|@eaDir|lost)/;

export function planDeleting(seed: number): DeletingPlan {
  const dice = new Dice(seed);
  const days = dice.whole(3, 20);
  const moments = dice.spread(20, dice.chance(0.2) ? 500 : 120);
  const grouping = dice.pick(GROUPINGS);
  return {
    seed,
    camera: {
      generation: "legacy",
      v1009: {},
      listCompanions: false,
      listSizes: false,
      keepAlive: true,
      validators: true,
    },
    card: planCard(dice.fork(1), moments, days),
    foreign: planForeign(dice.fork(2), []).filter(({ kind, path }) => kind !== "link" && UNTOUCHABLE.test(path)),
    grouping,
    atHome: dice.chance(0.5) ? 1 : dice.fraction(),
    days,
    visits: Array.from({ length: dice.whole(3, 8) }, (_, index) => planVisit(dice.fork(10 + index), days, moments)),
  };
}

function planCard(dice: Dice, moments: number, days: number): PlannedVideo[] {
  const directions = dice.pick([["F"], ["F", "R"], ["F", "R"], ["F", "R", "I"]]);
  const seconds = new Set<number>();
  while (seconds.size < moments) {
    // Most of them on trips: an event has recordings right before and after it.
    const [last] = [...seconds].slice(-1);
    const isNext = last !== undefined && dice.chance(0.8);
    seconds.add(isNext ? last + 60 : dice.whole(0, days * 86_400 - 1));
  }
  return [...seconds].flatMap((second) => {
    const stamp = new Date(FIRST_DAY + second * 1000).toISOString();
    const base = `${stamp.slice(0, 10).replaceAll("-", "")}_${stamp.slice(11, 19).replaceAll(":", "")}`;
    const type = dice.pick(LETTERS);
    const without = dice.some<Companion>(["thm", "gps", "3gf"], dice.chance(0.3) ? 3 : 0);
    const bytes = () => dice.spread(2000, 12_000);
    return directions.map((side) => ({
      name: `${base}_${type}${side}.mp4`,
      bytes: bytes(),
      keepsFlag: false,
      without,
    }));
  });
}

function planVisit(dice: Dice, days: number, moments: number): DeletingVisit {
  const by = dice.pick(["service", "scheduling", "scheduling", "command"] as const);
  const deeds = by === "command" ? [] : planDeeds(dice, by === "scheduling", days);
  const count = dice.pick([1, dice.spread(1, 30), dice.spread(1, moments * 4)]);
  const kill = {
    deed: planKilledDeed(dice, deeds, by === "scheduling"),
    of: dice.pick(["inside", "inside", "inside", "moves", "ms"] as const),
    count,
  };
  return {
    by: by === "command" ? { cut: dice.whole(0, days), grouping: dice.pick(GROUPINGS) } : by,
    aged: dice.chance(0.2) ? dice.whole(1, 9) : 0,
    overwritten: dice.chance(0.3) ? dice.spread(1, moments) : 0,
    deeds,
    kill: dice.chance(0.12) ? null : kill,
    settles: dice.chance(0.75) ? "service" : "command",
  };
}

/** Mostly one that moves something. */
function planKilledDeed(dice: Dice, deeds: readonly Deed[], isScheduling: boolean): number {
  const moves: readonly Deed["does"][] = ["delete", "restore", "purge", ...(isScheduling ? ["sync" as const] : [])];
  const moving = [...deeds.keys()].filter((at) => moves.includes(deeds[at]?.does ?? "look"));
  if (moving.length > 0 && dice.chance(0.85)) return dice.pick(moving);
  return dice.whole(0, Math.max(0, deeds.length - 1));
}

function planDeeds(dice: Dice, isScheduling: boolean, days: number): Deed[] {
  const deeds: Deed[] = [];
  if (isScheduling) deeds.push({ does: "retention", change: planChange(dice, days) });
  for (let more = dice.whole(1, 5); more > 0; more--) deeds.push(planDeed(dice, days));
  if (isScheduling) deeds.splice(dice.whole(1, deeds.length), 0, { does: "sync", waits: dice.chance(0.6) });
  return deeds;
}

function planChange(dice: Dice, days: number): RetentionChange {
  return {
    ...(dice.chance(0.8) && { cut: dice.chance(0.2) ? null : dice.whole(0, days) }),
    ...(dice.chance(0.4) && { share: dice.chance(0.3) ? null : 0.1 + dice.fraction() }),
    ...(dice.chance(0.3) && { trash_days: dice.pick([0, 1, 3, 7, 7, 30]) }),
    ...(dice.chance(0.3) && { event_context: dice.whole(0, 3) }),
    ...(dice.chance(0.3) && { keep_event: dice.pick(["", "always"]) }),
  };
}

function planDeed(dice: Dice, days: number): Deed {
  const picks = (most: number) => Array.from({ length: dice.spread(1, most) }, () => dice.fraction());
  const choices: readonly (() => Deed)[] = [
    () => ({ does: "delete", picks: Array.from({ length: dice.whole(20, 200) }, () => dice.fraction()) }),
    () => ({ does: "delete", picks: picks(1) }),
    () => ({ does: "delete", picks: picks(40) }),
    () => ({ does: "restore", what: dice.pick(["keys", "keys", "all", "deletion"]), picks: picks(60) }),
    () => ({ does: "restore", what: "all", picks: picks(1) }),
    () => ({ does: "purge", picks: dice.chance(0.7) ? picks(60) : null }),
    () => ({ does: "keep", pick: dice.fraction() }),
    () => ({ does: "keep", pick: dice.fraction() }),
    () => ({ does: "unkeep", pick: dice.fraction() }),
    () => ({ does: "confirm" }),
    () => ({ does: "look" }),
    () => ({ does: "sync", waits: dice.chance(0.4) }),
    () => ({ does: "retention", change: planChange(dice, days) }),
  ];
  return dice.pick(choices)();
}
