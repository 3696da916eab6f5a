import { describe, expect, test } from "bun:test";
import { momentKey, momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { type AtHome, planSync } from "../../../server/domain/sync/download_plan.ts";
import { DownloadQueue, type QueueOptions } from "../../../server/domain/sync/download_queue.ts";
import { EVERYTHING, NOWHERE } from "../../support/camera/plans.ts";

/** Four moments, the first and the last with two cameras; the last may still be being recorded. */
const LISTED = [
  "20260607_101500_NF.mp4",
  "20260607_101500_NR.mp4",
  "20260607_101600_NF.mp4",
  "20260607_101700_EF.mp4",
  "20260607_101800_NF.mp4",
  "20260607_101800_NR.mp4",
];
const MINUTE_MS = 60_000;
const key = (minute: number, type = "N") => `20260607_101${minute}00_${type}`;

function queueFor(
  names: readonly string[],
  options: Partial<QueueOptions> = {},
  home: Partial<AtHome> = {},
): DownloadQueue {
  const listed = names.map((name) => ({ name, size: null }));
  const { files } = planSync(listed, { ...NOWHERE, ...home }, EVERYTHING);
  return new DownloadQueue(files, { metadataFirst: true, first: [], order: EVERYTHING, ...options });
}

function queueOf(options: Partial<QueueOptions> = {}, has: (name: string) => boolean = () => false): DownloadQueue {
  return queueFor(LISTED, options, { has: (moment, ending) => has(momentKey(moment) + ending) });
}

/** Takes the next file, as `moment.kind` with a star when it is ahead of its video. */
function take(queue: DownloadQueue, elapsedMs = 0): string | null {
  const next = queue.next(elapsedMs);
  if (next === null) return null;
  const name = next.file.names[0].slice(9);
  return next.isAhead ? `${name}*` : name;
}

function takeAll(queue: DownloadQueue): string[] {
  const taken: string[] = [];
  for (let name = take(queue); name !== null; name = take(queue)) taken.push(name);
  return taken;
}

const keys = (moments: readonly number[]) => moments.map(momentKey);
const VIDEOS = ["101500_NF.mp4", "101500_NR.mp4", "101600_NF.mp4", "101700_EF.mp4", "101800_NF.mp4", "101800_NR.mp4"];

describe("the queue of a run", () => {
  test("brings thumbnails and GPS of the newest first, then videos in their order with what is left beside them", () => {
    expect(takeAll(queueOf())).toEqual([
      ...["101700_EF.thm*", "101700_E.gps*", "101600_NF.thm*", "101600_N.gps*"],
      ...["101500_NF.thm*", "101500_N.gps*", "101500_NR.thm*"],
      ...["101500_NF.mp4", "101500_N.3gf", "101500_NR.mp4", "101600_NF.mp4", "101600_N.3gf"],
      ...["101700_EF.mp4", "101700_E.3gf"],
      // It may still be being recorded: nothing of it comes before its video.
      ...["101800_NF.mp4", "101800_NF.thm", "101800_N.3gf", "101800_N.gps"],
      ...["101800_NR.mp4", "101800_NR.thm"],
    ]);
  });

  test("brings nothing ahead when that is not wanted, and nothing of what has its video at home", () => {
    const plain = takeAll(queueOf({ metadataFirst: false }));
    expect(plain.filter((name) => name.endsWith("*"))).toEqual([]);
    expect(plain).toHaveLength(20);
    expect(plain.slice(0, 4)).toEqual(["101500_NF.mp4", "101500_NF.thm", "101500_N.3gf", "101500_N.gps"]);
    const rest = takeAll(queueOf({}, (name) => name === "20260607_101700_EF.mp4"));
    expect(rest.filter((name) => name.startsWith("101700"))).toEqual(["101700_EF.thm", "101700_E.3gf", "101700_E.gps"]);
    expect(rest.slice(-3)).toEqual(["101700_EF.thm", "101700_E.3gf", "101700_E.gps"]);
  });

  test("takes a tenth of the visit for what comes ahead, and the rest between the videos or with its own", () => {
    const queue = queueOf();
    // Four moments are counted on to take four minutes.
    const seen = [take(queue)];
    queue.tookAhead(0.4 * MINUTE_MS);
    seen.push(take(queue));
    queue.tookAhead(0.1);
    // 101600's are ahead still, and the budget is used up.
    seen.push(take(queue), take(queue), take(queue));
    expect(seen).toEqual(["101700_EF.thm*", "101700_E.gps*", "101500_NF.mp4", "101500_NF.thm", "101500_N.3gf"]);
    // Its own GPS comes with it; after it there is time again.
    expect([take(queue), take(queue, 10 * MINUTE_MS)]).toEqual(["101500_N.gps", "101600_NF.thm*"]);
    queue.tookAhead(MINUTE_MS);
    expect(take(queue, 10 * MINUTE_MS)).toBe("101500_NR.mp4");
    expect(takeAll(queue).filter((name) => name.endsWith("*"))).toEqual([]);
  });

  test("counts on no visit longer than an hour", () => {
    const day = Array.from({ length: 100 }, (_, at) => `20260608_${String(100_000 + at)}_NF.mp4`);
    const listed = day.filter((name) => Number(name.slice(13, 15)) < 60);
    const queue = queueFor(listed);
    queue.tookAhead(6 * MINUTE_MS);
    expect(take(queue)).toEndWith("*");
    queue.tookAhead(1);
    expect(take(queue)).toEndWith(".mp4");
  });

  test("gives what could not be had ahead its place behind its video, and behind all when that has come", () => {
    const queue = queueOf();
    const next = queue.next(0);
    if (next) queue.giveBack(next);
    queue.stopAhead();
    const taken = takeAll(queue);
    expect(taken.filter((name) => name.startsWith("101700"))).toEqual([
      ...["101700_EF.mp4", "101700_EF.thm", "101700_E.3gf", "101700_E.gps"],
    ]);
    if (next) queue.giveBack(next);
    expect(takeAll(queue)).toEqual(["101700_EF.thm"]);
  });

  test("gives it back to its recording wherever that stands by now, also while it comes", () => {
    const queue = queueOf();
    const next = queue.next(0);
    queue.stopAhead();
    queue.prioritize([momentNumber(key(7, "E"))]);
    if (next) queue.giveBack(next);
    expect(take(queue)).toBe("101700_EF.mp4");
    const companion = queue.next(0);
    if (companion) queue.giveBack(companion);
    expect([next, companion].map((one) => one?.file.names[0])).toEqual([
      "20260607_101700_EF.thm",
      "20260607_101700_EF.thm",
    ]);
    const rest = takeAll(queue);
    expect(rest.slice(0, 3)).toEqual(["101700_EF.thm", "101700_E.3gf", "101700_E.gps"]);
    expect(rest.filter((name) => name.startsWith("101700"))).toHaveLength(3);
  });

  test("moves what is asked for to the front, in the order asked for, but not before what comes now", () => {
    const queue = queueOf({ metadataFirst: false });
    expect(take(queue)).toBe("101500_NF.mp4");
    const before = queue.revision;
    queue.prioritize([momentNumber(key(8)), momentNumber(key(6))]);
    expect(queue.revision).not.toBe(before);
    expect(keys(queue.moments())).toEqual([key(5), key(8), key(6), key(7, "E")]);
    expect(takeAll(queue).filter((name) => name.endsWith(".mp4"))).toEqual([
      ...["101800_NF.mp4", "101800_NR.mp4", "101600_NF.mp4", "101500_NR.mp4", "101700_EF.mp4"],
    ]);
    expect(queue.moments()).toEqual([]);
  });

  test("begins with what was asked for before the run, its thumbnails and GPS too", () => {
    const queue = queueOf({ first: [momentNumber(key(6))] });
    expect(keys(queue.moments())).toEqual([key(6), key(5), key(7, "E"), key(8)]);
    expect([take(queue), take(queue), take(queue)]).toEqual(["101600_NF.thm*", "101600_N.gps*", "101700_EF.thm*"]);
    expect(takeAll(queue).find((name) => name.endsWith(".mp4"))).toBe("101600_NF.mp4");
  });

  test("lets nothing of others come ahead of what is asked for while it goes on", () => {
    const queue = queueOf();
    expect(take(queue)).toBe("101700_EF.thm*");
    queue.prioritize([momentNumber(key(5))]);
    const taken = [take(queue), take(queue), take(queue), take(queue), take(queue), take(queue), take(queue)];
    expect(taken).toEqual([
      ...["101500_NF.mp4", "101500_NF.thm", "101500_N.3gf", "101500_N.gps", "101500_NR.mp4", "101500_NR.thm"],
      "101700_E.gps*",
    ]);
  });

  test("asks for every planned file once, whatever is asked for in between", () => {
    const queue = queueOf();
    const taken: string[] = [];
    for (let at = 0; ; at++) {
      if (at % 3 === 0) queue.prioritize([momentNumber(key(5 + (at % 4)))]);
      queue.tookAhead(at * 1000);
      const name = take(queue, at * 5000);
      if (name === null) break;
      taken.push(name.replace("*", ""));
    }
    expect(taken.toSorted()).toEqual(takeAll(queueOf({ metadataFirst: false })).toSorted());
    expect(taken.filter((name) => name.endsWith(".mp4")).toSorted()).toEqual(VIDEOS);
  });

  test("tells another number whenever what is still to come, or its order, is another", () => {
    const queue = queueOf({ metadataFirst: false });
    const seen = new Map<number, string>();
    for (;;) {
      const moments = keys(queue.moments()).join();
      expect(seen.get(queue.revision) ?? moments).toBe(moments);
      seen.set(queue.revision, moments);
      if (take(queue) === null) break;
    }
    expect(seen.size).toBeGreaterThan(4);
  });
});
