import { describe, expect, test } from "bun:test";
import { openSimulator, type Simulator } from "../../../server/dashcam/simulator/simulator.ts";
import { FAULTS, type FaultName } from "../../../server/dashcam/simulator/simulator_faults.ts";
import { type FailureReason, noFailures } from "../../../server/domain/runs/failure_reason.ts";
import type { FailureKind } from "../../../server/engine/transfer/failure_of_error.ts";
import { FILE_PATHS, LIST_REQUEST, onBothInterfaces, requestFor } from "../../support/app/interfaces.ts";
import { SyncBench, type SyncOverrides, VIDEOS } from "../../support/app/sync.ts";
import { SHORT_WAITING } from "../../support/app/wait_limits.ts";

/** The video that goes wrong: neither the first nor the newest, so that something comes after it. */
const VICTIM = VIDEOS[0];
const SIZE = 200_000;
const AFTER = 120_000;

type FileFault = Exclude<FaultName, `list-${string}` | `metadata-${string}` | "preallocated" | "other-content">;
/** These faults send bytes that are not on the card: other_bytes_test.ts and unfinished_videos_test.ts test them. */
const OTHER_BYTES: ReadonlySet<string> = new Set(["preallocated", "other-content"]);

interface Row {
  after?: number;
  value?: number | string;
  times?: number;
  /** Requests that it strikes; those of the victim when left out, the fault's own default when null. */
  match?: RegExp | null;
  /** Bytes of the victim that an earlier run left. */
  earlier?: number;
  waitLimits?: SyncOverrides;
  /** Failure that ends the run; it goes through when left out. */
  ends?: { kind: FailureKind; reason: FailureReason };
  /** Failed files by reason. */
  failed?: Partial<Record<FailureReason, number>>;
  /** Files that are not home afterwards; all others must be, byte by byte. */
  missing?: readonly string[];
  /** Further missing files with the newer interface. */
  missingNewer?: readonly string[];
  /** The victim's partial in bytes, or the least and the most it may be. */
  partial?: number | readonly [number, number];
  marker?: boolean;
  /** The `Range` headers of the victim's requests, in order. */
  ranges?: readonly (string | null)[];
  /** The next run does not go on from the partial's end: what it is of has changed. */
  anew?: boolean;
  /** Another file than the usual one is the victim. */
  victim?: string;
}

const SEEDED = `bytes=${AFTER}-`;
/** Enough for a busy machine, short enough to wait for. */
const IMPATIENT: SyncOverrides = {
  timeoutMs: 500,
  silenceMs: 500,
  waitLimits: { ...SHORT_WAITING, retryMs: [0, 20] },
};
const away = { kind: "away", reason: "network" } as const;
const ALL_OF_THE_NEWEST = ["20260607_101600_E.3gf", "20260607_101600_E.gps"].concat(
  ["F", "R"].flatMap((direction) => ["mp4", "thm"].map((kind) => `20260607_101600_E${direction}.${kind}`)),
);

/** Companions of the victim's moment; the telemetry is also the rear's. */
const COMPANIONS = [
  "20260607_101500_NF.thm",
  "20260607_101500_N.3gf",
  "20260607_101500_N.gps",
  "20260607_101500_NR.thm",
];

