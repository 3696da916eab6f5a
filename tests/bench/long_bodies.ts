import { ROUTES } from "../../server/routes.ts";
import { startApp } from "../support/app.ts";
import { LONG_BODIES } from "../support/long_bodies.ts";

export interface HeldLoop {
  /** The longest that nothing else was done, in milliseconds. */
  readonly ms: number;
  /** By which request. */
  readonly by: string;
}

/** Sends every route the longest bodies that are read, and looks how long each holds up everybody else. */
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
      let last = performance.now();
      let ms = 0;
      const beat = setInterval(() => {
        const now = performance.now();
        ms = Math.max(ms, now - last);
        last = now;
      }, 1);
      const answer = await running.client.send(method, url, body, { "content-type": type });
      await answer.arrayBuffer();
      clearInterval(beat);
      ms = Math.max(ms, performance.now() - last);
      if (ms > worst.ms) worst = { ms, by: `${method} ${path} with ${name}` };
    }
  }
  return worst;
}
