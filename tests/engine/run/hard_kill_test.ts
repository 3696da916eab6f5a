import { expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { openSimulator } from "../../../server/dashcam/simulator/simulator.ts";
import { EXECUTABLE } from "../../support/app/executable.ts";
import { onBothInterfaces, requestFor } from "../../support/app/interfaces.ts";
import { untilSize } from "../../support/app/process.ts";
import { cardOf, SyncBench, VIDEOS } from "../../support/app/sync.ts";

const SIZE = 400_000;

/** `dashdock sync` as a process of its own, as a user would start it. */
function spawnSync(bench: SyncBench, ...args: string[]) {
  return spawnWith({}, bench, ...args);
}

function spawnWith(env: Record<string, string>, bench: SyncBench, ...args: string[]) {
  const command = ["sync", bench.simulator.address, "-d", bench.destination, "-u", "98", "-t", "300", ...args];
  return Bun.spawn([EXECUTABLE, ...command], {
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Checks that each file under a final name is whole, again and again for as long as the process lives. */
async function watchFinalNames(bench: SyncBench, until: Promise<unknown>): Promise<string[]> {
  const short = new Set<string>();
  let over = false;
  const ended = until.then(() => {
    over = true;
  });
  while (!over) {
    const names = existsSync(bench.destination) ? readdirSync(bench.destination) : [];
    for (const name of names) {
      const file = bench.card.files.get(name);
      if (file && sizeOf(join(bench.destination, name)) !== file.size) short.add(name);
    }
    await Bun.sleep(3);
  }
  await ended;
  return [...short];
}

onBothInterfaces((generation) => {
  test("a sync that is killed at any moment leaves whole files or partials, and the last run completes them", async () => {
    await using bench = await SyncBench.open({ generation, card: cardOf(VIDEOS, SIZE), rate: 6_000_000 });
    const { simulator } = bench;
    const gps = "20260607_101500_N.gps";
    /** Holds the camera at a point, so that the moment does not pass before we look. */
    const held = (name: string, bytes: number) => {
      simulator.fault({ name: "stall", match: requestFor(name), after: bytes });
      return untilSize(join(bench.destination, `.${name}`), bytes);
    };
    const unanswered = (match: RegExp) => {
      simulator.fault({ name: "never-answers", match });
      return simulator.asked(match);
    };
    const moments: (() => Promise<unknown>)[] = [
      () => unanswered(/vod/),
      // Thumbnails and GPS come ahead of the videos.
      () => unanswered(requestFor(gps)),
      () => held(VIDEOS[0], 250_000),
      // Not held at one point: how far it gets from here to there before the signal comes is left to chance.
      () => {
        simulator.fault({ name: "never-answers", match: requestFor(VIDEOS[2]) });
        return simulator.asked(requestFor(VIDEOS[1]));
      },
      () => held(VIDEOS[2], 100),
      () => held(VIDEOS[3], 130_000),
    ];
    for (const moment of moments) {
      simulator.requests.length = 0;
      const reached = moment();
      const child = spawnSync(bench);
      const watching = watchFinalNames(bench, child.exited);
      await reached;
      child.kill("SIGKILL");
      expect(await child.exited).toBe(137);
      expect(await watching).toEqual([]);
      await simulator.quiet();
      simulator.clearFaults();
      const home = await bench.home();
      expect(home.wrong).toEqual([]);
      expect(home.markers).toEqual([]);
    }
    const { partials, whole } = await bench.home();
    // Whole files may have been on their way to their names; a companion that was being written begins anew.
    expect(partials[VIDEOS[3]]).toBe(130_000);
    for (const [name, size] of Object.entries(partials))
      if (name !== VIDEOS[3] && name.endsWith(".mp4")) expect(size).toBe(SIZE);
    simulator.rate = null;
    simulator.requests.length = 0;

    const last = spawnSync(bench);
    const watching = watchFinalNames(bench, last.exited);
    expect(await last.exited).toBe(0);
    expect(await watching).toEqual([]);
    expect((await bench.home()).whole).toEqual(bench.offered());
    expect((await bench.home()).wrong).toEqual([]);
    expect(bench.rangesOf(VIDEOS[3])[0]).toBe("bytes=130000-");
    // Companions that came ahead of their videos are asked for once more.
    const videos = whole.filter((name) => name.endsWith(".mp4"));
    expect(bench.asked().filter((name) => videos.includes(name))).toEqual([]);
  });

  test("SIGTERM ends a sync that waits for the camera, long before its waitLimits does, and its partial is continued", async () => {
    await using bench = await SyncBench.open({ generation, faults: [{ name: "stall", after: 90_000 }] });
    const child = spawnSync(bench);
    await untilSize(join(bench.destination, `.${VIDEOS[0]}`), 90_000);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(1);
    expect(await new Response(child.stderr).text()).toBe("");
    expect((await bench.home()).partials).toEqual({ [VIDEOS[0]]: 90_000 });
    bench.simulator.clearFaults();
    expect(await spawnSync(bench).exited).toBe(0);
    expect((await bench.home()).whole).toEqual(bench.offered());
  });

  test("the second process on a folder exits at once, naming the first, and the lock dies with its holder", async () => {
    await using bench = await SyncBench.open({ generation, faults: [{ name: "stall", after: 90_000 }] });
    const first = spawnSync(bench);
    await bench.simulator.asked(requestFor(VIDEOS[0]));
    const before = bench.simulator.requests.length;

    const second = spawnSync(bench);
    expect(await second.exited).toBe(1);
    const told = await new Response(second.stderr).text();
    expect(told).toContain(`another sync is using this folder: sync on ${hostname()}, process ${first.pid}, since 20`);
    expect(told.trimEnd().split("\n")).toHaveLength(1);
    expect(bench.simulator.requests).toHaveLength(before);
    expect(await spawnSync(bench, "--cron").exited).toBe(0);

    first.kill("SIGKILL");
    await first.exited;
    bench.simulator.clearFaults();
    expect(await spawnSync(bench).exited).toBe(0);
    expect((await bench.home()).whole).toEqual(bench.offered());
  });

  test("proxies in the environment are never asked", async () => {
    await using bench = await SyncBench.open({ generation });
    await using proxy = await openSimulator({ card: bench.card });
    const names = ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [name, name.toUpperCase()]);
    const env = Object.fromEntries(names.map((name) => [name, proxy.url]));
    const child = spawnWith({ ...env, no_proxy: "", NO_PROXY: "" }, bench, "-i", "EF");
    expect(await child.exited).toBe(0);
    expect(proxy.requests).toEqual([]);
    expect((await bench.home()).whole).toContain(VIDEOS[2]);
  });
});
