import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "../../server/clock.ts";
import { importOnce } from "../../server/commands/import_once.ts";
import { progressTopic } from "../../server/engine/transfer/progress_report.ts";
import { Log } from "../../server/log.ts";
import { IMPORT_ALL, videoOf } from "../support/app/import.ts";
import { inTurn, measure, median } from "./measure.ts";
import type { Part } from "./part.ts";
import { threadMs } from "./thread_clock.ts";

const MAIN = resolve(import.meta.dir, "../../server/main.ts");
const FILES = 100;
const FILE_BYTES = 100_000_000;
const MANY = 20_000;

/** Ten gigabytes from a folder, against `cp -r` of it, which takes no checksums and flushes nothing. */
export async function benchImport(rounds: number) {
  // On a disk: memory would be the card, the copy and the page cache at once.
  const folder = mkdtempSync(join(tmpdir(), "dashdock-bench-import-"));
  const card = join(folder, "card");
  const home = join(folder, "home");
  try {
    mkdirSync(card);
    const bytes = videoOf(FILE_BYTES);
    const noise = crypto.getRandomValues(new Uint8Array(65_536));
    for (let at = 4096; at + noise.length < bytes.length; at += noise.length) bytes.set(noise, at);
    for (let at = 0; at < FILES; at++) await Bun.write(join(card, nameAt(at, "F.mp4")), bytes);
    const fresh = async (command: readonly string[]) => {
      rmSync(home, { recursive: true, force: true });
      // Pages still to be written are of the round before; both find the card as the system keeps it.
      await measure(["sync"]);
      await measure(["sh", "-c", `cat ${card}/* > /dev/null`]);
      const figures = await measure(command);
      const came = readdirSync(home).filter((name) => name.endsWith(".mp4")).length;
      if (came !== FILES) throw new Error(`${came} of ${FILES} files came`);
      return figures;
    };
    const ours = () => fresh([process.execPath, MAIN, "import", card, "-d", home, "-q", "-u", "98"]);
    return await inTurn(rounds, ours, () => fresh(["cp", "-r", card, home]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Twenty thousand small files: how long it takes, and the longest time that the event loop was away; of that also what
 * it worked itself, as it is away, too, while the machine does something else.
 */
export async function benchManyFiles(): Promise<{ seconds: number; awayMs: number; busyMs: number }> {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-bench-import-"));
  const card = join(folder, "card");
  try {
    mkdirSync(card);
    const video = videoOf(100);
    for (let at = 0; at < MANY / 2; at++) {
      await Bun.write(join(card, nameAt(at, "F.mp4")), video);
      await Bun.write(join(card, nameAt(at, "F.thm")), "picture");
    }
    const log = new Log(systemClock);
    const order = { folder: card, move: false, homes: [], rules: IMPORT_ALL };
    const signal = new AbortController().signal;
    const tools = { destination: join(folder, "home"), clock: systemClock, log, topic: progressTopic(), signal };
    // Work that making the card has left behind is not the import's.
    Bun.gc(true);
    let [awayMs, busyMs] = [0, 0];
    let [last, lastBusy] = [performance.now(), threadMs()];
    const timer = setInterval(() => {
      const [now, busy] = [performance.now(), threadMs()];
      awayMs = Math.max(awayMs, now - last);
      busyMs = Math.max(busyMs, busy - lastBusy);
      [last, lastBusy] = [now, busy];
    }, 0);
    const began = performance.now();
    const { counts } = await importOnce(order, tools);
    const seconds = (performance.now() - began) / 1000;
    clearInterval(timer);
    if (counts.files !== MANY) throw new Error(`${counts.files} of ${MANY} files came`);
    return { seconds, awayMs, busyMs };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function nameAt(at: number, ending: string): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `20260607_${two(Math.floor(at / 3600))}${two(Math.floor(at / 60) % 60)}${two(at % 60)}_N${ending}`;
}

const two = (value: number) => value.toFixed(2);

/** Costs of importing a card. */
export const IMPORT_PARTS: readonly Part[] = [
  {
    name: "import",
    async measure(add, rounds) {
      const { a, b, wall } = await benchImport(rounds);
      add(
        "10 GB imported in 100 MB files, with checksums: speed against `cp -r`, memory",
        `${two(1 / wall)} × (${two(a.wallSeconds)} s, cp ${two(b.wallSeconds)} s), ${Math.round(a.peakMegabytes)} MB`,
        "≥ 0.8 ×, < 100 MB",
      );
      const many: Awaited<ReturnType<typeof benchManyFiles>>[] = [];
      for (let round = 0; round < rounds; round++) many.push(await benchManyFiles());
      const [seconds, away, busy] = (["seconds", "awayMs", "busyMs"] as const).map((of) => many.map((one) => one[of]));
      add(
        "20,000 small files imported: event loop away (best round; of that working itself)",
        `${two(median(seconds ?? []))} s, ${median(away ?? []).toFixed(0)} ms (${Math.min(...(away ?? [])).toFixed(0)} ms; ${median(busy ?? []).toFixed(0)} ms)`,
        "≤ 20 ms",
      );
    },
  },
];

if (import.meta.main) console.log(await benchImport(Number(process.argv[2] ?? 3)), await benchManyFiles());
