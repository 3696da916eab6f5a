import { describe, expect, test } from "bun:test";
import type { CardFile } from "../../../server/dashcam/simulator/simulated_video.ts";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { onBothInterfaces, requestFor, requestsFor } from "../../support/app/interfaces.ts";
import { cardOf, SyncBench } from "../../support/app/sync.ts";
import { expectAllHome, expectNextBringsAll, minutes } from "../../support/camera/brought_home.ts";
import { leaveAt, VICTIM, victimOf } from "../../support/camera/leaving_camera.ts";

const MB = 1_000_000;

onBothInterfaces((generation) => {
  describe("a camera or a router that answers 200 with something else", () => {
    const videos = minutes(30);
    const answers = ["text-200", "json-200", "json-untyped", "html-200", "html-untyped", "xml-200"] as const;

    test.each(answers)("to 25 of 30 videos leaves nothing of them, and no markers (%s)", async (name) => {
      await using bench = await SyncBench.open({ generation, card: cardOf(videos, 5000) });
      for (const video of videos.slice(0, 5)) bench.put(video, await bench.card.bytes(video));
      bench.simulator.fault(name);
      const { failure, run } = await bench.sync();
      expect(failure).toMatchObject({ kind: "trouble", reason: "http" });
      expect(failure?.message).toMatch(/something else came instead of the file/);
      expect(run).toMatchObject({ success: false, exitCode: 2 });
      expect(run.failures.http).toBe(26);
      const home = await bench.home();
      const { wrong, partials, markers } = home;
      expect({ wrong, partials, markers }).toEqual({ wrong: [], partials: {}, markers: [] });
      expect(home.whole.filter((each) => each.endsWith(".mp4"))).toEqual(videos.slice(0, 5));
      bench.simulator.clearFaults();
      expect((await bench.sync()).failure).toBeNull();
      await expectAllHome(bench);
    });

    test.each(["text-200", "html-untyped"] as const)(
      "in the middle of a run leaves nothing, and what came before stays (%s)",
      async (name) => {
        await using bench = await SyncBench.open({ generation, card: cardOf(videos, 5000) });
        bench.simulator.fault({ name, match: /_10(1[5-9]|[23]\d)00_NF\.mp4$/ });
        const { failure, fileFailures } = await bench.sync();
        expect(failure).toBeNull();
        expect(fileFailures).toEqual({ ...noFailures(), http: 25 });
        const { wrong, partials } = await bench.home();
        expect({ wrong, partials }).toEqual({ wrong: [], partials: {} });
        bench.simulator.clearFaults();
        await expectNextBringsAll(bench);
      },
    );

    test.each(answers)("to a request for the rest keeps the partial, and what is known of it (%s)", async (name) => {
      await using bench = await SyncBench.open({ generation, card: victimOf(900_000), validators: true });
      await leaveAt(bench, VICTIM, 700_000);
      const lift = bench.simulator.fault({ name, match: requestFor(VICTIM) });
      expect((await bench.sync()).fileFailures).toEqual({ ...noFailures(), http: 1 });
      expect((await bench.home()).partials).toEqual({ [VICTIM]: 700_000 });
      lift();
      const before = bench.simulator.requests.length;
      await expectNextBringsAll(bench);
      expect(bench.rangesOf(VICTIM, before)).toEqual([`bytes=${700_000 - 65_536}-699999`, "bytes=700000-"]);
    });

    test("of two megabytes leaves nothing, though a long body is not held back", async () => {
      await using bench = await SyncBench.open({ generation, card: victimOf(2 * MB) });
      const video = bench.card.files.get(VICTIM) as CardFile;
      bench.card.add(VICTIM, new TextEncoder().encode("<!DOCTYPE html>".padEnd(2 * MB)));
      expect((await bench.sync()).fileFailures).toEqual({ ...noFailures(), http: 1 });
      const { whole, partials } = await bench.home();
      expect(whole).not.toContain(VICTIM);
      expect(partials).toEqual({});
      expect(bench.tree().filter((path) => path.endsWith(".json"))).toEqual([]);
      bench.card.add(VICTIM, video);
      await expectNextBringsAll(bench);
    });

    test("when the head of a video is asked for again does not become its head", async () => {
      await using bench = await SyncBench.open({ generation, card: victimOf(900_000) });
      const video = bench.card.files.get(VICTIM) as CardFile;
      // The camera has not closed the file yet: the index is not written.
      const open = (await bench.card.bytes(VICTIM)).slice(0, 200_000);
      open.fill(0, 30, 140);
      bench.put(`.${VICTIM}`, open);
      const page = new TextEncoder().encode("<!DOCTYPE html><html>".padEnd(900_000));
      let pages = 0;
      bench.card.add(VICTIM, {
        size: 900_000,
        read(start, end) {
          if (start >= 200_000) return video.read(start, end);
          pages++;
          return page.subarray(start, end);
        },
      });
      const { fileFailures } = await bench.sync();
      expect(fileFailures).toEqual({ ...noFailures(), http: 1 });
      expect(pages).toBeGreaterThan(0);
      expect((await bench.home()).whole).not.toContain(VICTIM);
      expect(bench.tree()).not.toContain(VICTIM);
      bench.card.add(VICTIM, video);
      await expectNextBringsAll(bench);
    });
  });

  describe("a companion", () => {
    const [thumbnail, positions, sensor] = [
      "20260607_101500_NF.thm",
      "20260607_101500_N.gps",
      "20260607_101500_N.3gf",
    ] as const;
    const names = [thumbnail, positions, ...(generation === "legacy" ? [sensor] : [])] as const;

    test.each(names)("cut once without a promised length is asked for again: %s", async (name) => {
      const after = name === thumbnail ? 900 : 3005;
      await using bench = await SyncBench.open({ generation });
      bench.simulator.fault({ name: "no-length-cut", match: requestFor(name), after, times: 1 });
      bench.simulator.fault({ name: "no-length", match: requestFor(name) });
      expect((await bench.sync()).failure).toBeNull();
      expect((await bench.home()).wrong).toEqual([]);
      bench.simulator.clearFaults();
      await expectNextBringsAll(bench);
    });

    // Cut JSON is known as such at once: a failure that leaves a marker.
    const failed = generation === "legacy" ? { network: 1 } : { http: 1 };
    test("cut at another place in every answer never becomes final", async () => {
      await using bench = await SyncBench.open({ generation });
      for (let after = 1000; after < 1040; after++)
        bench.simulator.fault({ name: "no-length-cut", match: requestFor(positions), after, times: 1 });
      const { failure, fileFailures } = await bench.sync();
      expect(failure).toBeNull();
      expect(fileFailures).toEqual({ ...noFailures(), ...failed });
      expect(await bench.home()).toEqual({
        whole: bench.offered().filter((name) => name !== positions),
        wrong: [],
        partials: {},
        markers: generation === "legacy" ? [] : [`${positions}.failed`],
      });
      bench.simulator.clearFaults();
      await expectNextBringsAll(bench);
    });

    // With the newer interface other JSON may say that there is none, which is no failure.
    const json = generation === "legacy" ? (["json-200", "json-untyped"] as const) : [];
    const faults = ["html-200", "html-untyped", "xml-200", "unasked-206", ...json] as const;
    const rows = faults.flatMap((fault) => names.map((name) => ({ fault, name })));
    test.each(rows)("that is answered with $fault is not kept: $name", async ({ fault, name }) => {
      await using bench = await SyncBench.open({ generation });
      bench.simulator.fault({ name: fault, match: requestFor(name) });
      const { failure, fileFailures } = await bench.sync();
      expect(failure).toBeNull();
      expect(fileFailures).toEqual({ ...noFailures(), http: 1 });
      const { whole, wrong, partials } = await bench.home();
      expect(whole).toEqual(bench.offered().filter((each) => each !== name));
      expect({ wrong, partials }).toEqual({ wrong: [], partials: {} });
      bench.simulator.clearFaults();
      await expectNextBringsAll(bench);
    });
  });

  test("an answer with a range that was not asked for is believed when it says that it is the whole", async () => {
    await using bench = await SyncBench.open({ generation });
    bench.simulator.fault({ name: "unasked-206", match: requestsFor("mp4"), value: "with-range" });
    await expectNextBringsAll(bench);
  });
});
