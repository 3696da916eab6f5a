import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { endingOf, parseArtifact, parseRecording } from "../../../server/domain/recordings/recording_name.ts";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { checksumsTaken } from "../../support/app/staged_card.ts";
import { cardOf } from "../../support/app/sync.ts";
import { driveNames } from "../../support/app/written_ledger.ts";
import { Dice } from "../../torture/dice.ts";

setDefaultTimeout(120_000);

const START = Date.parse("2026-11-21T07:00:00Z");
const STEPS = 120;
/** Faults that strike some requests, and are over then. */
const FAULTS = ["error-500", "not-found", "cut-short", "list-cut", "list-empty", "list-500", "list-junk"] as const;

/** Files on the card that the rules want, and that are not at home byte for byte. */
async function missing({ app, simulator, destination }: RunningApp): Promise<string[]> {
  const { exclude } = app.settings.current.sync;
  const found: string[] = [];
  for (const name of simulator.card.files.keys()) {
    const file = parseArtifact(name);
    if (file === null || exclude.includes(file.type)) continue;
    const moment = momentNumber(name);
    if (app.retention.deleted.latest.has(moment) || app.requested.isUnwanted(moment)) continue;
    const folder = app.library.folderOf(name);
    const own = await simulator.card.bytes(name);
    const isHome = folder !== null && Buffer.from(own).equals(readFileSync(join(destination, folder, name)));
    if (!isHome) found.push(name);
    if (isHome && file.kind === "mp4" && !app.checksums.sums.isTaken(moment, endingOf(name)))
      found.push(`${name} unchecked`);
  }
  return found;
}

test.each([[1], [2], [3]])(
  "whatever happens, the card is never called safe while a wanted byte is missing: seed %d",
  async (seed) => {
    const dice = new Dice(seed);
    const clock = new FakeClock(START);
    const card = cardOf(driveNames("2026-11-21T05:00:00", 6), 3000);
    await using running = await startApp({ clock, card, settings: { retention: { keep: "" } } });
    const { app, simulator } = running;
    let safe = 0;
    let unsafe = 0;
    let minute = 0;
    const videos = () => [...simulator.card.files.keys()].filter((name) => parseRecording(name) !== null);
    const steps: readonly (() => unknown)[] = [
      () => {
        const names = driveNames(
          new Date(START - 3_600_000 + minute++ * 60_000).toISOString().slice(0, 19),
          1,
          dice.pick(["N", "E", "P"]),
        );
        for (const name of names) simulator.card.record(name);
      },
      () => {
        const name = dice.pick(FAULTS);
        const about = name.startsWith("list") ? {} : { match: new RegExp(dice.pick([...videos(), "none"])) };
        simulator.fault({ name, times: dice.whole(1, 8), ...about });
      },
      () => {
        const home = videos().filter((name) => app.library.has(name));
        const name = dice.pick([...home, "none"]);
        const folder = app.library.folderOf(name);
        if (folder !== null) rmSync(join(running.destination, folder, name), { force: true });
      },
      // The camera overwrites its oldest.
      () => simulator.card.overwrite([...videos()].sort()[0] ?? ""),
      () =>
        app.settings.update((latest) => ({
          ...latest,
          sync: { ...latest.sync, exclude: dice.chance(0.5) ? [] : ["P"] },
        })),
      () => clock.pass(dice.whole(0, 900) * 1000),
      () => clock.jump(dice.whole(-1, 1) * 60_000),
      () => simulator.clearFaults(),
    ];
    for (let step = 0; step < STEPS; step++) {
      for (let times = dice.whole(0, 2); times > 0; times--) await dice.pick(steps)();
      if (dice.chance(0.7)) {
        app.job.start("manual");
        await running.synced();
        if (dice.chance(0.7)) await checksumsTaken(app, clock);
      }
      // Clips that the service has not seen yet are no fault of the card's.
      await app.library.refresh();
      const isNew = videos().some((name) => app.listed.list?.includes(name) !== true);
      const { isSafe, against } = await (await app.card()).read();
      if (!isSafe) unsafe++;
      expect(isSafe).toBe(against.length === 0);
      if (!isSafe || isNew) continue;
      safe++;
      expect({ step, missing: await missing(running) }).toEqual({ step, missing: [] });
    }
    // It says both, or nothing is proved.
    expect(safe).toBeGreaterThan(5);
    expect(unsafe).toBeGreaterThan(20);
  },
);
