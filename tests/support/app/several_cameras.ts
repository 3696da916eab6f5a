import { expect } from "bun:test";
import { join } from "node:path";
import { simulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator } from "../../../server/dashcam/simulator/simulator.ts";
import { MAIN_CAMERA } from "../../../server/domain/settings/camera_key.ts";
import { type AppOptions, type RunningApp, startApp } from "./app.ts";

export type Answer = Readonly<Record<string, unknown>>;

/** A service with a car and a van. */
export interface CarAndVan extends RunningApp {
  /** The simulated camera of the van. */
  readonly van: Simulator;
}

/** A service with a car, whose recordings are of June, and a van, whose recordings are of the same moments. */
export async function carAndVan(options: AppOptions = {}): Promise<CarAndVan> {
  const settings = { ...options.settings, retention: { keep: "", ...options.settings?.retention } };
  const running = await startApp({ ...options, settings });
  await running.client.open("/");
  const card = simulatedCard({ recordings: 6, now: Date.UTC(2026, 5, 7, 10, 20), footage: syntheticFootage(150_000) });
  const van = await openSimulator({ card, rate: null, generation: "legacy" });
  const added = await running.client.send("POST", "/api/cameras", { name: "Van", address: van.address });
  expect([added.status, await added.json()]).toEqual([
    201,
    expect.objectContaining({ id: "van", name: "Van", letter: "V", address: van.address }),
  ]);
  const patched = await running.client.send("PATCH", "/api/cameras/van/settings/retention", { keep: "" });
  expect(patched.status).toBe(200);
  const dispose = running[Symbol.asyncDispose].bind(running);
  return Object.assign(running, {
    van,
    async [Symbol.asyncDispose]() {
      await dispose();
      await van.close();
    },
  });
}

/** The JSON at a path. */
export async function json({ client }: RunningApp, path: string): Promise<Answer> {
  const answer = await client.fetch(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as Answer;
}

/** Resolves when a run of each camera has brought everything home. */
export async function bothAreHome(running: RunningApp): Promise<void> {
  const answer = await running.client.send("POST", "/api/sync/now?camera=all");
  // The van's first run may have begun by itself.
  expect([202, 409]).toContain(answer.status);
  for (const { job } of running.app.cameras.all) await job.ended();
  for (const one of running.app.cameras.all)
    if (one.job.snapshot.state !== "completed") {
      one.job.start("manual");
      await one.job.ended();
    }
}

/** A further camera as `more_cameras` has it. */
export interface FurtherCamera {
  readonly id: string;
  readonly name: string;
  readonly letter?: string;
  readonly retention?: Readonly<Record<string, unknown>>;
}

/** A service with cameras that nothing is fetched from. */
export interface ParkedCameras extends RunningApp {
  /** The recordings folder of a camera. */
  readonly folderOf: (id: string) => string;
}

/** A service with a car and further cameras that nothing is fetched from: their recordings are put into their folders. */
export async function parkedCameras(
  further: readonly FurtherCamera[],
  options: AppOptions = {},
): Promise<ParkedCameras> {
  const settings = {
    ...options.settings,
    retention: { keep: "", ...options.settings?.retention },
    schedule: { paused: true },
  };
  const running = await startApp({ ...options, settings });
  await running.client.open("/");
  const folderOf = (id: string) => (id === MAIN_CAMERA ? running.destination : join(running.folder, id));
  const { cameras } = running.app;
  if (further.length > 0) {
    const entries = further.map((one) => ({
      ...one,
      connection: { address: "" },
      schedule: { paused: true },
      retention: { keep: "", ...one.retention },
    }));
    await cameras.file.changeCameras((parts) => ({ ...parts, more_cameras: entries }));
    await cameras.follow();
    expect(cameras.all.length).toBe(further.length + 1);
  }
  return Object.assign(running, { folderOf });
}
