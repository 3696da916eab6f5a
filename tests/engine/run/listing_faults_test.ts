import { describe, expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GenerationName } from "../../../server/dashcam/generation.ts";
import { FAULTS, type FaultName } from "../../../server/dashcam/simulator/simulator_faults.ts";
import type { FailureReason } from "../../../server/domain/runs/failure_reason.ts";
import type { FailureKind } from "../../../server/engine/transfer/failure_of_error.ts";
import { LIST_REQUEST, onBothInterfaces } from "../../support/app/interfaces.ts";
import { listTree, OURS, SyncBench, type SyncOverrides, VIDEOS } from "../../support/app/sync.ts";

const ORPHAN = "20260501_101500_NF.mp4";

interface Row {
  fault: FaultName;
  /** Both interfaces when left out. */
  only?: GenerationName;
  after?: number;
  value?: number | string;
  waitLimits?: SyncOverrides;
  ends: { kind: FailureKind; reason: FailureReason; message: RegExp };
  /** Message with the newer interface: by then it is known that a camera is there. */
  newer?: RegExp;
}

const offline = (reason: FailureReason, message: RegExp) => ({ kind: "away", reason, message }) as const;
const trouble = (reason: FailureReason, message: RegExp) => ({ kind: "trouble", reason, message }) as const;

/** Answers from which nothing can be learned: the run fails in plain words and nothing is touched. */
const USELESS: readonly Row[] = [
  {
    fault: "list-garbage",
    ends: trouble("unknown", /not look like a camera.*version line.*Check the address/),
    newer: /list that cannot be read: the answer is no JSON/,
  },
  {
    fault: "list-html",
    ends: trouble("unknown", /not look like a camera.*web page.*Check the address/),
    newer: /list that cannot be read: the answer is a web page/,
  },
  {
    fault: "list-json",
    ends: trouble("unknown", /not look like a camera.*JSON.*Check the address/),
    newer: /list that cannot be read: the answer is JSON without a list/,
  },
  {
    fault: "list-blank",
    ends: trouble("unknown", /not look like a camera.*empty.*Check the address/),
    newer: /list that cannot be read: the answer is empty/,
  },
  { fault: "list-500", ends: trouble("http", /list and answered with status 500/) },
  { fault: "list-stall", after: 20, waitLimits: { silenceMs: 300 }, ends: offline("timeout", /stopped sending/) },
  { fault: "error-500", value: 404, ends: trouble("http", /status 404/) },
  { fault: "empty-204", ends: trouble("http", /status 204/) },
  { fault: "redirect", ends: trouble("http", /sent us elsewhere \(status 302\)/) },
  { fault: "cut-short", after: 60, ends: offline("network", /connection broke/) },
  { fault: "reset", after: 60, ends: offline("network", /connection broke/) },
  { fault: "chunked-cut", after: 60, ends: offline("network", /connection broke/) },
  { fault: "closed-without-answer", ends: offline("network", /closed the connection without an answer/) },
  { fault: "reset-without-answer", ends: offline("network", /closed the connection without an answer/) },
  { fault: "sleeps", ends: offline("network", /closed the connection without an answer/) },
  { fault: "not-http", ends: offline("network", /closed the connection without an answer/) },
  { fault: "never-answers", waitLimits: { timeoutMs: 300 }, ends: offline("timeout", /did not answer in time/) },
  {
    fault: "list-drip",
    value: 50,
    waitLimits: { slowest: { bytes: 1000, windowMs: 300 } },
    ends: offline("timeout", /less than 1 KiB a second/),
  },
  // JSON without its end tells nothing, unlike lines.
  { fault: "list-cut", only: "v1009", ends: trouble("unknown", /JSON that is cut off or damaged/) },
  { fault: "no-length-cut", only: "v1009", after: 60, ends: trouble("unknown", /JSON that is cut off or damaged/) },
];

interface Listed {
  fault: FaultName;
  /** Both interfaces when left out. */
  only?: GenerationName;
  value?: number | string;
  after?: number;
  /** Not fetched, because the list does not tell of it. */
  unheard?: readonly string[];
  /** True when the list is good enough to drop files that it no longer names. */
  trusted: boolean;
  warning?: RegExp;
  /** Names of a form that no recording has. */
  unknown?: number;
  /** Differences with the newer interface. */
  newer?: { trusted?: boolean; warning?: RegExp | null; unknown?: number };
}

