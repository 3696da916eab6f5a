import { expect, test } from "bun:test";
import { mkdirSync, rmSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { CardFile } from "../../../server/dashcam/simulator/simulated_video.ts";
import { startApp } from "../../support/app/app.ts";
import { inTrash, put, run, send } from "../../support/app/held.ts";
import { onBothInterfaces } from "../../support/app/interfaces.ts";
import { cardOf, listTree, SyncBench } from "../../support/app/sync.ts";

const [FIRST, SECOND, THIRD] = ["20260607_101500_NF.mp4", "20260607_101600_NF.mp4", "20260607_101700_NF.mp4"] as const;
const PICTURE = "20260607_101500_NF.thm";
/** A file of which nothing but the end could have come already. */

onBothInterfaces((generation) => {
  const openCard = (size = 20_000) => cardOf([FIRST, SECOND, THIRD], size);

  /** Does something when the camera has been asked for the last bytes of a file, and before it sends them. */
  function onLast(card: ReturnType<typeof cardOf>, name: string, act: () => void | Promise<void>): void {
    const file = card.files.get(name);
    if (file === undefined) throw new Error(`${name} is not on the card`);
    let isDone = false;
    const read: CardFile["read"] = async (start, end) => {
      if (end === file.size && !isDone) {
        isDone = true;
        await act();
      }
      return file.read(start, end);
    };
    card.add(name, { size: file.size, read });
  }

  test("a clip that is deleted while its thumbnail is asked for once more stays deleted, and the others come", async () => {
    const card = openCard();
    const settings = { retention: { keep: "" }, sync: { metadata_first: true } };
    await using running = await startApp({ card, generation, settings });
    // An earlier run has left it: it came ahead, and its video did not come any more.
    put(running, [PICTURE]);
    onLast(card, PICTURE, async () => {
      const { status } = await send(running, "DELETE", `/api/recordings/${FIRST.slice(0, 17)}`);
      expect(status).toBe(200);
    });
    await run(running, "manual");
    expect(running.app.history.latest()).toMatchObject({ success: true, failures: { unknown: 0 } });
    const files = listTree(running.destination).filter((path) => !path.startsWith(".dashdock"));
    expect(files.filter((path) => path.includes("101500"))).toEqual([]);
    expect(files.filter((path) => path.endsWith(".mp4"))).toEqual([SECOND, THIRD]);
    expect(inTrash(running)).toEqual([FIRST]);
  });

  /** Does something in the middle of the first video's body, whose other bytes come at once then. */
  function inBody(bench: SyncBench, act: () => void): void {
    const { simulator } = bench;
    simulator.rate = 400_000;
    void bench
      .until(({ current_file }) => current_file?.filename === FIRST && (current_file.downloaded_bytes ?? 0) > 0)
      .then(() => {
        act();
        simulator.rate = null;
      });
  }

  test("a half-finished video that another program removes comes with the next run, and the others now", async () => {
    await using bench = await SyncBench.open({ generation, card: openCard(200_000) });
    inBody(bench, () => unlinkSync(join(bench.destination, `.${FIRST}`)));
    const result = await bench.sync();
    expect([result.failure, result.counts.failed]).toEqual([null, 1]);
    expect(bench.told("WARNING")).toEqual([
      `Failed ${FIRST}: ${FIRST} was removed while it was written; it is fetched again with the next run`,
    ]);
    expect((await bench.home()).whole).toEqual(bench.offered().filter((name) => name !== FIRST));
    expect((await bench.sync()).failure).toBeNull();
    expect((await bench.home()).whole).toEqual(bench.offered());
  });

  test("an empty folder in place of the destination is no destination: it is said to have left", async () => {
    await using bench = await SyncBench.open({ generation, card: openCard(200_000) });
    inBody(bench, () => {
      rmSync(bench.destination, { recursive: true });
      mkdirSync(bench.destination);
    });
    const { failure } = await bench.sync();
    expect(failure?.message).toBe("the recordings folder was taken away while it was in use; is its disk mounted?");
  });
});
