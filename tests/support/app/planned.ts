import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SimulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import type { RunningApp } from "./app.ts";
import { listedBefore } from "./listed.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days of which lists and visits are known. */
const DAYS = 14;
/** Moments that its camera records in an hour: three of a drive, or two and an event, and one of parking. */
export const IN_AN_HOUR = 4;

/** Names of what a camera has recorded in so many hours up to a time, oldest first. */
export function hoursOf(hours: number, until: number): string[] {
  return Array.from({ length: hours * IN_AN_HOUR }, (_, at) => {
    const begin = until - (hours - Math.floor(at / IN_AN_HOUR)) * HOUR + (at % IN_AN_HOUR) * 60_000;
    const place = at % IN_AN_HOUR;
    const isEvent = place === 1 && Math.floor(begin / HOUR) % 10 === 0;
    const type = place === 3 ? "P" : isEvent ? "E" : "N";
    const stamp = new Date(begin).toISOString().replaceAll(/[-:]|\..*/g, "");
    return `${stamp.replace("T", "_")}_${type}F.mp4`;
  });
}

export interface Learned {
  /** Hours that the card holds. */
  readonly hours: number;
  /** Hours from now on until the next visit begins, and its length. */
  readonly next: { readonly inHours: number; readonly lastsHours: number };
  /** Bytes of a recording. */
  readonly bytes: number;
  /** Bytes per second of the visits. */
  readonly rate: number;
  /** The card of a camera that is asked; without it what is at home is empty. */
  readonly card?: SimulatedCard;
  /** True for what is at home, by its place among the recordings of the card. */
  readonly isHome: (at: number, all: number) => boolean;
}

/** Camera with a card on which lies what it has recorded in so many hours, each video of so many bytes. */
export function cardOfHours(hours: number, until: number, bytes: number): SimulatedCard {
  const card = new SimulatedCard(syntheticFootage(bytes));
  for (const name of hoursOf(hours, until)) card.record(name);
  return card;
}

/**
 * Leaves a service as it is after two weeks: its camera was at home once a day, and its card was seen to overwrite its
 * oldest.
 * @param now time up to which the card has recorded
 */
export async function learned(running: RunningApp, facts: Learned, now = running.app.clock.now()): Promise<void> {
  const { app, destination } = running;
  const { inHours, lastsHours } = facts.next;
  for (let day = DAYS; day > 0; day--) {
    const from = now - day * DAY + inHours * HOUR;
    const seconds = lastsHours * 3600;
    app.history.visits.put(100 - day, { from, to: from + seconds * 1000, seconds, bytes: 0, rate: facts.rate });
  }
  const sizes = await (await app.sizes()).current();
  for (const of of ["NF", "PF", "EF"]) for (let times = 0; times < 4; times++) sizes.learn(of, facts.bytes);
  const all = hoursOf(facts.hours + DAYS * 24, now);
  const held = facts.hours * IN_AN_HOUR;
  for (let day = DAYS; day >= 0; day--) {
    const end = all.length - day * 24 * IN_AN_HOUR;
    const names = all.slice(end - held, end);
    const home = day === 0 ? names.filter((_, at) => facts.isHome(at, held)) : [];
    await listedBefore(running, names, home);
    // Files at home are whole: one that is not as long as on the camera would be another recording of its name.
    if (facts.card) for (const name of home) writeFileSync(join(destination, name), await facts.card.bytes(name));
  }
}
