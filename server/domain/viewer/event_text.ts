import { TYPES } from "../recordings/recording_codes.ts";
import { typeOf } from "../recordings/recording_name.ts";
import { forceText, type SpeedUnit, speedIn, speedInWords, speedUnitName } from "./distance_text.ts";
import { isParked } from "./trips.ts";
import { keyOf } from "./viewer_address.ts";
import type { Push, ViewerRecording } from "./viewer_schema.ts";

/** Two short lines about an event; the second is empty where nothing more is known. */
export interface EventWords {
  readonly what: string;
  readonly more: string;
}

/** Less force than this is a road, and no more than what any clip shows. */
const WEAKEST_G = 0.2;
const HARD_G = 0.4;
const WORDS: Readonly<Record<Push, string>> = {
  braked: "Braked",
  accelerated: "Accelerated",
  lengthwise: "Jolt",
  left: "Swerved left",
  right: "Swerved right",
  sideways: "Swerved",
  vertical: "Bump",
};
/** Cameras do not say which side it was: their axes may point either way. */
const SIDES: Readonly<Partial<Record<Push, string>>> = {
  left: " from the side",
  right: " from the side",
  sideways: " from the side",
  braked: " from the front or rear",
  accelerated: " from the front or rear",
  lengthwise: " from the front or rear",
};
/** Types that the camera itself gave because of a force. */
const NAMED = "BAT";

/** `Braked hard, 0.62 g` and `58 to 0 km/h` of an event; null where its type says as much. */
export function eventInWords(recording: ViewerRecording, unit: SpeedUnit): EventWords | null {
  const { strongest } = recording;
  const key = keyOf(recording);
  const type = typeOf(key);
  if (!strongest || strongest.g === null || strongest.push === null || strongest.g < WEAKEST_G || type === "O")
    return null;
  const { g, push, from_knots: from, to_knots: to } = strongest;
  const force = `${forceText(g)}\u00a0g`;
  if (isParked(key)) return { what: "Bump while parked", more: `${force}${SIDES[push] ?? ""}` };
  const isAlong = push === "braked" || push === "accelerated";
  const named = NAMED.includes(type) ? Object.entries(TYPES).find(([letter]) => letter === type)?.[1] : undefined;
  const what = named ?? (isAlong && g >= HARD_G ? `${WORDS[push]} hard` : WORDS[push]);
  if (from === null) return { what: `${what}, ${force}`, more: "" };
  const isChange = isAlong && to !== null && Math.round(speedIn(from, unit)) !== Math.round(speedIn(to, unit));
  const more = isChange
    ? `${Math.round(speedIn(from, unit))} to ${Math.round(speedIn(to, unit))}\u00a0${speedUnitName(unit)}`
    : speedInWords(from, unit);
  return { what: `${what}, ${force}`, more };
}
