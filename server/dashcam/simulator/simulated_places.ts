import type { OwnPlace } from "../../domain/settings/own_places.ts";
import { groundAt } from "./simulated_telemetry.ts";

/** Names along the fictional road, which lies in the sea, where no town is: metres east and north, and the radius. */
const ALONG_THE_ROAD: readonly (readonly [name: string, x: number, y: number, radius: number])[] = [
  ["Home", -120, 420, 520],
  ["Market Street", 620, 230, 420],
  ["Harbour", 1700, 450, 620],
  ["Ring Road", 2550, 1500, 950],
  ["Airport", 2700, 3200, 950],
  ["Lakeside", 1350, 3950, 750],
  ["Old Mill", 620, 2850, 850],
  ["Park", 350, 1450, 560],
];

/** The own places of the demo. */
export function simulatedPlaces(): OwnPlace[] {
  return ALONG_THE_ROAD.map(([name, x, y, radius]) => ({ name, ...groundAt(x, y), radius }));
}
