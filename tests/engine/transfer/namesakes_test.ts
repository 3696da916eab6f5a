import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { otherContent } from "../../../server/dashcam/simulator/simulator_contents.ts";
import { parseArtifact } from "../../../server/domain/recordings/recording_name.ts";
import type { Overview } from "../../../server/domain/status/overview.ts";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { run, send } from "../../support/app/held.ts";
import { cardOf, SyncBench } from "../../support/app/sync.ts";

/** Names from a clock that was never set, from one that was, and from later recordings. */
const UNSET = "19700101_000010_NF.mp4";
const DATED = "20260607_101500_NF.mp4";
const LATER = "20260607_101600_NF.mp4";
const LATEST = "20260607_101700_NF.mp4";

/** Puts another recording of the same name on the card, with its companions. */
function recordAnew({ card }: Pick<SyncBench, "card">, video: string, size: number): void {
  const key = parseArtifact(video)?.key;
  for (const [name, file] of card.files)
    if (parseArtifact(name)?.key === key) card.add(name, otherContent(name, file, name === video ? size : file.size));
}

async function contentOf({ destination }: { readonly destination: string }, name: string): Promise<Buffer> {
  return readFileSync(join(destination, name));
}

async function onCard({ card }: Pick<SyncBench, "card">, name: string): Promise<Buffer> {
  return Buffer.from(await card.bytes(name));
}

describe("a name that the camera gives again", () => {
  for (const generation of ["legacy", "v1009"] as const)
    test(`comes home beside the one that has it, with its companions: ${generation}`, async () => {
      await using bench = await SyncBench.open({ card: cardOf([UNSET, LATER], 100_000), generation });
      await bench.sync();
      const old = await onCard(bench, UNSET);
      recordAnew(bench, UNSET, 120_000);
      bench.card.record(LATEST);
      expect((await bench.sync()).failure).toBeNull();
      expect(await contentOf(bench, UNSET)).toEqual(old);
      for (const kind of generation === "v1009" ? ["mp4", "thm", "gps"] : ["mp4", "thm", "gps", "3gf"]) {
        const stem = `19700101_000010_N${["mp4", "thm"].includes(kind) ? "F" : ""}`;
        expect(await contentOf(bench, `${stem}.2.${kind}`)).toEqual(await onCard(bench, `${stem}.${kind}`));
      }
      recordAnew(bench, UNSET, 140_000);
      bench.card.record("20260607_101800_NF.mp4");
      await bench.sync();
      expect(await contentOf(bench, UNSET.replace(".mp4", ".3.mp4"))).toEqual(await onCard(bench, UNSET));
      expect(await contentOf(bench, UNSET)).toEqual(old);
    });

  test("is another one also when it is as long", async () => {
    await using bench = await SyncBench.open({ card: cardOf([UNSET, LATER], 100_000) });
    await bench.sync();
    recordAnew(bench, UNSET, 100_000);
    bench.card.record(LATEST);
    await bench.sync();
    expect(await contentOf(bench, UNSET.replace(".mp4", ".2.mp4"))).toEqual(await onCard(bench, UNSET));
  });

  for (const fault of ["ignores-range", "range-status", "range-hang-up", "unknown-total", "no-content-range"] as const)
    test(`is found out where the camera knows no parts: ${fault}`, async () => {
      await using bench = await SyncBench.open({ card: cardOf([UNSET, LATER], 100_000) });
      await bench.sync();
      bench.card.record(LATEST);
      bench.simulator.fault(fault);
      await bench.sync();
      expect(existsSync(join(bench.destination, UNSET.replace(".mp4", ".2.mp4")))).toBe(false);
      recordAnew(bench, UNSET, 100_000);
      bench.card.record("20260607_101800_NF.mp4");
      await bench.sync();
      expect(await contentOf(bench, UNSET.replace(".mp4", ".2.mp4"))).toEqual(await onCard(bench, UNSET));
    });

  test("is asked for once for each list, and what is the same stays as it is", async () => {
    await using bench = await SyncBench.open({ card: cardOf([UNSET, DATED], 100_000) });
    await bench.sync();
    bench.card.record(LATER);
    let from = bench.simulator.requests.length;
    await bench.sync();
    // A name from a clock that was set is not doubted while the list goes on.
    expect(bench.asked(from).filter((name) => name === UNSET || name === DATED)).toEqual([UNSET]);
    from = bench.simulator.requests.length;
    await bench.sync();
    expect(bench.asked(from)).toEqual([]);
    expect(bench.tree().filter((path) => path.includes(".2."))).toEqual([]);
  });

  test("is known again in the list of a camera that goes on naming it", async () => {
    await using bench = await SyncBench.open({ card: cardOf([UNSET, LATER], 100_000) });
    await bench.sync();
    recordAnew(bench, UNSET, 120_000);
    bench.card.record(LATEST);
    await bench.sync();
    // Also without what was noted.
    for (const notes of [false, true]) {
      if (notes) rmSync(join(bench.destination, ".dashdock", "namesakes"));
      bench.card.record(`20260607_10${notes ? 20 : 19}00_NF.mp4`);
      await bench.sync();
      expect(bench.tree().filter((path) => path.includes("19700101"))).toHaveLength(8);
    }
  });

  test("is looked for when a list went backwards, among what may have been recorded since", async () => {
    await using bench = await SyncBench.open({ card: cardOf([DATED, LATER, LATEST], 100_000) });
    await bench.sync();
    bench.card.overwrite(LATEST);
    recordAnew(bench, DATED, 90_000);
    await bench.sync();
    expect(await contentOf(bench, DATED.replace(".mp4", ".2.mp4"))).toEqual(await onCard(bench, DATED));
    expect(existsSync(join(bench.destination, LATER.replace(".mp4", ".2.mp4")))).toBe(false);
  });

  test("of one direction numbers its moment: the others stay together with it", async () => {
    const rear = UNSET.replace("NF", "NR");
    await using bench = await SyncBench.open({ card: cardOf([UNSET, LATER], 100_000) });
    await bench.sync();
    bench.card.record(rear);
    recordAnew(bench, UNSET, 120_000);
    await bench.sync();
    expect(bench.tree().filter((path) => path.includes("19700101") && path.endsWith(".mp4"))).toEqual([
      UNSET.replace(".mp4", ".2.mp4"),
      UNSET,
      rear.replace(".mp4", ".2.mp4"),
    ]);
  });

  test("is no name of ours that a camera lists", async () => {
    await using bench = await SyncBench.open({ card: cardOf([UNSET, LATER], 100_000) });
    bench.card.add(UNSET.replace(".mp4", ".2.mp4"), 50_000);
    await bench.sync();
    expect(bench.tree().filter((path) => path.includes(".2."))).toEqual([]);
  });

  test("is in doubt on the disk before anything else comes, so that a kill forgets none", async () => {
    await using bench = await SyncBench.open({ card: cardOf([UNSET, LATER], 100_000) });
    await bench.sync();
    bench.card.record(LATEST);
    bench.simulator.fault({ name: "error-500", match: /19700101_000010_NF.mp4/ });
    const asked = bench.simulator.asked(/20260607_101700/).then(() => {
      return readFileSync(join(bench.destination, ".dashdock", "namesakes"), "utf8");
    });
    await bench.sync();
    expect(await asked).toContain(`${UNSET} 1 - ?`);
  });

  test("leaves no beginning behind where it shows that it is the one at home", async () => {
    await using bench = await SyncBench.open({ card: cardOf([UNSET, LATER], 100_000) });
    await bench.sync();
    bench.put(`.${UNSET.replace(".mp4", ".2.mp4")}`, (await contentOf(bench, UNSET)).subarray(0, 60_000));
    bench.put(`.${LATER.replace(".mp4", ".2.mp4")}`, Buffer.alloc(60_000, "another"));
    bench.card.record(LATEST);
    await bench.sync();
    expect((await bench.home()).partials).toEqual({});
    expect(bench.tree().filter((path) => path.startsWith(".2"))).toEqual([`.${LATER.replace(".mp4", ".2.mp4")}`]);
  });

  test("is asked for with the next sync when the camera left before it answered", async () => {
    await using bench = await SyncBench.open({ card: cardOf([UNSET, LATER], 100_000) });
    await bench.sync();
    recordAnew(bench, UNSET, 120_000);
    bench.card.record(LATEST);
    bench.simulator.fault({ name: "error-500", match: /19700101_000010_NF.mp4/ });
    await bench.sync();
    expect(bench.told("INFO").join()).toMatch(/Not compared yet: 1\srecording/);
    bench.simulator.clearFaults();
    await bench.sync();
    expect(await contentOf(bench, UNSET.replace(".mp4", ".2.mp4"))).toEqual(await onCard(bench, UNSET));
  });
});

