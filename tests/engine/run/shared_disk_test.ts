import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../../server/app.ts";
import { openSimulator, type Simulator } from "../../../server/dashcam/simulator/simulator.ts";
import type { Settings } from "../../../server/domain/settings/settings.ts";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { cardOf } from "../../support/app/sync.ts";
import { mayMount, SmallDisk } from "../../support/disk/disks.ts";

// A video comes slowly on purpose, beside another run.
setDefaultTimeout(30_000);

const MB = 1024 * 1024;
const CAR = "20260607_101500_NF.mp4";
const VAN = "20260607_101500_NR.mp4";
const SYNC: Partial<Settings["sync"]> = { skip_metadata: ["t", "3", "g"], metadata_first: false };
const RETENTION: Partial<Settings["retention"]> = { keep: "", max_used_disk_percent: 95 };

/** A service with a car and a van, whose recordings go to folders beside each other. */
class Household implements AsyncDisposable {
  readonly running: RunningApp;
  readonly vanCamera: Simulator;
  readonly car: App;
  readonly van: App;

  private constructor(running: RunningApp, vanCamera: Simulator) {
    this.running = running;
    this.vanCamera = vanCamera;
    this.car = running.app.cameras.main;
    const van = running.app.cameras.of("van");
    if (van === null) throw new Error("the van is not there");
    this.van = van;
  }

  /** @param folder for both destinations @param bytes of each video */
  static async open(folder: string, cards: { car: readonly string[]; van: readonly string[]; bytes: number }) {
    const running = await startApp({
      card: cardOf(cards.car, cards.bytes),
      destination: join(folder, "car"),
      settings: { sync: SYNC, retention: RETENTION, schedule: { paused: true } },
    });
    await running.client.open("/");
    const vanCamera = await openSimulator({ card: cardOf(cards.van, cards.bytes) });
    const send = async (method: string, path: string, body: unknown) =>
      expect((await running.client.send(method, path, body)).status).toBeOneOf([200, 201]);
    // With the address of the van's camera it would begin by itself.
    await send("POST", "/api/cameras", { name: "Van", address: "127.0.0.1:9", destination: join(folder, "van") });
    await running.app.cameras.of("van")?.job.ended();
    await send("PATCH", "/api/cameras/van/settings/schedule", { paused: true });
    await send("PATCH", "/api/cameras/van/settings/sync", SYNC);
    await send("PATCH", "/api/cameras/van/settings/retention", RETENTION);
    await send("PATCH", "/api/cameras/van/settings/connection", { address: vanCamera.address });
    return new Household(running, vanCamera);
  }

