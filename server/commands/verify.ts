import { resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { systemClock } from "../clock.ts";
import type { Damage } from "../domain/checksums/file_judgement.ts";
import { sumLine } from "../domain/checksums/sum_line.ts";
import { isDay } from "../domain/recordings/camera_clock.ts";
import { dayNumber, dayOfMoment } from "../domain/recordings/moment_number.ts";
import { counted, formatBytes, formatCount, formatRate, formatSeconds } from "../domain/text/format.ts";
import { Checksums } from "../engine/checksums/checksums.ts";
import { NEVER_READ } from "../engine/checksums/file_check.ts";
import { LimitedPace, NO_LIMITS } from "../engine/checksums/reading_pace.ts";
import {
  type CheckTally,
  checkRecordings,
  type NotJudged,
  newTally,
  RecordingsAway,
} from "../engine/checksums/recording_check.ts";
import { LAST_CHECK_FACT, lastCheckOf } from "../engine/checksums/verify_job.ts";
import { Log, messageOf, oneLine } from "../log.ts";
import { refuseNewer } from "../newer_files.ts";
import { DestinationIdentity } from "../store/destination/destination_identity.ts";
import { SumsFile, SumsUnusable } from "../store/destination/sums.ts";
import { BEFORE_ALL_FILES, type FileId, fileAt, pathOfFile } from "../store/destination/sums_rows.ts";
import { Trash } from "../store/destination/trash.ts";
import { Library } from "../store/library/library.ts";
import { isFolder } from "../store/path_facts.ts";
import type { CommandIO } from "./command_io.ts";
import { destinationOf } from "./paths.ts";
import { takeUser } from "./process_user.ts";
import { readArgs, readText, UsageProblem } from "./usage.ts";

const OPTIONS = {
  destination: { type: "string", short: "d" },
  since: { type: "string" },
  json: { type: "boolean", default: false },
  sums: { type: "boolean", default: false },
  "forget-missing": { type: "boolean", default: false },
} satisfies ParseArgsOptionsConfig;

/** Rows that are printed at once. */
const SLICE = 1000;
/** Between two looks at a file of checksums that another program is writing, and how often it is looked at. */
const AGAIN_MS = 250;
const MOST_TRIES = 40;

/** `verify`: 0 when all recordings are whole, 1 when some are not, 2 where there are none. */
export async function verifyCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values } = readArgs(args, OPTIONS, 0);
  const { destination } = destinationOf(readText(values.destination, "--destination"), null, io.env);
  const since = readDay(values.since);
  if (values.sums && (values.json || values["forget-missing"]))
    throw new UsageProblem("--sums prints checksums alone: leave out the other options");
  await takeUser(io.env);
  const say = (words: string) => io.err.write(`${oneLine(words)}\n`);
  try {
    await refuseNewer({ root: destination });
  } catch (error) {
    say(`Dashdock cannot check this folder: ${messageOf(error)}`);
    return 2;
  }
  await using place = new CheckedPlace(destination, say);
  const count = await place.count();
  if (count === 0 && !(values.sums && place.file.exists)) {
    say(`There are no recordings in ${destination}.`);
    return 2;
  }
  if (values.sums) return await printSums(place, since, io, say);
  const { tally, ending } = await check(place, since, io, !values.json);
  if (ending.kind === "away") {
    say(`The check ended after ${formatCount(tally.checked)} of ${counted(tally.total, "file")}: ${ending.why}.`);
    return 2;
  }
  if (ending.kind === "unusable") {
    say(`The checksums cannot be read: ${ending.why}.`);
    return 2;
  }
  await place.written();
  const missing = tally.damaged.filter(({ why }) => why === "missing");
  if (values["forget-missing"] && missing.length > 0) {
    place.forget(missing.map(({ path }) => path));
    say(`${counted(missing.length, "missing file")} will not be missed again.`);
  }
  const bad = values["forget-missing"] ? tally.damaged.filter(({ why }) => why !== "missing") : tally.damaged;
  if (ending.kind === "done" && since === 0) place.keepResult(tally, values["forget-missing"]);
  if (values.json) {
    const { checked, total, bytes, taken, notJudged } = tally;
    const result = {
      checked,
      total,
      damaged: bad,
      bytes,
      taken,
      not_judged: notJudged,
      stopped: ending.kind === "stopped",
    };
    io.out.write(`${JSON.stringify(result)}\n`);
  } else print(io, tally, bad, ending.kind === "stopped");
  if (place.file.problem !== null) say(`Nothing was written down: ${place.file.problem}.`);
  const isBad = bad.length > 0 || ending.kind === "stopped" || tally.notJudged.some(({ why }) => why !== "changed");
  return isBad ? 1 : 0;
}

