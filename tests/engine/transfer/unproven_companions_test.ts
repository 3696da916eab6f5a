import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EXECUTABLE } from "../../support/app/executable.ts";
import { until } from "../../support/app/http.ts";
import { onBothInterfaces, requestFor, requestsFor } from "../../support/app/interfaces.ts";
import { cardOf, listTree, SyncBench, type SyncOverrides } from "../../support/app/sync.ts";

setDefaultTimeout(60_000);

const VIDEOS = ["20260607_101500_NF.mp4", "20260607_101600_NF.mp4", "20260607_101700_NF.mp4"];
const [, VIDEO = ""] = VIDEOS;
const GPS = "20260607_101600_N.gps";
const THUMBNAIL = "20260607_101600_NF.thm";
const FIRST: SyncOverrides = { metadataFirst: true };
const NOTE = ".dashdock/unproven";

onBothInterfaces((generation) => {
  const open = () => SyncBench.open({ generation, card: cardOf(VIDEOS) });
  const homeOf = (bench: SyncBench, name: string) => readFileSync(join(bench.destination, name));

  /** A run that brings thumbnails and GPS, and ends before any video. */
  async function runAhead(bench: SyncBench): Promise<void> {
    bench.simulator.requests.length = 0;
    const lift = bench.simulator.fault({ name: "stall", match: requestsFor("mp4"), after: 100 });
    const stopping = new AbortController();
    const run = bench.sync({ ...FIRST, signal: stopping.signal });
    await bench.simulator.asked(requestsFor("mp4"));
    stopping.abort(new Error("stopped"));
    await run;
    lift();
  }

  /** A run that brings every video, and is stopped before any companion is asked for again. */
  async function runVideos(bench: SyncBench): Promise<void> {
    bench.simulator.requests.length = 0;
    const lift = bench.simulator.fault({ name: "never-answers", match: requestsFor("thm", "gps") });
    const stopping = new AbortController();
    const run = bench.sync({ ...FIRST, signal: stopping.signal });
    await bench.simulator.asked(requestsFor("thm", "gps"));
    stopping.abort(new Error("stopped"));
    await run;
    lift();
  }

  /** Leaves only the first bytes of a file on the camera; returns the way to the whole file. */
  async function writing(bench: SyncBench, name: string, bytes = 300): Promise<() => void> {
    const full = await bench.card.bytes(name);
    bench.card.add(name, full.subarray(0, bytes));
    return () => bench.card.add(name, full);
  }

  async function expectAllHome(bench: SyncBench): Promise<void> {
    const { whole, wrong, partials } = await bench.home();
    expect([whole, wrong, partials]).toEqual([bench.offered(), [], {}]);
    expect(existsSync(join(bench.destination, NOTE))).toBe(false);
  }

  test.each([GPS, THUMBNAIL])(
    "%s that came unfinished is whole in the end, however often runs are stopped",
    async (name) => {
      await using bench = await open();
      const ends = await writing(bench, name);
      await runAhead(bench);
      expect(bench.sizeOf(name)).toBe(300);
      ends();
      for (let stops = 0; stops < 4; stops++) await runVideos(bench);
      expect([bench.sizeOf(name), existsSync(join(bench.destination, VIDEO))]).toEqual([300, true]);
      expect((await bench.sync(FIRST)).failure).toBeNull();
      await expectAllHome(bench);
    },
  );

  test("also when the process is killed between the video and the second question", async () => {
    await using bench = await open();
    const ends = await writing(bench, GPS);
    await runAhead(bench);
    ends();
    bench.simulator.requests.length = 0;
    const lift = bench.simulator.fault({ name: "never-answers", match: requestsFor("thm", "gps") });
    const command = [EXECUTABLE, "sync", bench.simulator.address, "-d", bench.destination, "-u", "98", "-t", "300"];
    const process = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
    await bench.simulator.asked(requestsFor("thm", "gps"));
    process.kill("SIGKILL");
    await process.exited;
    lift();
    expect((await bench.sync(FIRST)).failure).toBeNull();
    await expectAllHome(bench);
  });

  test("also when the process that brought both is killed before the second question is answered", async () => {
    await using bench = await SyncBench.open({ generation, card: cardOf([VIDEO, VIDEOS[2] ?? ""]) });
    // The rate is so low that the video is still on its way when the camera falls silent.
    bench.simulator.rate = 5000;
    // Without its end it is asked for again.
    const ends = await writing(bench, GPS, 301);
    const command = [EXECUTABLE, "sync", bench.simulator.address, "-d", bench.destination, "-u", "98", "-t", "300"];
    const process = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
    await bench.simulator.asked(requestFor(VIDEO));
    await until(() => existsSync(join(bench.destination, GPS)), 20_000);
    expect(bench.sizeOf(GPS)).toBe(301);
    ends();
    const lift = bench.simulator.fault({ name: "never-answers", match: requestsFor("thm", "gps") });
    bench.simulator.rate = null;
    await until(() => existsSync(join(bench.destination, VIDEO)), 20_000);
    process.kill("SIGKILL");
    await process.exited;
    lift();
    expect((await bench.sync(FIRST)).failure).toBeNull();
    await expectAllHome(bench);
  });

  test("of one that has no end when it comes ahead, the same run asks again", async () => {
    await using bench = await open();
    const full = await bench.card.bytes(GPS);
    bench.card.add(GPS, full.subarray(0, 301));
    const run = bench.sync(FIRST);
    await bench.simulator.asked(requestFor(VIDEOS[0] ?? ""));
    bench.card.add(GPS, full);
    expect((await run).failure).toBeNull();
    await expectAllHome(bench);
  });

  test("after a card was swapped nothing of the other drive stays beside a video", async () => {
    await using bench = await open();
    await runAhead(bench);
    const before = homeOf(bench, GPS);
    // The other drive is shorter, and half an hour later by the satellites.
    const text = new TextDecoder().decode(await bench.card.bytes(GPS)).replaceAll("[178", "[179");
    bench.card.add(GPS, new TextEncoder().encode(text.slice(0, 1000)));
    const other = await bench.card.bytes("20260607_101500_NF.thm");
    bench.card.add(THUMBNAIL, other);
    expect((await bench.sync(FIRST)).failure).toBeNull();
    await expectAllHome(bench);
    expect(homeOf(bench, GPS).toString()).toBe(text.slice(0, 1000));
    // The other one can be restored.
    const trashed = listTree(bench.destination).filter((path) => path.includes("/trash/") && path.endsWith(GPS));
    expect(trashed.map((path) => homeOf(bench, path))).toEqual([before]);
    expect(bench.trashed()).toEqual([GPS, THUMBNAIL].toSorted());
  });

  const BAD = [
    { what: "bytes that are none", gps: "bytes ".repeat(2000), thm: "bytes ".repeat(2000) },
    { what: "less of it", gps: null, thm: null },
  ];
  test.each(BAD)("$what take nothing away", async ({ gps, thm }) => {
    await using bench = await open();
    await runAhead(bench);
    const before = [GPS, THUMBNAIL].map((name) => homeOf(bench, name));
    for (const [name, content] of [
      [GPS, gps],
      [THUMBNAIL, thm],
    ] as const) {
      const full = await bench.card.bytes(name);
      bench.card.add(name, content === null ? full.subarray(0, 200) : new TextEncoder().encode(content));
    }
    expect((await bench.sync(FIRST)).failure).toBeNull();
    expect([GPS, THUMBNAIL].map((name) => homeOf(bench, name))).toEqual(before);
    expect(bench.trashed()).toEqual([]);
  });

  test("one that the camera has no more goes to the trash after the second list that names its video", async () => {
    await using bench = await open();
    await runAhead(bench);
    bench.simulator.fault({ name: "not-found", match: requestFor(GPS) });
    expect((await bench.sync(FIRST)).failure).toBeNull();
    expect([existsSync(join(bench.destination, GPS)), bench.trashed()]).toEqual([true, []]);
    expect((await bench.sync(FIRST)).failure).toBeNull();
    expect([existsSync(join(bench.destination, GPS)), bench.trashed()]).toEqual([false, [GPS]]);
    expect(existsSync(join(bench.destination, VIDEO))).toBe(true);
    // Setting a file aside is no deletion: the recording and its other files stay and come.
    expect((await bench.sync(FIRST)).counts).toMatchObject({ failed: 0 });
    const { whole, wrong } = await bench.home();
    expect([whole, wrong]).toEqual([bench.offered().filter((name) => name !== GPS), []]);
  });

  test("one whose video is not on the list any more stays", async () => {
    await using bench = await open();
    await runAhead(bench);
    bench.simulator.fault({ name: "not-found", match: requestFor(GPS) });
    await bench.sync(FIRST);
    bench.card.remove(VIDEO);
    await bench.sync(FIRST);
    await bench.sync(FIRST);
    expect([existsSync(join(bench.destination, GPS)), bench.trashed()]).toEqual([true, []]);
  });

  test("a file with what is in doubt that is damaged, or no file at all, harms nothing", async () => {
    await using bench = await open();
    await runAhead(bench);
    bench.put(NOTE, "../../etc/passwd 0 0 0\n20260607_101600_N.gps 0\n\0\0\0\n20260607_101600_NF.mp4 0 0 0\n");
    expect((await bench.sync(FIRST)).failure).toBeNull();
    rmSync(join(bench.destination, NOTE), { force: true });
    bench.put(`${NOTE}/folder`, "");
    expect((await bench.sync(FIRST)).failure).toBeNull();
    const { whole, wrong } = await bench.home();
    expect([whole, wrong]).toEqual([bench.offered(), []]);
  });
});

