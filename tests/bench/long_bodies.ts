import { ROUTES } from "../../server/routes.ts";
import { startApp } from "../support/app/app.ts";
import { LONG_BODIES } from "../support/app/long_bodies.ts";

export interface HeldLoop {
  /** The longest that nothing else was done, in milliseconds. */
  readonly ms: number;
  /** Request that held the loop so long. */
  readonly by: string;
}

/** Delays of the program itself come each time; other work of the machine does not delay it three times in a row. */
const TRIES = 3;

/** Sends every route the longest bodies that are read, and measures how long each holds up all other requests. */
export async function benchLongBodies(): Promise<HeldLoop> {
  await using running = await startApp();
  await running.client.open("/");
  // The first ones also compile what answers them.
  for (const { type, body } of LONG_BODIES)
    await (await running.client.send("PATCH", "/api/settings/sync", body, { "content-type": type })).arrayBuffer();
  let worst: HeldLoop = { ms: 0, by: "" };
  for (const { method, path } of ROUTES) {
    if (method === "GET" || path === "/api/sync/now") continue;
    const url = path.replace(":section", "sync").replace(":key", "20260607_101500_N");
    for (const { name, type, body } of LONG_BODIES) {
      let ms = Number.POSITIVE_INFINITY;
      for (let time = 0; time < TRIES; time++) {
        const send = () => running.client.send(method, url, body, { "content-type": type });
        ms = Math.min(ms, await heldMs(async () => (await send()).arrayBuffer()));
      }
      if (ms > worst.ms) worst = { ms, by: `${method} ${path} with ${name}` };
    }
  }
  return worst;
}

/** The longest that nothing else was done meanwhile. */
async function heldMs(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const beat = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await work();
  clearInterval(beat);
  return Math.max(longest, performance.now() - last);
}