/** @throws UsageProblem */
function readDay(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!isDay(text)) throw new UsageProblem(`--since must be a day such as 2026-06-01, got "${text}"`);
  return dayNumber(text);
}

/** A folder of recordings with its checksums, for one command. */
class CheckedPlace implements AsyncDisposable {
  readonly root: string;
  readonly library: Library;
  readonly identity: DestinationIdentity;
  readonly file: SumsFile;
  readonly checksums: Checksums;
  readonly trash: Trash;
  readonly clock = systemClock;
  readonly startedAt = systemClock.now();

  constructor(root: string, say: (words: string) => void) {
    this.root = resolve(root);
    const clock = systemClock;
    // Damaged files are told at the end, in the form that was asked for.
    const log = new Log(clock, [
      ({ level_no, message }, fields) => {
        if (level_no >= 30 && fields?.["event"] === undefined) say(message);
      },
    ]);
    this.library = new Library({ root: this.root, clock, log });
    this.identity = DestinationIdentity.withoutMemory({ root: this.root, library: this.library, log });
    this.file = new SumsFile({ root: this.root, clock, log, place: this.identity });
    const parts = { clock, log, root: this.root, library: this.library, file: this.file };
    this.checksums = new Checksums({ ...parts, isHere: this.isHere, isBusy: () => false });
    this.trash = new Trash({ root: this.root, home: this.library, clock, log });
  }

  readonly isHere = () => isFolder(this.root) && this.identity.isSame;

  /** Counts the recordings, in whatever state they are. */
  async count(): Promise<number> {
    await this.library.refresh();
    return this.library.available
      ? [...this.library.folderContents].reduce((sum, { moments }) => sum + moments.size, 0)
      : 0;
  }

  readonly refusal = async () => (await this.identity.refusalOfWork())?.[0] ?? null;

  /** Waits a while for another program that writes checksums. */
  async written(): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES && !(await this.checksums.sums.write()); tries++) {
      if (this.file.problem !== null) return;
      await systemClock.sleep(AGAIN_MS);
    }
  }

  forget(paths: readonly string[]): void {
    this.checksums.forget(paths.map(fileAt));
  }

  /** Keeps the result where the service finds it. */
  keepResult(tally: CheckTally, isForgotten: boolean): void {
    const last = lastCheckOf(tally, { startedAt: this.startedAt, finishedAt: systemClock.now(), ended: "done" });
    const result = isForgotten ? { ...last, missing: [], missing_files: 0 } : last;
    if (this.file.problem === null) this.checksums.keepFact(LAST_CHECK_FACT, JSON.stringify(result));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.checksums.close();
  }
}

type Ending = { readonly kind: "done" | "stopped" } | { readonly kind: "away" | "unusable"; readonly why: string };

async function check(
  place: CheckedPlace,
  since: number,
  io: CommandIO,
  isShown: boolean,
): Promise<{ tally: CheckTally; ending: Ending }> {
  const tally = newTally();
  const stopping = new AbortController();
  const offs = [io.onSignal(() => stopping.abort()), io.onOutputClosed(() => stopping.abort())];
  const progress = new Progress(io, tally, isShown);
  const pace = new LimitedPace(systemClock, () => NO_LIMITS, stopping.signal);
  const shown = {
    elapsed: () => pace.elapsed(),
    free: () => pace.free(),
    after(bytes: number, busyMs: number) {
      progress.read(bytes);
      return pace.after(bytes, busyMs);
    },
  };
  try {
    await checkRecordings(place, { since }, tally, shown);
    return { tally, ending: { kind: "done" } };
  } catch (error) {
    if (stopping.signal.aborted) return { tally, ending: { kind: "stopped" } };
    if (error instanceof RecordingsAway) return { tally, ending: { kind: "away", why: error.message } };
    if (error instanceof SumsUnusable) return { tally, ending: { kind: "unusable", why: error.message } };
    throw error;
  } finally {
    progress.end();
    for (const off of offs) off();
  }
}

/** Time between two drawings. */
const DRAWN_MS = 200;

