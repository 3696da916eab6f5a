/** Types in the order in which `sync.priority: type` downloads them. */
export const TYPES = {
  M: "Manual",
  E: "Event",
  I: "Parking impact",
  B: "Hard braking",
  O: "Overspeed",
  A: "Hard acceleration",
  T: "Hard cornering",
  R: "Geofence enter",
  X: "Geofence exit",
  G: "Geofence pass",
  D: "Drowsiness",
  L: "Distraction",
  Y: "Seatbelt not detected",
  F: "Driver undetected",
  N: "Normal",
  P: "Parking",
} as const;

export const DIRECTIONS = { F: "Front", R: "Rear", I: "Interior", O: "Optional" } as const;

const TYPE_ORDER = Object.keys(TYPES).join("");
const DIRECTION_ORDER = Object.keys(DIRECTIONS).join("");

/** Sort keys: an unknown letter comes after the known ones. */
export function typeRank(type: string): number {
  const rank = TYPE_ORDER.indexOf(type);
  return rank < 0 ? TYPE_ORDER.length : rank;
}

export function directionRank(direction: string): number {
  const rank = DIRECTION_ORDER.indexOf(direction);
  return rank < 0 ? DIRECTION_ORDER.length : rank;
}
