import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, utimesSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../server/clock.ts";
import { dateOf } from "../../server/domain/recordings/recording_name.ts";
import { sameCutoff } from "../../server/domain/retention/keep_times.ts";
import { initialSettings } from "../../server/domain/settings/settings.ts";
import { applyRetention } from "../../server/engine/retention/retention.ts";
import type { RetentionParts } from "../../server/engine/retention/retention_parts.ts";
import { openRetention } from "../../server/engine/retention/retention_parts.ts";
import type { RetentionRules } from "../../server/engine/retention/retention_rules.ts";
import { type TrashParts, trashDays, trashOverview } from "../../server/engine/retention/trash_by_hand.ts";
import { Log } from "../../server/log.ts";
import { DestinationIdentity } from "../../server/store/destination/destination_identity.ts";
import { Library } from "../../server/store/library/library.ts";
import { KEEP_ALL } from "../support/app/keep_all.ts";
import { cardNames, MEMORY } from "./stage.ts";

/** Time between two looks at the memory of the process. */
const LOOK_MS = 20;
const WEEK_MS = 7 * 86_400_000;

/** One pass, from outside of it. */
export interface PassFigures {
  ms: number;
  /** The longest time for which nothing else had its turn. */
  gapMs: number;
  /** Resident memory before it, and the most meanwhile. */
  megabytesBefore: number;
  megabytesMost: number;
  moved: number;
}

interface Home extends AsyncDisposable {
  readonly root: string;
  readonly parts: RetentionParts;
}

/**
 * A library of so many moments with one video each, in a folder a day, with three companions each or none, of which
 * the index is warm. The folders look old, as those of a library mostly are.
 */
async function openHome(moments: number, hasCompanions: boolean, where: "memory" | "disk"): Promise<Home> {
  const root = mkdtempSync(join(where === "memory" ? MEMORY : tmpdir(), "dashdock-bench-deleting-"));
  const folders = new Set<string>();
  const { videos, names } = cardNames(moments, ["F"]);
  for (const name of hasCompanions ? names : videos) {
    const folder = join(root, dateOf(name));
    if (!folders.has(folder)) mkdirSync(folder);
    folders.add(folder);
    const file = openSync(join(folder, name), "w");
    if (name.endsWith(".mp4")) writeSync(file, "video");
    closeSync(file);
  }
  const before = new Date(Date.now() - 3_600_000);
  for (const folder of [...folders, root]) utimesSync(folder, before, before);
  const log = new Log(systemClock);
  const library = new Library({ root, clock: systemClock, log });
  await library.refresh();
  await library.refresh();
  const identity = DestinationIdentity.withoutMemory({ root, library, log });
  const place = { root, library, identity, clock: systemClock, log, command: "bench" };
  const parts = openRetention(place, { consent: null, receipts: null, isOnCamera: () => null });
  return {
    root,
    parts,
    async [Symbol.asyncDispose]() {
      rmSync(root, { recursive: true });
    },
  };
}

/** Rules that delete all recordings before this day; none for null. */
function rulesBefore(cutoff: string | null): RetentionRules {
  return { ...KEEP_ALL, cutoffs: sameCutoff(cutoff), eventContext: 1, trashMs: WEEK_MS };
}

async function pass({ parts }: Home, rules: RetentionRules): Promise<PassFigures> {
  const { signal } = new AbortController();
  const looked = watchLoop();
  const began = performance.now();
  const { moments, problem } = await applyRetention(parts, rules, { dryRun: false, signal });
  const ms = performance.now() - began;
  if (problem !== null) throw new Error(problem);
  return { ms, moved: moments, ...looked.stop() };
}

/** Parts that `GET /api/trash` and the page read. */
function trashParts({ parts }: Home): TrashParts {
  return {
    retention: parts as TrashParts["retention"],
    settings: { current: initialSettings() },
    history: { deletions: { undo() {} } },
  };
}

/** Milliseconds and body size of each of these, the best of some rounds. */
async function askTrash(home: Home, limit: number) {
  const parts = trashParts(home);
  return {
    page: await timed(() => trashOverview(parts)),
    entries: await timed(() => trashDays(parts, { limit })),
  };
}