const LAST = ["20260607_101600_ER.mp4", "20260607_101600_ER.thm"];

/** Lists that are odd and still tell what is on the card. */
const ODD: readonly Listed[] = [
  { fault: "list-lf", trusted: true },
  { fault: "list-no-final-newline", trusted: true },
  { fault: "list-real-sizes", trusted: true },
  { fault: "list-duplicates", trusted: true },
  { fault: "list-impossible-dates", trusted: true, warning: /4 listed names with an impossible date/ },
  { fault: "list-traversal", trusted: false, warning: /Ignored 5 lines/, unknown: 1 },
  {
    fault: "list-not-utf8",
    trusted: false,
    warning: /Ignored 1 lines?/,
    unknown: 1,
    newer: { trusted: true, warning: null, unknown: 2 },
  },
  { fault: "list-junk", trusted: false, warning: /Ignored 4 lines/, unknown: 1, newer: { warning: /Ignored 8 lines/ } },
  { fault: "list-cut", only: "legacy", trusted: false, unheard: LAST, warning: /Ignored 1 lines?/ },
  { fault: "no-length-cut", only: "legacy", after: 150, trusted: false, unheard: LAST, warning: /Ignored 1 lines?/ },
  { fault: "no-length", trusted: true },
  { fault: "chunked", trusted: true },
  { fault: "http-1.0", trusted: true },
  { fault: "gzip-claimed", trusted: true },
  { fault: "over-long", value: 0, trusted: true },
];