const ROWS: Readonly<Record<FileFault, Row>> = {
  // A damaged sector sometimes reads at the second try: asked twice, failed once.
  "error-500": { failed: { http: 1 }, missing: [VICTIM], marker: true, ranges: [null, null] },
  // Overwritten between list and fetch.
  "not-found": { missing: [VICTIM], ranges: [null] },
  forbidden: { failed: { http: 1 }, missing: [VICTIM], marker: true, ranges: [null] },
  "empty-204": { missing: [VICTIM], ranges: [null] },
  // Each try brings half of what is left, until there is nothing more to halve.
  "cut-short": { after: AFTER, failed: { network: 1 }, missing: [VICTIM], partial: [AFTER, SIZE - 1] },
  reset: { after: AFTER, failed: { network: 1 }, missing: [VICTIM], partial: [AFTER, SIZE - 1] },
  "closed-without-answer": { failed: { network: 1 }, missing: [VICTIM] },
  "reset-without-answer": { failed: { network: 1 }, missing: [VICTIM] },
  "over-long": { ranges: [null] },
  // A length that is too small cannot be seen from the answer, but the boxes of the video show that it goes on.
  "longer-than-promised": { value: 1024, missing: [VICTIM, ...COMPANIONS], partial: SIZE - 1024 },
  // All that there is comes, and a request for more says that there is no more.
  "shorter-than-promised": { value: 1024 },
  stall: { after: AFTER, waitLimits: IMPATIENT, failed: { timeout: 1 }, missing: [VICTIM], partial: [AFTER, SIZE - 1] },
  // Slow is not silent: there is no limit on the whole.
  drip: { after: SIZE - 30, value: 40, waitLimits: IMPATIENT, ranges: [null] },
  // Once in its place, and twice when all others are here.
  "never-answers": { waitLimits: IMPATIENT, failed: { timeout: 1 }, missing: [VICTIM], ranges: [null, null, null] },
  "ignores-range": { earlier: AFTER, ranges: [SEEDED] },
  "wrong-range": { earlier: AFTER, ranges: [SEEDED, null] },
  "range-416": { earlier: AFTER, ranges: [SEEDED, null] },
  "no-content-range": { earlier: AFTER, ranges: [SEEDED, null] },
  "unknown-total": { earlier: AFTER, ranges: [SEEDED] },
  "no-length": { ranges: [null] },
  "no-length-cut": { after: AFTER, failed: { network: 1 }, missing: [VICTIM], partial: [AFTER, SIZE - 1] },
  "no-length-reset": { after: AFTER, failed: { network: 1 }, missing: [VICTIM], partial: [AFTER, SIZE - 1] },
  "garbled-length": { failed: { network: 1 }, missing: [VICTIM] },
  endless: {
    waitLimits: { maxVideoBytes: 1_000_000 },
    failed: { http: 1 },
    missing: [VICTIM],
    marker: true,
    ranges: [null],
  },
  chunked: { ranges: [null] },
  "chunked-cut": { after: AFTER, failed: { network: 1 }, missing: [VICTIM], partial: [AFTER, SIZE - 1] },
  "http-1.0": { ranges: [null] },
  "not-http": { failed: { network: 1 }, missing: [VICTIM] },
  redirect: { failed: { http: 1 }, missing: [VICTIM], marker: true, ranges: [null] },
  "gzip-claimed": { ranges: [null] },
  // Grows by a kilobyte with every request and never ends: what is there stays a partial, its companions wait.
  growing: {
    victim: VIDEOS[3],
    match: /_ER\.mp4$/,
    times: 100,
    value: 1000,
    missing: ["20260607_101600_ER.mp4", "20260607_101600_ER.thm"],
    partial: [SIZE - 99_000, SIZE - 1],
  },
  // The camera forgets the file and its thumbnail together. Positions are asked for by a video's name: the next run, whose
  // list lacks this one, takes another's.
  vanishing: {
    missing: [VICTIM, "20260607_101500_NF.thm"],
    missingNewer: ["20260607_101500_N.gps"],
    ranges: [null],
  },
  "goes-away": {
    match: null,
    value: 1,
    after: AFTER,
    victim: VIDEOS[1],
    ends: away,
    missing: ["20260607_101500_NR.mp4", "20260607_101500_NR.thm", ...ALL_OF_THE_NEWEST],
    partial: AFTER,
  },
  sleeps: { match: null, ends: away, missing: ["everything"], ranges: [] },
  // Whatever way a camera has of refusing ranges, the whole file is asked for once.
  "range-status": { value: 501, earlier: AFTER, ranges: [SEEDED, null] },
  // The runtime asks again by itself when a connection that was used before is closed.
  "range-hang-up": { earlier: AFTER, ranges: [SEEDED, SEEDED, null] },
  "range-reset": { earlier: AFTER, ranges: [SEEDED, SEEDED, null] },
  "range-empty": { earlier: AFTER, ranges: [SEEDED, null] },
  "range-empty-206": { earlier: AFTER, ranges: [SEEDED, null] },
  "unasked-206": { failed: { http: 1 }, missing: [VICTIM], marker: true, ranges: [null] },
  // Another device answers: nothing of it is kept.
  "text-200": { failed: { http: 1 }, missing: [VICTIM], marker: true, ranges: [null] },
  "json-200": { failed: { http: 1 }, missing: [VICTIM], marker: true, ranges: [null] },
  "json-untyped": { failed: { http: 1 }, missing: [VICTIM], marker: true, ranges: [null] },
  "html-200": { failed: { http: 1 }, missing: [VICTIM], marker: true, ranges: [null] },
  "html-untyped": { failed: { http: 1 }, missing: [VICTIM], marker: true, ranges: [null] },
  "xml-200": { failed: { http: 1 }, missing: [VICTIM], marker: true, ranges: [null] },
  "absurd-length": { failed: { http: 1 }, missing: [VICTIM], marker: true, ranges: [null] },
  // However often it is cut, as long as each try brings something.
  // After two answers that ended early the rest is asked for in parts that end before.
  "cut-every": { value: 70_000, ranges: [null, "bytes=70000-", "bytes=140000-205535"] },
  "cut-at-once": { value: 70_000 },
  silence: { after: AFTER, value: 300, ranges: [null] },
  "etag-changes": { ranges: [null] },
  "everything-status": {
    value: 503,
    match: null,
    ends: { kind: "trouble", reason: "http" },
    missing: ["everything"],
    ranges: [],
  },
  // It has only paused in being written: what is there stays a partial, and its companions wait.
  paused: { after: AFTER, missing: [VICTIM, ...COMPANIONS], partial: AFTER },
};

