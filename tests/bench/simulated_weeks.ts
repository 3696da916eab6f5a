import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LIFE_NAMES, type LifeName } from "../../server/dashcam/simulator/simulated_life_patterns.ts";
import { WIFI_BANDS } from "../../server/dashcam/simulator/simulated_sizes.ts";
import { type LivedWeeksOptions, lostOf, type Video } from "../support/camera/lived_weeks.ts";
import type { Forecast } from "../support/camera/planned_weeks.ts";
import { ledgerAgainst, tapeWeeks } from "../support/camera/taped_weeks.ts";
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

interface Comparison {
  readonly recorded: number;
  readonly lost: Readonly<Record<Order, readonly Video[]>>;
}

/** Losses of each order, of the recordings of one pattern. */
function compared(life: LifeName, forecasts: Forecast[]): Comparison {
  const lost: Record<Order, Video[]> = { date: [], rdate: [], smart: [] };
  let recorded = 0;
  for (const car of carsOf(life))
    for (const order of ORDERS) {
      const { videos, forecasts: made } = tapeWeeks(car, order);
      const first = (videos[0]?.recordedAt ?? 0) + FIRST_WEEKS * 7 * DAY_MS;
      const counted = videos.filter(({ recordedAt }) => recordedAt >= first);
      lost[order].push(...lostOf(counted));
      if (order !== "date") continue;
      recorded += counted.length;
      forecasts.push(...made);
    }
  return { recorded, lost };
}

const number = (value: number) => value.toLocaleString("en-GB");

export const WEEKS_PARTS: readonly Part[] = [
  {
    name: "weeks",
    async measure(add) {
      const forecasts: Forecast[] = [];
      for (const life of LIFE_NAMES) {
        const { recorded, lost } = compared(life, forecasts);
        const figures = ORDERS.map((order) => `${number(lost[order].length)} (${lost[order].filter(isEvent).length})`);
        const isAnyLost = lost.date.length + lost.rdate.length > 0;
        add(
          `${carsOf(life).length * WEEKS} simulated weeks of \`${life}\`: lost of ${number(recorded)} (events) by \`date\` / \`rdate\` / \`smart\``,
          figures.join(" / "),
          isAnyLost ? "`smart` least" : "none",
        );
      }
      const good = forecasts.filter(({ needs, needed }) => Math.abs(needs / needed - 1) <= 0.15).length;
      add(
        "the same: time that is needed, told a minute after the camera came, within 15 %",
        `${((100 * good) / forecasts.length).toFixed(1)} % of ${number(forecasts.length)} visits`,
        "≥ 90 %",
      );
      let lost = 0;
      const wrong: string[] = [];
      for (const life of LIFE_NAMES)
        for (const car of carsOf(life)) {
          const folder = mkdtempSync(join(MEMORY, "dashdock-weeks-"));
          const judged = await ledgerAgainst(tapeWeeks(car, "date"), folder);
          rmSync(folder, { recursive: true });
          lost += judged.lost;
          wrong.push(...judged.tooMany, ...judged.tooFew, ...judged.notHome);
        }
      const say = wrong.length === 0 ? "" : `, such as ${wrong.slice(0, 3).join(", ")}`;
      add(
        `the same: what the ledger calls lost, of ${number(lost)} that are, with lists cut short and empty ones between`,
        `${wrong.length} wrong${say}`,
        "0",
      );
    },
  },
];
