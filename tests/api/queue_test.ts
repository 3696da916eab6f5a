import { expect, setDefaultTimeout, test } from "bun:test";
import { SimulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import type { QueueItem } from "../../server/domain/sync/queue_schema.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { onBothInterfaces } from "../support/app/interfaces.ts";

setDefaultTimeout(60_000);

type Chosen = NonNullable<AppOptions["settings"]>;

const SIZE = 60_000;
const NAMES = [
  "20260605_100000_PF",
  "20260605_110000_EF",
  "20260605_110000_ER",
  "20260606_100000_NF",
  "20260606_100000_NR",
  "20260607_100000_MF",
  "20260607_110000_NF",
];

function settingsWith(sync: Chosen["sync"]): Chosen {
  return { retention: { keep: "" }, sync: { ...sync, skip_metadata: ["t", "3", "g"] as const } };
}

onBothInterfaces((generation) => {
  /** A service whose camera was listed once, and drove off before anything came. */
  async function listed(sync: Chosen["sync"], more: AppOptions = {}): Promise<RunningApp> {
    const card = new SimulatedCard(syntheticFootage(SIZE));
    for (const name of NAMES) card.record(`${name}.mp4`);
    const running = await startApp({ settings: settingsWith(sync), generation, card, ...more });
    const { app, simulator } = running;
    simulator.fault({ name: "never-answers", match: /\.mp4$/ });
    app.job.start("manual");
    await simulator.asked(/\.mp4$/);
    app.job.stop();
    await app.job.ended();
    simulator.clearFaults();
    await running.client.open("/");
    return running;
  }

  async function queueOf({ client }: RunningApp, query = ""): Promise<QueueItem[]> {
    const answer = await client.fetch(`/api/sync/queue${query}`);
    expect(answer.status).toBe(200);
    const { items } = (await answer.json()) as { items: QueueItem[] };
    return items;
  }
  const inShort = (items: readonly QueueItem[]) => items.map(({ key, direction, why }) => `${key}${direction} ${why}`);

  test("what waits is told in the order of the next run, and why, also for what was asked for or is not needed", async () => {
    await using running = await listed({ priority: "date" });
    expect(inShort(await queueOf(running))).toEqual(NAMES.map((name) => `${name} order`));
    await running.client.send("POST", "/api/sync/prioritize", { keys: ["20260606_100000_N"] });
    await running.client.send("POST", "/api/sync/unwanted", { keys: ["20260605_110000_E"] });
    expect(inShort(await queueOf(running))).toEqual([
      "20260606_100000_NF asked",
      "20260606_100000_NR asked",
      "20260605_100000_PF order",
      "20260607_100000_MF order",
      "20260607_110000_NF order",
    ]);
    expect(await queueOf(running, "?limit=2")).toHaveLength(2);
    // As every list of this service, it takes the nearest that it can.
    for (const [limit, length] of [
      ["0", 1],
      ["-4", 1],
      ["99999", 5],
      ["1e2", 5],
      ["", 5],
    ])
      expect(await queueOf(running, `?limit=${limit}`)).toHaveLength(Number(length));
    expect((await running.client.fetch("/api/sync/queue?camera=nobody")).status).toBe(404);
  });

  test("under `smart` each has its reason, and another order in the settings is told at once", async () => {
    await using running = await listed({ priority: "smart" });
    expect(inShort(await queueOf(running))).toEqual([
      "20260607_100000_MF event",
      "20260605_110000_EF event",
      "20260605_110000_ER event",
      "20260607_110000_NF driving",
      "20260606_100000_NF driving",
      "20260606_100000_NR driving",
      "20260605_100000_PF parking",
    ]);
    await running.client.send("PATCH", "/api/settings/sync", { priority: "rdate" });
    expect(inShort(await queueOf(running, "?limit=2"))).toEqual([
      "20260607_110000_NF order",
      "20260607_100000_MF order",
    ]);
  });

  test("of a run it is what that brings, in its own order, with sizes like those that came; then nothing", async () => {
    await using running = await listed({ priority: "date" });
    const { app, simulator } = running;
    expect(new Set((await queueOf(running)).map(({ bytes }) => bytes))).toEqual(new Set([null]));
    simulator.fault({ name: "silence", match: /20260606_100000_NF\.mp4$/, after: 1000, value: 300 });
    app.job.start("manual");
    await simulator.asked(/20260606_100000_NF\.mp4$/);
    await running.client.send("PATCH", "/api/settings/sync", { priority: "smart" });
    await running.client.send("POST", "/api/sync/prioritize", { keys: ["20260607_110000_N"] });
    const queue = await queueOf(running);
    // A run keeps the order that it began with.
    expect(inShort(queue)).toEqual([
      "20260606_100000_NF order",
      "20260607_110000_NF asked",
      "20260606_100000_NR order",
      "20260607_100000_MF order",
    ]);
    for (const { bytes } of queue) expect(bytes).toBeGreaterThan(0);
    await app.job.ended();
    expect(await queueOf(running)).toEqual([]);
  });
});
