import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LIFE_NAMES, type LifeName } from "../../server/dashcam/simulator/simulated_life_patterns.ts";
import { WIFI_BANDS } from "../../server/dashcam/simulator/simulated_sizes.ts";
import { type LivedWeeksOptions, lostOf, type Video } from "../support/camera/lived_weeks.ts";
import type { Forecast } from "../support/camera/planned_weeks.ts";
import { type LedgerComparison, ledgerAgainst, type TapedWeeks, tapeWeeks } from "../support/camera/taped_weeks.ts";
import type { Part } from "./part.ts";
import { MEMORY } from "./stage.ts";

const ORDERS = ["date", "rdate", "smart"] as const;
type Order = (typeof ORDERS)[number];

/** Weeks whose recordings count, behind those in which a plan knows too few visits to say anything. */
const WEEKS = 13;
const FIRST_WEEKS = 2;
const DAY_MS = 86_400_000;
/** Bytes of the card that goes with each life. */
const CAPACITY: Readonly<Record<LifeName, number>> = { weekday: 64e9, weekend: 128e9, nights: 32e9, taxi: 256e9 };

/** Cars of one pattern: each band with a camera of either interface, one of which has shares of its card. */
function carsOf(life: LifeName): LivedWeeksOptions[] {
  return WIFI_BANDS.flatMap((band) =>
    (["legacy", "v1009"] as const).map((generation) => ({
      life,
      seed: `${life} ${band} ${generation}`,
      weeks: FIRST_WEEKS + WEEKS,
      generation,
      band,
      overwriting: generation === "legacy" ? ("oldest" as const) : ("quotas" as const),
      capacity: CAPACITY[life],
    })),
  );
}

const isEvent = ({ type }: Video) => type !== "N" && type !== "P";

/** Everything that is measured of one pattern, in all its cars. */
interface Measured {
  readonly recorded: number;
  readonly lost: Readonly<Record<Order, readonly Video[]>>;
  readonly forecasts: readonly Forecast[];
  /** Losses that lists show, and recordings of which a ledger says something else than what became of them. */
  readonly listedLosses: number;
  readonly wrong: readonly string[];
}

async function measured(life: LifeName): Promise<Measured> {
  const lost: Record<Order, Video[]> = { date: [], rdate: [], smart: [] };
  const forecasts: Forecast[] = [];
  const wrong: string[] = [];
  let recorded = 0;
  let listedLosses = 0;
  for (const car of carsOf(life))
    for (const order of ORDERS) {
      const taped = tapeWeeks(car, order);
      const first = (taped.videos[0]?.recordedAt ?? 0) + FIRST_WEEKS * 7 * DAY_MS;
      const counted = taped.videos.filter(({ recordedAt }) => recordedAt >= first);
      lost[order].push(...lostOf(counted));
      if (order !== "date") continue;
      recorded += counted.length;
      forecasts.push(...taped.forecasts);
      const judged = await ledgerOf(taped);
      listedLosses += judged.lost;
      wrong.push(...judged.tooMany, ...judged.tooFew, ...judged.notHome);
    }
  return { recorded, lost, forecasts, listedLosses, wrong };
}

async function ledgerOf(taped: TapedWeeks): Promise<LedgerComparison> {
  const folder = mkdtempSync(join(MEMORY, "dashdock-weeks-"));
  try {
    return await ledgerAgainst(taped, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const number = (value: number) => value.toLocaleString("en-GB");

export const WEEKS_PARTS: readonly Part[] = [
  {
    name: "weeks",
    async measure(add) {
      const all: Measured[] = [];
      for (const life of LIFE_NAMES) {
        const one = await measured(life);
        all.push(one);
        const { recorded, lost } = one;
        const figures = ORDERS.map((order) => `${number(lost[order].length)} (${lost[order].filter(isEvent).length})`);
        const isAnyLost = lost.date.length + lost.rdate.length > 0;
        add(
          `${carsOf(life).length * WEEKS} simulated weeks of \`${life}\`: lost of ${number(recorded)} (events) by \`date\` / \`rdate\` / \`smart\``,
          figures.join(" / "),
          isAnyLost ? "`smart` least" : "none",
        );
      }
      const forecasts = all.flatMap((one) => one.forecasts);
      const good = forecasts.filter(({ needs, needed }) => Math.abs(needs / needed - 1) <= 0.15).length;
      add(
        "the same: time that is needed, told a minute after the camera came, within 15 %",
        `${((100 * good) / forecasts.length).toFixed(1)} % of ${number(forecasts.length)} visits`,
        "≥ 90 %",
      );
      const losses = all.reduce((sum, { listedLosses }) => sum + listedLosses, 0);
      const wrong = all.flatMap((one) => one.wrong);
      const say = wrong.length === 0 ? "" : `, such as ${wrong.slice(0, 3).join(", ")}`;
      add(
        `the same: what the ledger calls lost, of ${number(losses)} that are, with lists cut short and empty ones between`,
        `${wrong.length} wrong${say}`,
        "0",
      );
    },
  },
];