describe("in the service, a name that was given again", () => {
  const KEY = "19700101_000010_N";
  const SETTINGS = { retention: { keep: "" }, sync: { grouping: "none" } } as const;

  async function withNamesake(): Promise<RunningApp> {
    const running = await startApp({ card: cardOf([UNSET, LATER], 100_000), settings: SETTINGS });
    await run(running, "manual");
    recordAnew(running.simulator, UNSET, 120_000);
    running.simulator.card.record(LATEST);
    await run(running, "manual");
    return running;
  }

  async function counts({ client }: RunningApp): Promise<Partial<Overview>> {
    const { chosen, home, waiting } = (await (await client.fetch("/api/overview")).json()) as Overview;
    return { chosen, home, waiting };
  }

  test("counts as waiting until it is known whether it is the one at home", async () => {
    await using running = await startApp({ card: cardOf([UNSET, LATER], 100_000), settings: SETTINGS });
    await run(running, "manual");
    running.simulator.card.record(LATEST);
    running.simulator.fault({ name: "error-500", match: /19700101_000010_NF.mp4/ });
    await run(running, "manual");
    expect(await counts(running)).toEqual({ chosen: 3, home: 2, waiting: 1 });
    running.simulator.clearFaults();
    await run(running, "manual");
    expect(await counts(running)).toEqual({ chosen: 3, home: 3, waiting: 0 });
  });

  test("has its own place in the viewer, its own files, marks and trash", async () => {
    await using running = await withNamesake();
    const { client, destination } = running;
    const answer = await client.fetch("/api/viewer/recordings?date=1970-01-01");
    const { days } = (await answer.json()) as {
      days: { recordings: { number?: number; videos: Record<string, string> }[] }[];
    };
    expect(days[0]?.recordings.map(({ number = 1, videos }) => [number, videos["F"]])).toEqual([
      [2, `/media/${KEY}F.2.mp4`],
      [1, `/media/${UNSET}`],
    ]);
    expect((await client.fetch(`/media/${UNSET.replace(".mp4", ".2.mp4")}`)).headers.get("content-length")).toBe(
      "120000",
    );
    const page = await (await client.fetch(`/viewer?key=${KEY}.2`)).text();
    expect(page).toContain(`<video`);
    expect(page).toContain(`/media/${KEY}F.2.mp4`);
    expect((await client.fetch(`/api/trash/${KEY}.2/thumbnail`)).status).toBe(404);
    expect((await send(running, "PUT", `/api/recordings/${KEY}.2/keep`, { note: "mine" })).status).toBe(200);
    expect((await send(running, "DELETE", `/api/recordings/${KEY}.2`)).status).toBe(409);
    expect((await send(running, "DELETE", `/api/recordings/${KEY}`)).status).toBe(200);
    expect([existsSync(join(destination, UNSET)), existsSync(join(destination, `${KEY}.2.gps`))]).toEqual([
      false,
      true,
    ]);
    await send(running, "DELETE", `/api/recordings/${KEY}.2/keep`);
    await send(running, "DELETE", `/api/recordings/${KEY}.2`);
    expect((await send(running, "POST", "/api/trash/restore", { keys: [KEY] })).body).toMatchObject({
      restored: 1,
      failed: [],
    });
    expect([existsSync(join(destination, UNSET)), existsSync(join(destination, `${KEY}.2.gps`))]).toEqual([
      true,
      false,
    ]);
    expect((await send(running, "DELETE", "/api/trash", { keys: [`${KEY}.2`] })).body).toMatchObject({
      deleted: 1,
    });
  });

  test("that was deleted here does not come again with another list", async () => {
    await using running = await withNamesake();
    await send(running, "DELETE", `/api/recordings/${KEY}.2`);
    running.simulator.card.record("20260607_101900_NF.mp4");
    await run(running, "manual");
    expect(existsSync(join(running.destination, UNSET.replace(".mp4", ".2.mp4")))).toBe(false);
    expect(existsSync(join(running.destination, UNSET.replace(".mp4", ".3.mp4")))).toBe(false);
    // And what takes its place on the card does.
    recordAnew(running.simulator, UNSET, 140_000);
    running.simulator.card.record("20260607_102000_NF.mp4");
    await run(running, "manual");
    expect(existsSync(join(running.destination, UNSET.replace(".mp4", ".3.mp4")))).toBe(true);
  });

  test("comes also where the first of that name was deleted here, as its length shows", async () => {
    await using running = await startApp({ card: cardOf([UNSET, LATER], 100_000), settings: SETTINGS });
    await run(running, "manual");
    // With another list its length is learned.
    running.simulator.card.record(LATEST);
    await run(running, "manual");
    await send(running, "DELETE", `/api/recordings/${KEY}`);
    running.simulator.card.record("20260607_101900_NF.mp4");
    await run(running, "manual");
    expect(existsSync(join(running.destination, UNSET))).toBe(false);
    recordAnew(running.simulator, UNSET, 140_000);
    running.simulator.card.record("20260607_102000_NF.mp4");
    await run(running, "manual");
    expect(readFileSync(join(running.destination, UNSET.replace(".mp4", ".2.mp4"))).length).toBe(140_000);
    expect(existsSync(join(running.destination, UNSET))).toBe(false);
  });

  test("is known as brought by this service after a restart", async () => {
    await using running = await withNamesake();
    await running.stop();
    const connection = { address: running.simulator.address };
    await using again = await startApp({ folder: running.folder, settings: { ...SETTINGS, connection } });
    await again.app.library.refresh();
    await again.app.retention.consent?.noteLibrary();
    expect(again.app.retention.consent?.isAwaited).toBe(false);
    expect(await counts(again)).toEqual({ chosen: 3, home: 3, waiting: 0 });
  });

  test("is looked for where older names came again beside the newest", async () => {
    await using running = await startApp({
      card: cardOf(["20250101_000010_NF.mp4", DATED, LATER], 100_000),
      settings: SETTINGS,
    });
    await run(running, "manual");
    running.simulator.card.overwrite("20250101_000010_NF.mp4");
    await run(running, "manual");
    // The clock went back to where it began once before.
    running.simulator.card.record("20250101_000010_NF.mp4");
    recordAnew(running.simulator, "20250101_000010_NF.mp4", 110_000);
    await run(running, "manual");
    expect(readFileSync(join(running.destination, "20250101_000010_NF.2.mp4")).length).toBe(110_000);
    expect(existsSync(join(running.destination, DATED.replace(".mp4", ".2.mp4")))).toBe(false);
  });
});