test("a companion of no bytes, or a line of text in place of a picture, is no companion", async () => {
  await using bench = await SyncBench.open({ card: cardOf(VIDEOS) });
  bench.card.add(GPS, new Uint8Array());
  bench.simulator.fault({ name: "no-length", match: requestFor(GPS) });
  bench.simulator.fault({ name: "text-200", match: requestFor(THUMBNAIL) });
  const result = await bench.sync(FIRST);
  expect([result.failure, result.counts.absent, result.counts.failed]).toEqual([null, 1, 1]);
  for (const name of [GPS, THUMBNAIL]) expect(existsSync(join(bench.destination, name))).toBe(false);
});

test("a companion that is another one at each request takes the place of the one that came ahead once", async () => {
  await using bench = await SyncBench.open({ card: cardOf(VIDEOS) });
  const text = new TextDecoder().decode(await bench.card.bytes(GPS));
  let times = 0;
  const answer = () => new TextEncoder().encode(text.replaceAll("[178", `[18${times++ % 10}`));
  bench.card.add(GPS, { size: text.length, read: async (start, end) => answer().subarray(start, end) });
  bench.simulator.fault({ name: "not-found", match: requestFor(VIDEO), times: 2 });
  for (let run = 0; run < 5; run++) {
    bench.clockOffset += 90_000_000;
    expect((await bench.sync(FIRST)).failure).toBeNull();
  }
  expect([bench.trashed(), existsSync(join(bench.destination, NOTE))]).toEqual([[GPS], false]);
});
