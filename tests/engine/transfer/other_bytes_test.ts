import { describe, expect, test } from "bun:test";
import { syntheticVideo } from "../../../server/dashcam/simulator/simulated_video.ts";
import { onBothInterfaces, requestFor } from "../../support/app/interfaces.ts";
import { SyncBench, VIDEOS } from "../../support/app/sync.ts";
import { expectNextBringsAll } from "../../support/camera/brought_home.ts";
import { leaveAt, VICTIM, victimOf } from "../../support/camera/leaving_camera.ts";

const MB = 1_000_000;

/** Bytes that are of no video. */
function noise(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => (at * 7919 + (at >> 7)) % 251);
}

onBothInterfaces((generation) => {
  describe("a card that was formatted, on which the name has come again", () => {
    const lengths = [
      { what: "as long as before", isAsLong: true, size: (before: number) => before },
      { what: "longer", isAsLong: false, size: (before: number) => before + 300_000 },
      { what: "shorter than what came of the first", isAsLong: false, size: () => 90_000 },
    ];
    const rows = [
      { partial: MB, before: 2 * MB },
      { partial: 400_000, before: 900_000 },
      { partial: 100_000, before: 900_000 },
    ].flatMap((row) => [false, true].flatMap((validators) => lengths.map((each) => ({ ...row, ...each, validators }))));
    // Nothing of a small partial is asked again: only the length or a validator could tell.
    const told = rows.filter(({ partial, validators, isAsLong }) => partial > 100_000 || validators || !isAsLong);
    test.each(told)(
      "is not continued behind $partial bytes of the first, validators $validators, when it is $what",
      async ({ partial, before, validators, size }) => {
        await using bench = await SyncBench.open({ generation, card: victimOf(before), validators });
        await leaveAt(bench, VICTIM, partial);
        bench.card.add(VICTIM, syntheticVideo("after the card was formatted", size(before), 60));
        await expectNextBringsAll(bench);
      },
    );

    test.each([MB, 400_000])("is not continued behind %p bytes of which nothing was noted", async (partial) => {
      await using bench = await SyncBench.open({ generation, card: victimOf(2 * MB) });
      const other = syntheticVideo("before the card was formatted", 2 * MB, 60);
      bench.put(`.${VICTIM}`, await other.read(0, partial));
      await expectNextBringsAll(bench);
    });

    test("keeps what came of the second when that breaks off, and what is noted of it is its own", async () => {
      await using bench = await SyncBench.open({ generation, card: victimOf(MB), validators: true });
      await leaveAt(bench, VICTIM, 100_000);
      bench.card.add(VICTIM, syntheticVideo("after the card was formatted", MB, 60));
      await leaveAt(bench, VICTIM, 60_000, { passes: 1 });
      const before = bench.simulator.requests.length;
      await expectNextBringsAll(bench);
      expect(bench.rangesOf(VICTIM, before)).toEqual(["bytes=60000-"]);
    });

    test("does not lend its validators to bytes of the first when nothing comes of it", async () => {
      await using bench = await SyncBench.open({ generation, card: victimOf(MB), validators: true });
      await leaveAt(bench, VICTIM, 100_000);
      bench.card.add(VICTIM, syntheticVideo("after the card was formatted", MB, 60));
      // The answer to the request for the whole breaks before its first byte.
      bench.simulator.fault({ name: "cut-short", match: requestFor(VICTIM), after: 0 });
      await bench.sync();
      bench.simulator.clearFaults();
      expect((await bench.home()).whole).not.toContain(VICTIM);
      await expectNextBringsAll(bench);
    });
  });

  describe("a partial that holds foreign bytes", () => {
    const video = (bytes: number) => syntheticVideo("of another recording", 2 * MB, 60).read(0, bytes);
    const rows: { what: string; bytes: Uint8Array | Promise<Uint8Array> | Uint8Array }[] = [
      { what: "noise of 500 kB", bytes: noise(500_000) },
      { what: "noise of 100 kB", bytes: noise(100_000) },
      { what: "a few bytes of noise", bytes: noise(5) },
      { what: "noise as long as the file", bytes: noise(900_000) },
      { what: "noise longer than the file", bytes: noise(950_000) },
      { what: "zeros of 100 kB", bytes: new Uint8Array(100_000) },
      { what: "zeros of 500 kB", bytes: new Uint8Array(500_000) },
      { what: "text of 100 kB", bytes: new TextEncoder().encode("Access denied\n".repeat(7000)) },
      { what: "500 kB of another video", bytes: video(500_000) },
      { what: "100 kB of another video", bytes: video(100_000) },
    ];
    for (const size of [900_000, 1_200_000])
      test.each(rows)(`is begun anew for a file of ${size} bytes: $what`, async ({ bytes }) => {
        await using bench = await SyncBench.open({ generation, card: victimOf(size) });
        bench.put(`.${VICTIM}`, await bytes);
        await expectNextBringsAll(bench);
      });

    test("of a small file is begun anew when it is as long as that", async () => {
      await using bench = await SyncBench.open({ generation });
      bench.put(`.${VICTIM}`, noise(200_000));
      await expectNextBringsAll(bench);
    });
  });

  test("a short partial that ends in zeros, as a power cut leaves it, is not continued", async () => {
    await using bench = await SyncBench.open({ generation });
    const content = await bench.card.bytes(VIDEOS[0]);
    const torn = new Uint8Array(120_000);
    torn.set(content.subarray(0, 60_000));
    bench.put(`.${VIDEOS[0]}`, torn);
    expect((await bench.sync()).failure).toBeNull();
    expect((await bench.home()).whole).toEqual(bench.offered());
    expect(bench.rangesOf(VIDEOS[0])).toEqual([null]);
  });
});