onBothInterfaces((generation) => {
  describe.each(Object.entries(ROWS))("when the dashcam shows %s", (name, row) => {
    test("a sync keeps what is good, and the next one completes it", async () => {
      await using bench = await SyncBench.open({ generation });
      const victim = row.victim ?? VICTIM;
      if (row.earlier !== undefined) await bench.putPartial(victim, row.earlier);
      const { simulator } = bench;
      const match = row.match === null ? undefined : (row.match ?? requestFor(victim));
      const { after, value, times } = row;
      simulator.fault({ name: name as FileFault, match, after, value, times });
      const everything = bench.offered();

      const first = await bench.sync(row.waitLimits);

      const { kind, reason } = first.failure ?? {};
      expect([kind, reason]).toEqual([row.ends?.kind, row.ends?.reason]);
      expect(first.run.success).toBe(row.ends === undefined);
      expect(first.fileFailures).toEqual({ ...noFailures(), ...row.failed });
      const home = await bench.home();
      expect(home.wrong).toEqual([]);
      const lacking = [...(row.missing ?? []), ...((generation === "v1009" && row.missingNewer) || [])];
      const missing = lacking[0] === "everything" ? everything : lacking;
      expect(home.whole).toEqual(everything.filter((each) => !missing.includes(each)));
      expect(home.markers).toEqual(row.marker ? [`${victim}.failed`] : []);
      expectPartial(home.partials, victim, row.partial);
      if (row.ranges) expect(bench.rangesOf(victim)).toEqual([...row.ranges]);
      expectFilesOnly(simulator);

      simulator.clearFaults();
      await simulator.comeBack();
      const before = simulator.requests.length;
      const second = await bench.sync({ retryFailedAfterMs: 0 });

      expect(second.failure).toBeNull();
      expect(second.fileFailures).toEqual(noFailures());
      const completed = await bench.home();
      expect(completed.wrong).toEqual([]);
      expect(completed.whole).toEqual([...new Set([...bench.offered(), ...home.whole])].sort());
      expect(completed.partials).toEqual({});
      expect(completed.markers).toEqual([]);
      const had = home.partials[victim];
      if (had !== undefined && !row.anew) expect(bench.rangesOf(victim, before)[0]).toBe(`bytes=${had}-`);
      const again = bench.asked(before).filter((each) => home.whole.includes(each));
      // A file that came without its video is asked for once more, once.
      const stem = victim.slice(0, 17);
      const mayAgain = home.whole.includes(victim) ? [] : home.whole.filter((each) => each.startsWith(stem));
      expect(again.filter((each) => each.endsWith(".mp4") || !mayAgain.includes(each))).toEqual([]);
      expect(new Set(again).size).toBe(again.length);
      expectFilesOnly(simulator);
    });
  });

  test("a redirect to another machine is not followed", async () => {
    await using bench = await SyncBench.open({ generation });
    await using elsewhere = await openSimulator({ card: bench.card });
    bench.simulator.fault({ name: "redirect", value: `${elsewhere.url}/Record/${VICTIM}` });
    const result = await bench.sync();
    expect(result.failure).toMatchObject({ kind: "trouble", reason: "http" });
    expect(result.fileFailures).toEqual({ ...noFailures(), http: 4 });
    expect(elsewhere.requests).toEqual([]);
    expect((await bench.home()).wrong).toEqual([]);
  });

  /** Nothing but the listing and files of the card was asked for. */
  function expectFilesOnly({ requests }: Simulator): void {
    for (const { path } of requests) {
      if (path !== "/accessible" && !LIST_REQUEST.test(path)) expect(path).toMatch(FILE_PATHS[generation]);
    }
  }
});

test("every fault that touches files has its row", () => {
  const faults = FAULTS.filter(([, scope]) => scope !== "list" && scope !== "metadata")
    .map(([name]) => name)
    .filter((name) => !OTHER_BYTES.has(name));
  expect(Object.keys(ROWS).sort()).toEqual([...faults].sort());
});

function expectPartial(partials: Record<string, number>, victim: string, wanted: Row["partial"]): void {
  if (wanted === undefined) {
    expect(partials).toEqual({});
    return;
  }
  expect(Object.keys(partials)).toEqual([victim]);
  const [least, most] = typeof wanted === "number" ? [wanted, wanted] : wanted;
  expect(partials[victim]).toBeGreaterThanOrEqual(least);
  expect(partials[victim]).toBeLessThanOrEqual(most);
}
