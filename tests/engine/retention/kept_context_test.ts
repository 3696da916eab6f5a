import { expect, setDefaultTimeout, test } from "bun:test";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { startApp } from "../../support/app/app.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { atHome, put, run, send } from "../../support/app/held.ts";

setDefaultTimeout(30_000);

test("the minutes around a kept event live as long as it, though others are younger", async () => {
  const clock = new FakeClock("2026-06-07T10:30:00Z");
  await using running = await startApp({ clock, settings: { retention: { keep: "", max_gb: 3, event_context: 1 } } });
  const names = [
    "20260401_100000_NF.mp4",
    "20260401_100100_EF.mp4",
    "20260401_100200_NF.mp4",
    "20260401_100300_NF.mp4",
  ];
  put(running, names);
  for (const name of names) truncateSync(join(running.destination, name), 900_000_000);
  await send(running, "PUT", "/api/recordings/20260401_100100_E/keep");
  await run(running);
  expect(atHome(running)).toEqual(names.slice(0, 3));
});
