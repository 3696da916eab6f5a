import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { syntheticVideo } from "../../../server/dashcam/simulator/simulated_video.ts";
import { GENERATIONS } from "../../../server/dashcam/spoken_interface.ts";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { PartialRecords } from "../../../server/store/destination/partial_records.ts";
import { LIST_REQUEST, onBothInterfaces } from "../../support/app/interfaces.ts";
import { cardOf, FILES_OF, SyncBench, VIDEOS } from "../../support/app/sync.ts";
import { asPlainUser } from "../../support/disk/disks.ts";

const DAY = 24 * 3600 * 1000;
/** An event of which nine tenths are here, left by a run three days ago. */
const EVENT = "20260604_080000_EF.mp4";
const SIZE = 100_000;

onBothInterfaces((generation) => {
  async function withEvent(): Promise<SyncBench> {
    const bench = await SyncBench.open({ generation, card: cardOf([EVENT, ...VIDEOS], SIZE) });
    await bench.putPartial(EVENT, 90_000);
    const then = new Date(Date.now() - 3 * DAY);
    utimesSync(join(bench.destination, `.${EVENT}`), then, then);
    return bench;
  }

  describe("a partial that may be the only copy", () => {
    /** Answers of the camera in place of its own list. */
    const lists: { what: string; spoil: (bench: SyncBench) => Promise<void> | void }[] = [
      {
        what: "the list is cut, at the end of a line where it has lines",
        async spoil(bench) {
          const list = await (await fetch(bench.simulator.url + GENERATIONS[generation].listPath)).text();
          const lines = list.split("\r\n", 2).join("\r\n");
          const after = Math.min(lines.length + 2, list.length - 20);
          bench.simulator.fault({ name: "no-length-cut", match: LIST_REQUEST, after });
          bench.card.remove(EVENT);
        },
      },
      { what: "the list is empty", spoil: (bench) => void bench.simulator.fault("list-empty") },
      { what: "the list is a web page", spoil: (bench) => void bench.simulator.fault("list-html") },
      { what: "the camera has overwritten the recording", spoil: (bench) => bench.card.overwrite(EVENT) },
      {
        what: "another camera answers",
        spoil(bench) {
          for (const name of bench.offered()) bench.card.remove(name);
          bench.card.record("20250101_120000_NF.mp4");
        },
      },
    ];

    test.each(lists)("is kept, however old it is, when $what", async ({ spoil }) => {
      await using bench = await withEvent();
      const content = await bench.card.bytes(EVENT);
      await spoil(bench);
      // A run that deletes, and keeps what is as old as this.
      await bench.sync({ deletes: true, cutoff: "2026-06-01" });
      const here = await Bun.file(join(bench.destination, `.${EVENT}`)).bytes();
      expect(Buffer.compare(here, content.subarray(0, here.length))).toBe(0);
      expect(here.length).toBeGreaterThanOrEqual(90_000);

      // Once the camera has it again, only the rest is asked for.
      bench.simulator.clearFaults();
      for (const name of [EVENT, ...VIDEOS]) bench.card.record(name);
      const before = bench.simulator.requests.length;
      expect((await bench.sync()).failure).toBeNull();
      expect((await bench.home()).wrong).toEqual([]);
      expect((await bench.home()).whole).toContain(EVENT);
      expect(bench.rangesOf(EVENT, before)).toEqual([`bytes=${here.length}-`]);
    });

    test("goes when its recording is complete at home, with what was noted of it", async () => {
      await using bench = await withEvent();
      const records = new PartialRecords(bench.destination);
      records.write(EVENT, { etag: null, lastModified: null, total: SIZE, unfinished: null });
      bench.put(`2026-06-04/${EVENT}`, await bench.card.bytes(EVENT));
      expect((await bench.sync()).failure).toBeNull();
      expect(bench.tree()).not.toContain(`.${EVENT}`);
      expect(records.names()).toEqual([]);
      expect(bench.asked()).not.toContain(EVENT);
    });

    test("stays when another recording of that name is at home", async () => {
      await using bench = await withEvent();
      bench.put(`2026-06-04/${EVENT}`, await syntheticVideo("another", SIZE, 60).read(0, SIZE));
      expect((await bench.sync()).failure).toBeNull();
      expect((await bench.home()).partials).toEqual({ [EVENT]: 90_000 });
    });

    test("goes by retention's age, and only in a run that deletes", async () => {
      await using bench = await withEvent();
      bench.card.overwrite(EVENT);
      await bench.sync({ cutoff: "2026-06-05" });
      expect((await bench.home()).partials).toEqual({ [EVENT]: 90_000 });
      await bench.sync({ cutoff: "2026-06-05", deletes: true });
      expect((await bench.home()).partials).toEqual({});
    });
  });

  describe("what lies where an old partial was does not keep the run from going through", () => {
    const OLD = "20250101_120000_NF.mp4";
    const rows: { what: string; put: (path: string) => void }[] = [
      { what: "a folder", put: (path) => void mkdirSync(path) },
      {
        what: "a folder with something in it",
        put: (path) => void mkdirSync(join(path, "inside"), { recursive: true }),
      },
      { what: "a link to nothing", put: (path) => symlinkSync("nowhere", path) },
      { what: "a link to another file", put: (path) => symlinkSync(".keep", path) },
    ];
    test.each(rows)("$what", async ({ put }) => {
      await using bench = await SyncBench.open({ generation });
      bench.put(".keep", "mine");
      put(join(bench.destination, `.${OLD}`));
      const { failure, fileFailures } = await bench.sync({ deletes: true, cutoff: "2026-01-01" });
      expect(failure).toBeNull();
      expect(fileFailures).toEqual(noFailures());
      expect(bench.tree()).toEqual(expect.arrayContaining(bench.offered()));
      expect(await Bun.file(join(bench.destination, ".keep")).text()).toBe("mine");
    });

    test.skipIf(process.getuid?.() !== 0)(
      "a partial of another user in a folder where only owners delete",
      async () => {
        await using bench = await SyncBench.open({ generation });
        bench.put(`.${OLD}`, "of another user");
        chmodSync(dirname(bench.destination), 0o755);
        chmodSync(bench.destination, 0o1777);
        const own = join(dirname(bench.destination), "own");
        mkdirSync(own);
        await asPlainUser(own, async () => {
          const { failure, fileFailures } = await bench.sync({ deletes: true, cutoff: "2026-01-01" });
          expect(failure).toBeNull();
          expect(fileFailures).toEqual(noFailures());
        });
        expect(bench.tree()).toEqual(expect.arrayContaining([...bench.offered(), `.${OLD}`]));
        expect(bench.told("WARNING")).toEqual([
          expect.stringMatching(/^Cannot remove the unfinished 20250101_120000_NF/),
        ]);
      },
    );
  });

  test("a note without its partial goes", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.put(".keep", "");
    const records = new PartialRecords(bench.destination);
    records.write(EVENT, { etag: null, lastModified: null, total: SIZE, unfinished: null });
    await bench.sync();
    expect(records.names()).toEqual([]);
  });

  describe("a failure marker", () => {
    const marker = `${EVENT}.failed`;
    const failedNow = () => new Date().toISOString();

    test.each(["", "2026-06-04/", "2026-06/", "2026/"])(
      "goes when the camera lists its recording no more (%p)",
      async (folder) => {
        await using bench = await SyncBench.open({ generation });
        bench.put(folder + marker, failedNow());
        const other = `${folder}${VIDEOS[0]}.failed`;
        bench.put(other, failedNow());
        const { counts } = await bench.sync();
        expect((await bench.home()).markers).toEqual([other]);
        expect(counts.blocked).toBe(1);
      },
    );

    test("goes when the camera speaks an interface by now that does not have such files", async () => {
      const stem = "20260607_101500_N";
      const put = (bench: SyncBench) => {
        for (const name of [`${stem}F.mp4`, `${stem}F.thm`, `${stem}.3gf`]) bench.put(`${name}.failed`, failedNow());
      };
      for (const [generation, blocked] of [
        ["legacy", 3],
        ["v1009", 2],
      ] as const) {
        await using bench = await SyncBench.open({ generation });
        put(bench);
        const { counts } = await bench.sync();
        expect([generation, counts.blocked, (await bench.home()).markers.length]).toEqual([
          generation,
          blocked,
          blocked,
        ]);
      }
    });

    test("stays in a folder of one's own", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.put(`holiday/${marker}`, failedNow());
      await bench.sync();
      expect((await bench.home()).markers).toEqual([`holiday/${marker}`]);
    });

    test.each(["list-cut", "list-empty", "list-traversal", "list-html", "list-500"] as const)(
      "stays when the list cannot be believed: %s",
      async (fault) => {
        await using bench = await SyncBench.open({ generation });
        bench.put(marker, failedNow());
        bench.simulator.fault(fault);
        await bench.sync();
        expect((await bench.home()).markers).toContain(marker);
      },
    );

    test("stays in a dry run, which honours it", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.put(marker, failedNow());
      bench.put(`${VIDEOS[0]}.failed`, failedNow());
      const { counts } = await bench.sync({ dryRun: true });
      expect(counts).toMatchObject({ blocked: 1, completed: FILES_OF[generation] - 1 });
      expect((await bench.home()).markers).toEqual([marker, `${VIDEOS[0]}.failed`]);
    });
  });
});