async function timed(work: () => Promise<unknown>): Promise<{ ms: number; kilobytes: number }> {
  let ms = Number.POSITIVE_INFINITY;
  let kilobytes = 0;
  for (let round = 0; round < 15; round++) {
    const began = performance.now();
    const answer = await work();
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    ms = Math.min(ms, performance.now() - began);
    kilobytes = Buffer.byteLength(text) / 1000;
  }
  return { ms, kilobytes };
}

/** Takes a turn as often as it gets one, and remembers how long it once had to wait. */
function watchLoop() {
  let last = performance.now();
  let gapMs = 0;
  let lookedAt = 0;
  const rss = () => process.memoryUsage.rss() / 1e6;
  const megabytesBefore = rss();
  let megabytesMost = megabytesBefore;
  let isOver = false;
  const turn = () => {
    if (isOver) return;
    const now = performance.now();
    if (now - last > gapMs) gapMs = now - last;
    if (now - lookedAt > LOOK_MS) {
      lookedAt = now;
      megabytesMost = Math.max(megabytesMost, rss());
    }
    last = performance.now();
    setTimeout(turn, 0);
  };
  turn();
  return {
    stop() {
      isOver = true;
      return { gapMs: Math.max(gapMs, performance.now() - last), megabytesBefore, megabytesMost };
    },
  };
}

/** The better of two passes, figure by figure: what others did on this machine meanwhile is no part of either. */
function better(one: PassFigures, other: PassFigures): PassFigures {
  const quicker = one.ms <= other.ms ? one : other;
  return { ...quicker, gapMs: Math.min(one.gapMs, other.gapMs) };
}

/** The best of some passes, each over a home of its own unless nothing goes. */
async function best(rounds: number, run: () => Promise<PassFigures>): Promise<PassFigures> {
  let found = await run();
  for (let round = 1; round < rounds; round++) found = better(found, await run());
  return found;
}

const NOTHING_DUE = rulesBefore("2025-12-31");
const ALL_DUE = rulesBefore("2026-12-31");
/** Folders that changed within the last two seconds are listed each time; these were just made. */
const SETTLE_MS = 2500;

/** A pass over so many recordings of which none is due, on a warm index. */
export async function benchNoneDue(recordings: number, rounds: number): Promise<PassFigures> {
  await using home = await openHome(recordings, false, "memory");
  await Bun.sleep(SETTLE_MS);
  await pass(home, NOTHING_DUE);
  return await best(rounds * 3, () => pass(home, NOTHING_DUE));
}

/** A pass in which all of them go to the trash. */
export async function benchAllDue(
  recordings: number,
  options: { hasCompanions: boolean; where: "memory" | "disk"; rounds: number },
): Promise<PassFigures> {
  return await best(options.rounds, async () => {
    await using home = await openHome(recordings, options.hasCompanions, options.where);
    await Bun.sleep(SETTLE_MS);
    await home.parts.library.refresh();
    const figures = await pass(home, ALL_DUE);
    if (figures.moved !== recordings) throw new Error(`${figures.moved} of ${recordings} were moved`);
    return figures;
  });
}

/** Answers about a trash with so many recordings. */
export async function benchTrash(recordings: number) {
  await using home = await openHome(recordings, false, "memory");
  await pass(home, ALL_DUE);
  await Bun.sleep(SETTLE_MS);
  return await askTrash(home, 200);
}

/** Milliseconds of an answer of a service over HTTP, the best of some, and its size. */
export async function askOften(url: string): Promise<{ ms: number; kilobytes: number }> {
  return await timed(async () => (await fetch(url)).text());
}

/** Puts so many recordings in the trash below a destination, deleted a thousand at a time on seven days. */
export function fillTrash(destination: string, recordings: number): void {
  for (const [at, name] of cardNames(recordings, ["F"]).videos.entries()) {
    const day = 1 + (Math.floor(at / 1000) % 7);
    const hour = String(Math.floor(at / 7000)).padStart(2, "0");
    const folder = join(destination, ".dashdock", "trash", `2026060${day}T${hour}0000000Z-age`);
    mkdirSync(folder, { recursive: true });
    closeSync(openSync(join(folder, name), "w"));
  }
}
