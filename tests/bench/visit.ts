import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { runAt } from "../support/app/history.ts";
import { until } from "../support/app/http.ts";
import { cardOfHours, hoursOf, IN_AN_HOUR, learned } from "../support/app/planned.ts";
import { median } from "./measure.ts";
import type { Part } from "./part.ts";

const WAITING = 20_000;
const HOURS = WAITING / IN_AN_HOUR;
const NOW = Date.UTC(2026, 10, 21, 18);
const LOOK_MS = 30_000;
const PLAN_AGE_MS = 10_000;
const BYTES = 50_000;
const ASKED = 120;
const WARM = 40;
/** Recordings of the queue that an answer has when no other number is asked for. */
const SHOWN = 100;
const SETTINGS = { retention: { keep: "" }, schedule: { on_arrival: true } } as const;

/** Milliseconds from the look that finds the camera to the first byte at home, with so many hours on its card, all new. */
async function firstByte(hours: number): Promise<number> {
  const clock = new FakeClock(NOW);
  await using running = await startApp({ clock, card: cardOfHours(hours, NOW, BYTES), settings: SETTINGS });
  const { app, simulator, destination } = running;
  await running.client.open("/");
  app.history.append(runAt(NOW / 1000 - 3600, { address: simulator.address }));
  await simulator.goAway();
  app.start();
  const looked = app.arrival.looks()?.next_at;
  await clock.advance(LOOK_MS);
  await until(() => app.arrival.looks()?.next_at !== looked);
  await simulator.comeBack();
  const began = performance.now();
  await clock.advance(LOOK_MS);
  while (!hasBytes(destination)) await new Promise((resolve) => setImmediate(resolve));
  const took = performance.now() - began;
  app.job.stop();
  await app.job.ended();
  return took;
}

/** True when something of a recording lies in a folder, whole or not. */
function hasBytes(folder: string): boolean {
  return (
    existsSync(folder) &&
    readdirSync(folder).some((name) => /^\.?[0-9]{8}_/.test(name) && statSync(join(folder, name)).size > 0)
  );
}

/** Milliseconds of a plan that is made anew and of the queue, with so many waiting. */
async function planAndQueue() {
  const clock = new FakeClock(NOW);
  await using running = await startApp({ clock, settings: { ...SETTINGS, sync: { priority: "smart" } } });
  const facts = { hours: HOURS, next: { inHours: 2, lastsHours: 2 }, bytes: 100e6, rate: 5e6, isHome: () => false };
  await learned(running, facts, NOW);
  const { planner, queue, sizes } = running.app;
  const plans: number[] = [];
  const queues: number[] = [];
  for (let round = 0; round < ASKED; round++) {
    await clock.advance(PLAN_AGE_MS + 1);
    const expected = await (await sizes()).current();
    let began = performance.now();
    const plan = await (await planner()).plan();
    plans.push(performance.now() - began);
    if (plan.waiting.recordings !== hoursOf(HOURS, NOW).length || plan.atRisk === null)
      throw new Error(
        `The plan is of ${plan.waiting.recordings} recordings, and at risk is ${plan.atRisk?.recordings}`,
      );
    began = performance.now();
    const items = (await queue()).items(expected);
    for (let at = 0; at < SHOWN; at++) items.next();
    queues.push(performance.now() - began);
  }
  // The code becomes fast, and orders are compared once.
  const warm = (times: readonly number[]) => times.slice(WARM);
  return { plans: warm(plans), queues: warm(queues) };
}

const one = (ms: number) => ms.toFixed(1);

export const VISIT_PARTS: readonly Part[] = [
  {
    name: "visit",
    async measure(add, rounds) {
      for (const recordings of [2000, WAITING]) {
        const times: number[] = [];
        for (let round = 0; round < rounds; round++) times.push(await firstByte(recordings / IN_AN_HOUR));
        add(
          `a look finds the camera with ${recordings.toLocaleString("en")} recordings: the first byte of a file is home after (best)`,
          `${one(median(times))} ms (${one(Math.min(...times))} ms)`,
          "≤ 1 000 ms",
        );
      }
      const { plans, queues } = await planAndQueue();
      const inWords = (ms: readonly number[]) => `${one(median(ms))} ms (${one(Math.min(...ms))} ms)`;
      add("the plan made anew, 20,000 waiting (best)", inWords(plans), "≤ 3 ms");
      add("the queue from memory, 20,000 waiting: its first 100 (best)", inWords(queues), "≤ 3 ms");
    },
  },
];
