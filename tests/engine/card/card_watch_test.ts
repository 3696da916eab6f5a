import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { CardRecord } from "../../../server/domain/card/card_record.ts";
import { momentKey } from "../../../server/domain/recordings/moment_number.ts";
import { nameOf } from "../../../server/domain/recordings/recording_name.ts";
import { CardHistoryFile } from "../../../server/store/config/card_history_file.ts";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { cardOf } from "../../support/app/sync.ts";

const VIDEOS = ["20260607_101500_EF.mp4", "20260607_101600_NF.mp4", "20260607_101700_NF.mp4", "20260607_101800_PF.mp4"];
const [EVENT = "", FIRST = "", SECOND = "", PARKED = ""] = VIDEOS;

async function sync(running: RunningApp): Promise<void> {
  running.app.job.start("manual");
  await running.synced();
}

async function read({ app, folder }: RunningApp): Promise<CardRecord> {
  const record = await new CardHistoryFile(join(folder, "config", "card-history.txt"), app.log).read();
  if (record === null) throw new Error("it can be read");
  return record;
}

/** By name: what the camera answered, and how many times with an error. */
async function answers(running: RunningApp): Promise<Record<string, string>> {
  const { videos } = await read(running);
  return Object.fromEntries(
    videos.map(({ moment, ending, answer, errors, isOld }) => [
      nameOf(momentKey(moment), ending),
      `${isOld ? "old " : ""}${answer}${errors > 0 ? ` ${errors}` : ""}`,
    ]),
  );
}

function start(videos: readonly string[] = VIDEOS, settings = {}): Promise<RunningApp> {
  return startApp({ card: cardOf(videos), settings: { retention: { keep: "" }, ...settings } });
}

describe("A run remembers of the card", () => {
  test("which videos it has, and what it answered", async () => {
    await using running = await start();
    const { simulator } = running;
    simulator.fault({ name: "empty-204", match: new RegExp(FIRST) });
    const heal = simulator.fault({ name: "error-500", match: new RegExp(SECOND) });
    await sync(running);
    // The event is older than all that a camera overwrites first.
    expect(await answers(running)).toEqual({
      [EVENT]: "old whole",
      [FIRST]: "empty",
      [SECOND]: "error 1",
      [PARKED]: "whole",
    });
    heal();
    await running.client.open("/");
    await running.client.send("POST", "/api/sync/retry", { all: true });
    await running.synced();
    expect(await answers(running)).toMatchObject({ [FIRST]: "empty", [SECOND]: "whole 1" });
  });

  test("nothing twice: a run that sees what was there before writes nothing", async () => {
    await using running = await start();
    running.simulator.fault({ name: "empty-204", match: new RegExp(FIRST) });
    await sync(running);
    const before = await read(running);
    await sync(running);
    expect(await read(running)).toEqual(before);
    expect(before.videos).toHaveLength(4);
  });

  test("what is new on it, also what the rules leave there", async () => {
    await using running = await start(VIDEOS, { sync: { exclude: ["P"] } });
    await sync(running);
    running.simulator.card.record("20260607_102000_NF.mp4");
    running.simulator.card.record("20260607_102100_PF.mp4");
    await sync(running);
    expect(Object.entries(await answers(running)).slice(3)).toEqual([
      [PARKED, "null"],
      ["20260607_102000_NF.mp4", "whole"],
      ["20260607_102100_PF.mp4", "null"],
    ]);
  });

  test("a file that stops in the middle each time as one that cannot be read, and a camera in trouble as none", async () => {
    await using running = await start();
    const { simulator } = running;
    const heal = simulator.fault({ name: "cut-short", match: new RegExp(SECOND), after: 1000 });
    await sync(running);
    expect(await answers(running)).toMatchObject({ [FIRST]: "whole", [SECOND]: "error 1", [PARKED]: "whole" });
    heal();
    for (const minute of [20, 21, 22]) simulator.card.record(`20260607_10${minute}00_NF.mp4`);
    simulator.fault({ name: "error-500" });
    await sync(running);
    const found = await answers(running);
    expect(["20", "21", "22"].map((minute) => found[`20260607_10${minute}00_NF.mp4`])).toEqual([
      "null",
      "null",
      "null",
    ]);
  });

  test("the newest that is empty as nothing: it may have just begun", async () => {
    await using running = await start();
    running.simulator.fault({ name: "empty-204", match: new RegExp(PARKED) });
    await sync(running);
    expect(await answers(running)).toMatchObject({ [PARKED]: "null" });
  });

  test("the rate, by videos that are large enough to tell it", async () => {
    await using running = await startApp({ card: cardOf(VIDEOS, 1_200_000), settings: { retention: { keep: "" } } });
    await sync(running);
    const { rates } = await read(running);
    expect(rates).toHaveLength(1);
    expect(rates[0]?.rate).toBeGreaterThan(1_000_000);
  });
});