onBothInterfaces((generation) => {
  const isHere = ({ only = generation }: { only?: GenerationName }) => only === generation;

  /** A bench that has a good recording, a partial of a listed one and an old partial of one that is not listed. */
  async function lived(): Promise<SyncBench> {
    const bench = await SyncBench.open({ generation });
    bench.put(VIDEOS[0], await bench.card.bytes(VIDEOS[0]));
    await bench.putPartial(VIDEOS[1], 50_000);
    bench.put(`.${ORPHAN}`, "left by an earlier run");
    bench.put(`${ORPHAN}.failed`, new Date().toISOString());
    const longAgo = new Date(Date.now() - 3 * 24 * 3600 * 1000);
    utimesSync(join(bench.destination, `.${ORPHAN}`), longAgo, longAgo);
    return bench;
  }

  describe.each(USELESS.filter(isHere))("when the listing is spoilt by $fault", (row) => {
    const { fault, after, value, waitLimits, ends } = row;
    test("the run fails in plain words, changes nothing, and the next one goes through", async () => {
      await using bench = await lived();
      const before = bench.tree();
      bench.simulator.fault({ name: fault, match: LIST_REQUEST, after, value });

      const result = await bench.sync({ ...waitLimits, deletes: true, cutoff: null });

      expect(result.failure?.kind).toBe(ends.kind);
      expect(result.failure?.reason).toBe(ends.reason);
      expect(result.failure?.message).toMatch((generation === "v1009" && row.newer) || ends.message);
      expect(result.run.recordingsSeen).toBe(0);
      expect(bench.asked()).toEqual([]);
      expect(bench.tree()).toEqual([...before, ...OURS].sort());
      // One line for people, and no trace.
      expect(bench.told("WARNING")).toEqual([]);
      expect(bench.told("ERROR")).toHaveLength(ends.kind === "trouble" ? 1 : 0);

      bench.simulator.clearFaults();
      expect((await bench.sync()).failure).toBeNull();
      expect((await bench.home()).whole).toEqual(bench.offered());
    });
  });

  describe.each(ODD.filter(isHere))("when the listing is odd by $fault", (row) => {
    const {
      fault,
      after,
      value,
      unheard = [],
      trusted,
      warning,
      unknown = 0,
    } = {
      ...row,
      ...(generation === "v1009" ? row.newer : {}),
    };
    test("everything it tells of comes home", async () => {
      await using bench = await lived();
      bench.simulator.fault({ name: fault, match: LIST_REQUEST, after, value });

      const result = await bench.sync();

      expect(result.failure).toBeNull();
      const home = await bench.home();
      expect(home.whole).toEqual(bench.offered().filter((name) => !unheard.includes(name)));
      // Failures of what the camera no longer has are forgotten, when the list can be believed.
      expect(home.markers).toEqual(trusted ? [] : [`${ORPHAN}.failed`]);
      // A file that the list does not name may be the only copy.
      expect(Object.keys(home.partials)).toEqual([ORPHAN]);
      for (const name of bench.asked()) expect(bench.offered()).toContain(name);
      // The newest video of a direction is asked once more for its size; nothing else is asked twice.
      const asked = bench.asked().filter((name) => !name.startsWith("20260607_101600") || !name.endsWith(".mp4"));
      if (unheard.length === 0) expect(asked).toEqual([...new Set(asked)]);
      expect(listTree(dirname(bench.destination)).filter((path) => !path.startsWith("recordings/"))).toEqual([]);
      expect(result.run.leftOut?.unknown).toBe(unknown);
      const warnings = bench.told("WARNING").filter((line) => !/^Left out [12]\s.*of an unknown form/.test(line));
      expect(bench.told("WARNING")).toHaveLength(warnings.length + Math.min(1, unknown));
      if (warning) expect(warnings).toEqual([expect.stringMatching(warning)]);
      else expect(warnings).toEqual([]);
    });
  });

  test("an empty listing is a good run that deletes no partial", async () => {
    await using bench = await lived();
    const before = bench.tree();
    bench.simulator.fault("list-empty");
    const result = await bench.sync();
    expect(result.failure).toBeNull();
    expect(result.run.recordingsSeen).toBe(0);
    expect(bench.tree()).toEqual([...before, ...OURS].sort());
  });

  test("an empty listing is no reason for retention to spare or to take anything else", async () => {
    await using bench = await lived();
    bench.put("2025/20250101_101500_NF.mp4", "old");
    bench.simulator.fault("list-empty");
    const result = await bench.sync({ deletes: true, cutoff: "2026-01-01" });
    expect(result.counts.removed).toBe(1);
    expect(bench.tree()).toEqual([...OURS, `.${ORPHAN}`, `.${VIDEOS[1]}`, VIDEOS[0], `${ORPHAN}.failed`].sort());
  });

  test("a camera that is silent when it is asked what it speaks is synced all the same", async () => {
    await using bench = await lived();
    bench.simulator.fault({ name: "never-answers", match: /^\/accessible/ });
    const result = await bench.sync({ timeoutMs: 300 });
    expect(result.failure).toBeNull();
    expect((await bench.home()).whole).toEqual(bench.offered());
    expect(bench.told("WARNING", "ERROR")).toEqual([]);
  });

  test("a listing that never ends is given up", async () => {
    await using bench = await SyncBench.open({ generation });
    const entry = { legacy: "n:/Record/nothing.txt,s:1000000\r\n", v1009: '{"filename":"nothing.mp4"},' }[generation];
    const entries = new TextEncoder().encode(entry.repeat(8000));
    const list = () => new Response(new ReadableStream({ pull: (body) => body.enqueue(entries) }));
    const asked = { legacy: () => new Response("", { status: 404 }), v1009: () => Response.json({ accessible: "OK" }) };
    await using endless = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) => (url.endsWith("/accessible") ? asked[generation]() : list()),
    });
    const { failure } = await bench.sync({ address: `127.0.0.1:${endless.port}` });
    expect(failure?.kind).toBe("trouble");
    expect(failure?.message).toMatch(/far longer than it can be/);
  });
});

test("real sizes in the list, which only the legacy one has, are a hint: a wrong one does no harm", async () => {
  await using bench = await SyncBench.open({ listSizes: true });
  // The list tells the size of what was there before the camera wrote another file of that name.
  const real = await bench.card.bytes(VIDEOS[0]);
  let told = 0;
  bench.card.add(VIDEOS[0], {
    get size() {
      return told++ === 0 ? 17 : real.length;
    },
    read: (start, end) => real.subarray(start, end),
  });
  expect((await bench.sync()).failure).toBeNull();
  const home = await bench.home();
  expect(home.whole).toContain(VIDEOS[0]);
  expect(home.wrong).toEqual([]);
});

test("companions that the list names, as a legacy one may, are fetched under those names", async () => {
  await using bench = await SyncBench.open({ listCompanions: true });
  expect((await bench.sync()).failure).toBeNull();
  expect((await bench.home()).whole).toEqual(bench.offered());
});

test("every fault of the listing has its row", () => {
  const rows: string[] = [...USELESS, ...ODD].map(({ fault }) => fault);
  const faults = FAULTS.filter(([, scope]) => scope === "list").map(([name]) => name);
  expect(faults.filter((name) => !rows.includes(name))).toEqual(["list-empty"]);
});
