import { describe, expect, test } from "bun:test";
import { cameraState } from "../../../server/domain/status/camera_text.ts";
import type { DashcamHealth } from "../../../server/domain/status/health.ts";
import { awayAt, runAt } from "../../support/app/history.ts";

const address = "10.0.0.5";
const HERE: DashcamHealth = { reachable: true, address, latency_ms: 14 };
const gone = (reason: string): DashcamHealth => ({ reachable: false, address, reason });
/** The run ended at 100 s; the camera was asked before and after. */
const RUN_AT = 100;
const BEFORE = 99_000;
const AFTER = 101_000;
const USUAL: Facts = { health: HERE, asked_at: AFTER, last_run: null, phase: null, last_seen_at: AFTER, now: AFTER };
const failed = (cause: "http" | "not-a-listing" | "redirect" | "disk-full", at = address) =>
  runAt(RUN_AT, { success: false, cause, address: at, failures: { unknown: 1 } });
const away = (at = address) =>
  awayAt(RUN_AT, { cause: "refused", message: "the camera refused the connection", address: at });

type Facts = Parameters<typeof cameraState>[0];
const ROWS: readonly [name: string, facts: Partial<Facts>, says: string, solves: string | null][] = [
  [
    "no camera is set",
    { health: { reachable: false, reason: "no address configured" } },
    "waiting None yet: No camera yet, no address configured",
    null,
  ],
  [
    "nobody has asked it",
    { health: null, asked_at: null },
    "waiting Asking: Asking the camera, Waiting for its answer.",
    null,
  ],
  ["it answers", {}, "fine Reachable: address, Answered in 14 ms", null],
  [
    "it answers, and the last run went well",
    { last_run: runAt(RUN_AT, { address }) },
    "fine Reachable: address, Answered in 14 ms",
    null,
  ],
  [
    "it answers after a run that did not find it",
    { last_run: away() },
    "fine Reachable: address, Answered in 14 ms. The last run did not reach it, the next one can",
    null,
  ],
  [
    "it answered before a run that did not find it",
    { last_run: away(), asked_at: BEFORE },
    "waiting Away: Camera away, The camera refused the connection.",
    "check-camera",
  ],
  [
    "a run did not find another camera",
    { last_run: away("10.0.0.9"), asked_at: BEFORE },
    "fine Reachable: address, Answered in 14 ms",
    null,
  ],
  [
    "something answers that the run found to be no camera",
    { last_run: failed("not-a-listing") },
    "attention Not the camera: address, Something answers there, but the last run found that it is not the camera.",
    "check-camera",
  ],
  [
    "something sent the run elsewhere",
    { last_run: failed("redirect") },
    "attention Not the camera: address, Something answers there, but the last run found that it is not the camera.",
    "check-camera",
  ],
  [
    "it gave its list and none of its files",
    { last_run: runAt(RUN_AT, { success: false, cause: "http", address, recordingsSeen: 80, failures: { http: 81 } }) },
    "attention In trouble: address, It is there, but it answered the last run with an error.",
    "show-files",
  ],
  [
    "something at another address was no camera",
    { last_run: failed("redirect", "10.0.0.9") },
    "fine Reachable: address, Answered in 14 ms",
    null,
  ],
  [
    "it answered the run with an error",
    { last_run: failed("http") },
    "attention In trouble: address, It is there, but it answered the last run with an error.",
    "check-camera",
  ],
  [
    "the run failed for a reason at home",
    { last_run: failed("disk-full") },
    "fine Reachable: address, Answered in 14 ms",
    null,
  ],
  [
    "files failed, the run did not",
    { last_run: runAt(RUN_AT, { address, failures: { http: 2 } }) },
    "fine Reachable: address, Answered in 14 ms",
    null,
  ],
  [
    "it refuses",
    { health: gone("refused") },
    "waiting Away: Camera away, The camera refused the connection.",
    "check-camera",
  ],
  [
    "it is away after it answered with an error",
    { health: gone("timeout"), last_run: failed("http") },
    "waiting Away: Camera away, The camera did not answer in time.",
    "check-camera",
  ],
  [
    "it sends files, whatever was known before",
    { health: gone("timeout"), phase: "downloading", last_run: away() },
    "busy Sending: address, Sending its recordings.",
    null,
  ],
  [
    "it has sent its files a moment ago, and was not asked since",
    { health: { ...HERE, latency_ms: 0 }, now: AFTER + 59_000 },
    "fine Reachable: address, Connected just now",
    null,
  ],
  [
    "it has sent its files a while ago, and was not asked since",
    { health: { ...HERE, latency_ms: 0 }, now: AFTER + 14 * 60_000 },
    "fine Reachable: address, Answered 14 min ago",
    null,
  ],
  ["a sync has its one connection", { health: gone("busy") }, "busy Busy: address, Busy with a sync.", null],
];

describe("what the camera's card says when", () => {
  test.each(ROWS)("%s", (_name, facts, says, solves) => {
    const standing = cameraState({ ...USUAL, ...facts });
    const { level, word, headline } = standing;
    const words = `${level} ${word}: ${headline}, ${standing.detail}`.replaceAll("\u00a0", " ");
    expect([words, standing.action?.kind ?? null]).toEqual([says, solves]);
  });
});
