import { field, section } from "../field.ts";
import { number } from "../field_kinds.ts";

/** Sensors of cameras tell up to 16 g. */
const FORCE = number({ whole: false, min: 0, max: 16 });
const OFF = { unit: "g", meaning: { of: { 0: "never" } } } as const;

/**
 * Forces from which on something counts as a moment. A family car rarely goes beyond 0.4 g in any direction, and a crash is
 * looked for from 1 to 2.5 g on (kb.positrace.com, Harsh behavior detection). Trackers report braking from 0.40 g and turns
 * from 0.45 g (SBeacon, Driving Behavior), or 0.45 and 0.56 g, with 0.31 and 0.36 g to try them out (Digital Matter, Harsh
 * event setup). Upwards a rough road stays below 0.6 g, and a parked car in wind and traffic below 0.1 g; the simulated
 * camera's passer-by pushes it with 1 g.
 */
export const MOMENTS = section("immediate", "Moments", {
  brake: field(FORCE, 0.4, { label: "Hard braking from", help: "For half a second or longer. 0: not listed.", ...OFF }),
  accelerate: field(FORCE, 0.35, {
    label: "Fast acceleration from",
    help: "For half a second or longer. 0: not listed.",
    ...OFF,
  }),
  turn: field(FORCE, 0.4, { label: "Fast turn from", help: "For half a second or longer. 0: not listed.", ...OFF }),
  bump: field(FORCE, 0.6, {
    label: "Bump from",
    help: "A push up or down, as by a pothole. 0: not listed.",
    ...OFF,
  }),
  impact: field(FORCE, 2, { label: "Impact from", help: "A push in any direction. 0: not listed.", ...OFF }),
  parked_bump: field(FORCE, 0.3, {
    label: "Bump while parked from",
    help: "In recordings of the parked car, in any direction. 0: not listed.",
    ...OFF,
  }),
});
