import { systemClock } from "../../server/clock.ts";
import { countsOf } from "../../server/domain/coverage/day_counts.ts";
import { momentNumber } from "../../server/domain/recordings/moment_number.ts";
import { newRow } from "../../server/engine/coverage/row_judge.ts";
import { Log } from "../../server/log.ts";
import { LedgerFile } from "../../server/store/config/ledger.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { cardOf } from "../support/app/sync.ts";
import { median } from "./measure.ts";
import type { Part } from "./part.ts";
import { inWords, quickest, type Took, watched } from "./watched.ts";

const LISTED = 50_000;
const KNOWN = 200_000;
const COVERED = 100_000;
const DAYS = 91;
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 21, 20);
const ASKED = 15;

/** Names of front and rear videos, a minute apart, as many on each day up to now. */
function namesOver(count: number, days: number): string[] {
  const perDay = Math.ceil(count / days / 2);
  const names: string[] = [];
  for (let day = 0; day < days; day++)
    for (let at = 0; at < perDay && names.length < count; at++) {
      const ms = NOW - (NOW % DAY_MS) - (days - 1 - day) * DAY_MS + at * 60_000;
      const stamp = new Date(ms)
        .toISOString()
        .replaceAll(/[-:]|\..*/g, "")
        .replace("T", "_");
      for (const direction of "FR") names.push(`${stamp}_${at % 9 === 8 ? "P" : "N"}${direction}.mp4`);
    }
  return names.slice(0, count);
}

async function service(): Promise<RunningApp> {
  return await startApp({ clock: new FakeClock(NOW), card: cardOf([], 1000), settings: { retention: { keep: "" } } });
}

/** Hands a list to the service as a run does; what the counts of the list take is not measured. */
async function list({ app }: RunningApp, names: readonly string[]): Promise<Took> {
  await app.library.refresh();
  const files = names.map((name) => ({ name, size: null }));
  const listing = { version: "1.00", files, strange: [], strangeCount: 0 };
  await app.listed.takeList(app.dashcam.address, listing, { isAbsent: () => true, isUnsure: () => false });
  return await watched(() => app.ledger.takeList(0));
}

/** Recordings of earlier years that were deleted long ago. */
async function putEarlier({ folder }: RunningApp, count: number): Promise<void> {
  const file = new LedgerFile({ path: `${folder}/config/ledger.db`, clock: systemClock, log: new Log(systemClock) });
  const rows = namesOver(count, 700).map((name) => {
    const early = `${Number(name.slice(0, 4)) - 3}${name.slice(4)}`;
    const row = newRow({ moment: momentNumber(early), ending: name.includes("F.mp4") ? 15 : 51 }, NOW);
    return { ...row, state: "deleted", cause: "age", homeAt: NOW } as const;
  });
  file.change((ledger) => ledger.save(rows));
  for (const day of file.use((ledger) => ledger.oldDays(10_000)))
    file.change((ledger) => ledger.setDay(day, 0, JSON.stringify(countsOf("", ledger.ofDay(day)))));
  file.close();
}

const one = (ms: number) => ms.toFixed(1);
async function answers(running: RunningApp, path: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ASKED * 2; round++) {
    const began = performance.now();
    const response = await running.client.fetch(path);
    await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    times.push(performance.now() - began);
  }
  return median(times.slice(ASKED));
}

export const LEDGER_PARTS: readonly Part[] = [
  {
    name: "ledger",
    async measure(add, rounds) {
      const names = namesOver(LISTED + 2000, 60);
      const first: Took[] = [];
      const same: Took[] = [];
      const next: Took[] = [];
      for (let round = 0; round < rounds; round++) {
        await using running = await service();
        await putEarlier(running, KNOWN - LISTED);
        await running.app.ledger.settle();
        first.push(await list(running, names.slice(0, LISTED)));
        same.push(await list(running, names.slice(0, LISTED)));
        next.push(await list(running, names.slice(1000, LISTED + 1000)));
        await list(running, names.slice(1000, LISTED + 1000));
      }
      const bar = "≤ 150 ms, ≤ 20 ms away";
      add("ledger of 200,000: the first list of 50,000", inWords(quickest(first)), "≤ 20 ms away");
      add("the same: a list that is as before", inWords(quickest(same)), bar);
      add("the same: a list with 1,000 others", inWords(quickest(next)), bar);

      await using running = await service();
      await list(running, namesOver(COVERED, DAYS));
      const weeks = await answers(running, "/api/coverage");
      const day = await answers(running, "/api/coverage/2026-11-20");
      const page = await answers(running, "/stats/coverage");
      add("/stats/coverage, the page, with 100,000 recordings", `${one(page)} ms`, "≤ 40 ms");
      add("/api/coverage of 13 weeks with 100,000 recordings", `${one(weeks)} ms`, "≤ 30 ms");
      add("/api/coverage of a day of 1,100 recordings", `${one(day)} ms`, "≤ 10 ms");
    },
  },
];