  /** Starts a run of the car's, and resolves when bytes of a file come in. */
  carBegins(): Promise<unknown> {
    const { topic } = this.car.job;
    return new Promise((resolve) => {
      const off = topic.subscribe(({ current_file }) => {
        if ((current_file?.downloaded_bytes ?? 0) === 0) return;
        off();
        resolve(null);
      });
      this.car.job.start("manual");
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.running[Symbol.asyncDispose]();
    await this.vanCamera.close();
  }
}

/** Resolves with the end of a run. */
async function endOf({ job }: App) {
  await job.ended();
  const { state, failure_reason, message } = job.snapshot;
  return { state, failure_reason, message: message?.replaceAll("\u00a0", " ") ?? null };
}

async function run(app: App) {
  app.job.start("manual");
  return await endOf(app);
}

/** Files of recordings in a folder, partials too. */
const videosIn = ({ recordings }: App) => readdirSync(recordings.root).filter((name) => name.includes(".mp4"));

const HOME = { state: "completed", failure_reason: null, message: null } as const;
const NO_ROOM = { state: "failed", failure_reason: "disk" } as const;

/** A disk for both, and what lies on it. */
async function onOneDisk(size: string, cards: { car: readonly string[]; van: readonly string[]; bytes: number }) {
  const folder = mkdtempSync(join(tmpdir(), "shared-disk-"));
  const disk = new SmallDisk(folder, size);
  const household = await Household.open(folder, cards);
  return Object.assign(household, {
    disk,
    async [Symbol.asyncDispose]() {
      await Household.prototype[Symbol.asyncDispose].call(household);
      disk[Symbol.dispose]();
      rmSync(folder, { recursive: true });
    },
  });
}

describe.skipIf(!mayMount())("two cameras on one small disk (needs the right to mount)", () => {
  test("a file that does not fit beside the other camera's is begun when there is room again", async () => {
    await using both = await onOneDisk("8m", { car: [CAR], van: [VAN], bytes: 5 * MB });
    const { car, van } = both;
    both.running.simulator.rate = 400_000;
    await both.carBegins();
    const refused = await run(van);
    expect(refused).toMatchObject(NO_ROOM);
    expect(refused.message).toMatch(/the file needs 5\.\d MB and the disk has room for 2\.\d MB/);
    expect([videosIn(van), car.job.snapshot.state]).toEqual([[], "running"]);

    both.running.simulator.rate = null;
    expect(await endOf(car)).toEqual(HOME);
    expect(await run(van)).toMatchObject(NO_ROOM);
    rmSync(join(car.recordings.root, CAR));
    expect(await run(van)).toEqual(HOME);
    expect([videosIn(car), videosIn(van)]).toEqual([[], [VAN]]);
  });

  test("a run that is stopped leaves its room to the other", async () => {
    await using both = await onOneDisk("8m", { car: [CAR], van: [VAN], bytes: 5 * MB });
    const { car, van } = both;
    both.running.simulator.rate = 400_000;
    await both.carBegins();
    expect(await run(van)).toMatchObject(NO_ROOM);
    car.job.stop();
    await car.job.ended();
    expect(await run(van)).toEqual(HOME);
    expect([videosIn(car), videosIn(van)]).toEqual([[`.${CAR}`], [VAN]]);
  });

  test("a camera that breaks off leaves its room to the other", async () => {
    await using both = await onOneDisk("8m", { car: [CAR], van: [VAN], bytes: 5 * MB });
    const { car, van } = both;
    both.running.simulator.rate = 400_000;
    await both.carBegins();
    await both.running.simulator.goAway();
    expect((await endOf(car)).state).toBe("failed");
    expect(await run(van)).toEqual(HOME);
  });

  test("both that run at once never fill it, and each file is whole or was not begun", async () => {
    const minutes = ["101500", "101600", "101700"];
    const [cars, vans] = ["F", "R"].map((direction) => minutes.map((at) => `20260607_${at}_N${direction}.mp4`));
    await using both = await onOneDisk("8m", { car: cars ?? [], van: vans ?? [], bytes: 2 * MB });
    const ends = await Promise.all([run(both.car), run(both.van)]);
    // One may be quick enough to bring all of its own.
    const refused = ends.filter(({ state }) => state === "failed");
    expect(refused).not.toEqual([]);
    for (const end of refused) {
      expect(end).toMatchObject(NO_ROOM);
      expect(end.message).toMatch(/the disk has room for/);
    }
    const home = [...videosIn(both.car), ...videosIn(both.van)];
    expect(home.filter((name) => name.startsWith("."))).toEqual([]);
    // 95 % of 8 MB hold three of them.
    expect(home).toHaveLength(3);
  });
});

test.each([
  ["in the middle of its list", "list-stall"],
  ["in the middle of a video", "stall"],
] as const)("a camera that hangs %s does not hold up the other", async (_, fault) => {
  const folder = mkdtempSync(join(tmpdir(), "shared-disk-"));
  try {
    await using both = await Household.open(folder, { car: [CAR], van: [VAN], bytes: MB });
    both.running.simulator.fault({ name: fault, after: 10 });
    const hangs = both.running.simulator.asked(fault === "stall" ? /NF\.mp4/ : /vod/);
    both.car.job.start("manual");
    await hangs;
    expect(await run(both.van)).toEqual(HOME);
    expect([both.car.job.snapshot.state, videosIn(both.van)]).toEqual(["running", [VAN]]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
