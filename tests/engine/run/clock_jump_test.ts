import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { FakeClock } from "../../support/app/clock.ts";

const DAY = 86_400_000;
const OLD = "20260401_120000_NF.mp4";

function put({ destination }: RunningApp, name: string): string {
  mkdirSync(destination, { recursive: true });
  writeFileSync(join(destination, name), "old");
  return join(destination, name);
}

async function scheduledRun(running: RunningApp): Promise<void> {
  running.app.job.start("schedule");
  await running.synced();
}

test("a clock that jumps years ahead deletes nothing, in the run that sees it and in those after it", async () => {
  const clock = new FakeClock("2026-06-07T10:14:00Z");
  await using running = await startApp({ clock, settings: { retention: { keep: "4w" } } });
  const young = put(running, "20260606_120000_NF.mp4");
  await scheduledRun(running);
  expect(existsSync(young)).toBe(true);
  clock.jump(24 * 365 * DAY);
  // The camera is away, so that only the clock's own past speaks against it.
  await running.simulator.goAway();
  for (let run = 0; run < 3; run++) {
    await scheduledRun(running);
    await clock.advance(900_000);
  }
  expect(existsSync(young)).toBe(true);
  const told = running.app.log.lines.filter(({ message }) => message.startsWith("Nothing is deleted:"));
  // Once: it is the same in every run.
  expect(told.length).toBe(1);
});

test("with a clock that goes as it should, what is past its age goes", async () => {
  const clock = new FakeClock("2026-06-07T10:14:00Z");
  await using running = await startApp({ clock, settings: { retention: { keep: "4w" } } });
  const old = put(running, OLD);
  await scheduledRun(running);
  expect(existsSync(old)).toBe(false);
});
