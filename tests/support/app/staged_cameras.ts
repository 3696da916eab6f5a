import { simulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { configFiles, named } from "../../../server/dashcam/simulator/simulated_config.ts";
import { openSimulator, type Simulator } from "../../../server/dashcam/simulator/simulator.ts";
import { type RunningApp, startApp } from "./app.ts";

/** States of cameras on a dashboard: one that never ran, one at home, and those that something is the matter with. */
export type StagedState = "empty" | "safe" | "away" | "failed" | "other" | "paused";

export interface StagedCameras extends RunningApp {
  /** The simulated cameras by the ids of their cameras. */
  readonly simulators: ReadonlyMap<string, Simulator>;
}

const NOW = Date.UTC(2026, 5, 7, 10, 20);
const BYTES = 40_000;

/** A service with as many cameras as states: the first one is Car, the others Van 2, Van 3 and so on. */
export async function stagedCameras(states: readonly StagedState[]): Promise<StagedCameras> {
  const card = () => simulatedCard({ recordings: 4, now: NOW, footage: syntheticFootage(BYTES) });
  const running = await startApp({ settings: { retention: { keep: "" } }, card: card() });
  const simulators = new Map([["main", running.simulator]]);
  const { client, app } = running;
  await client.open("/");
  await client.send("PATCH", "/api/cameras/main", { name: "Car" });
  for (let number = 2; number <= states.length; number++) {
    const simulator = await openSimulator({ card: card(), rate: null, generation: "legacy" });
    simulators.set(`van-${number}`, simulator);
    const added = await client.send("POST", "/api/cameras", { name: `Van ${number}`, address: simulator.address });
    if (added.status !== 201) throw new Error(`Van ${number} was not added: ${await added.text()}`);
    await client.send("PATCH", `/api/cameras/van-${number}/settings/retention`, { keep: "" });
  }
  const run = async (id: string) => {
    const job = app.cameras.of(id)?.job;
    job?.start("manual");
    await job?.ended();
  };
  const stages = [...simulators].map(async ([id, simulator], at) => {
    const state = states[at];
    if (state === "empty") return;
    await run(id);
    if (state === "away") await simulator.goAway();
    if (state === "failed") simulator.fault("list-500");
    if (state === "other") simulator.settings = configFiles(named("Truck-5F"), "dr970x");
    if (state === "paused") await client.send("POST", `/api/schedule/pause?camera=${id}`);
    if (state === "away" || state === "failed" || state === "other") await run(id);
  });
  await Promise.all(stages);
  const dispose = running[Symbol.asyncDispose].bind(running);
  return Object.assign(running, {
    simulators,
    async [Symbol.asyncDispose]() {
      await dispose();
      for (const simulator of simulators.values()) await simulator.close();
    },
  });
}