/** One line on a terminal that changes in place; nothing elsewhere. */
class Progress {
  readonly #io: CommandIO;
  readonly #tally: CheckTally;
  readonly #isLive: boolean;
  readonly #began = systemClock.elapsed();
  #bytes = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(io: CommandIO, tally: CheckTally, isShown: boolean) {
    this.#io = io;
    this.#tally = tally;
    this.#isLive = isShown && io.out.isTTY === true;
  }

  read(bytes: number): void {
    this.#bytes += bytes;
    const now = systemClock.elapsed();
    if (!this.#isLive || now - this.#drawnAt < DRAWN_MS) return;
    this.#drawnAt = now;
    const { checked, total, damaged } = this.#tally;
    const seconds = (now - this.#began) / 1000;
    const left = checked === 0 ? null : (seconds / checked) * (total - checked);
    const parts = [
      `${formatCount(checked)} of ${counted(total, "file")}`,
      formatRate(this.#bytes / Math.max(seconds, 0.001)),
      ...(left === null ? [] : [`${formatSeconds(left)} left`]),
      ...(damaged.length > 0 ? [`${damaged.length} damaged`] : []),
    ];
    const width = Math.max(20, (this.#io.out.columns || 80) - 1);
    this.#io.out.write(`\r\x1b[K${parts.join(", ").slice(0, width)}`);
  }

  end(): void {
    if (this.#isLive) this.#io.out.write("\r\x1b[K");
  }
}

const WHY: Readonly<Record<Damage, string>> = {
  other_bytes: "damaged, its bytes are others, though no program has written to it",
  cut_short: "damaged, its end is missing",
  unreadable: "damaged, the disk cannot read it",
  missing: "missing, though Dashdock has not deleted it",
};
const NOT_JUDGED: Readonly<Record<NotJudged, string>> = {
  denied: "not read, this user may not",
  changed: "not read, it is being written",
  busy: "not judged, another program is writing checksums",
  unknown: "not there, but its folder may be a disk that is away",
};

function print({ out }: CommandIO, tally: CheckTally, bad: CheckTally["damaged"], isStopped: boolean): void {
  // Names of folders may move a terminal's cursor.
  for (const { path, why } of bad) out.write(`no  ${oneLine(path)}: ${WHY[why]}.\n`);
  for (const { path, why } of tally.notJudged) out.write(`??  ${oneLine(path)}: ${NOT_JUDGED[why]}.\n`);
  const { checked, total, bytes, taken } = tally;
  const size = `${counted(checked, "file")} (${formatBytes(bytes)})`;
  const fresh =
    taken === 0
      ? ""
      : ` Checksums of ${formatCount(taken)} were taken now: nothing was known of them, or they were changed on purpose.`;
  if (isStopped) out.write(`!!  Stopped after ${formatCount(checked)} of ${counted(total, "file")}.\n`);
  else if (bad.length === 0) out.write(`ok  ${size} read, and none is damaged or missing.${fresh}\n`);
  else out.write(`no  ${size} read, ${formatCount(bad.length)} damaged or missing.${fresh}\n`);
}

/** Prints what is recorded, without reading a recording. */
async function printSums(
  { file }: CheckedPlace,
  since: number,
  { out, onOutputClosed }: CommandIO,
  say: (words: string) => void,
): Promise<number> {
  let printed = 0;
  const closed = Promise.withResolvers<void>();
  let isClosed = false;
  const off = onOutputClosed(() => {
    isClosed = true;
    closed.resolve();
  });
  const drained = () => new Promise<void>((resolve) => out.once("drain", resolve));
  try {
    for (let last: FileId = BEFORE_ALL_FILES; ; ) {
      const rows = file.read((all) => all.after(last, SLICE).map((row) => ({ ...row, isAway: all.isAway(row) })), []);
      const wanted = rows.filter((row) => !row.isAway && dayOfMoment(row.moment) >= since && row.sha256 !== NEVER_READ);
      const lines = wanted.map((row) => `${sumLine(row.sha256, pathOfFile(row))}\n`);
      printed += lines.length;
      if (lines.length > 0 && !out.write(lines.join(""))) await Promise.race([drained(), closed.promise]);
      last = rows.at(-1) ?? last;
      if (rows.length < SLICE || isClosed) break;
    }
  } catch (error) {
    if (!(error instanceof SumsUnusable)) throw error;
    say(`The checksums cannot be read: ${error.message}.`);
    return 2;
  } finally {
    off();
  }
  if (printed > 0) return 0;
  say("No checksums were taken of these recordings yet: dashdock verify takes them.");
  return 2;
}
