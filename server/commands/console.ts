import type { Snapshot } from "../domain/sync/job_progress.ts";
import { doneOf, workOf } from "../domain/sync/job_text.ts";
import { formatBytes, formatRate, formatSeconds } from "../domain/text/format.ts";
import { formatJson, formatText, type LogSink } from "../log.ts";
import type { Topic } from "../topic.ts";

const MOST_BAR_CELLS = 24;
/** Columns beside the bar in the longest usual line: name, sizes, rate, time left. */
const BESIDE_BAR = 71;
const ASKING = "Asking the camera what it has …";

/**
 * Shows one sync to a person. On a terminal: two lines that change in place, the whole job and the current file, with
 * finished lines scrolling above them. Elsewhere: plain lines.
 */
export class Console {
  readonly #out: NodeJS.WriteStream;
  readonly #err: NodeJS.WriteStream;
  readonly #live: boolean;
  readonly #listing: string;
  #drawn = 0;
  #last: string | null = null;
  #snapshot: Snapshot | null = null;

  /**
   * @param live false where nothing should change in place: no terminal, or a quiet mode
   * @param listing said while it is not known yet what there is
   */
  constructor(out: NodeJS.WriteStream, err: NodeJS.WriteStream, live: boolean, listing = ASKING) {
    this.#out = out;
    this.#err = err;
    this.#live = live;
    this.#listing = listing;
  }

  /** Draws every change of the job from now on; returns the way to end it, which erases the display. */
  follow(topic: Topic<Snapshot>): () => void {
    if (!this.#live) return () => {};
    const stop = topic.subscribe((snapshot) => {
      this.#snapshot = snapshot;
      this.#redraw();
    });
    return () => {
      stop();
      this.#snapshot = null;
      this.#redraw();
    };
  }

  /** A line for the person, above the display. */
  print(text: string): void {
    this.#erase();
    this.#out.write(`${text}\n`);
    if (!this.#live && this.#last !== null) this.#out.write(`${this.#last}\n`);
    this.#redraw();
  }

  /** A line that is the last one from now on, whatever is printed: on a terminal it stays below, elsewhere it is printed again. */
  keepLast(text: string): void {
    this.#erase();
    this.#last = text;
    if (!this.#live) this.#out.write(`${text}\n`);
    this.#redraw();
  }

  /** A log sink on standard error for lines from a threshold on, which may differ by logger. */
  sink(format: "text" | "json", threshold: (logger: string) => number): LogSink {
    return (line, fields) => {
      if (line.level_no < threshold(line.logger)) return;
      this.#erase();
      this.#err.write(`${format === "json" ? formatJson(line, fields) : formatText(line)}\n`);
      this.#redraw();
    };
  }

  #erase(): void {
    if (this.#drawn === 0) return;
    this.#out.write(`\r\x1b[${this.#drawn}A\x1b[0J`);
    this.#drawn = 0;
  }

  #redraw(): void {
    this.#erase();
    if (!this.#live) return;
    const columns = this.#out.columns || 80;
    const width = Math.max(20, columns - 1);
    const running = this.#snapshot?.state === "running" ? progressLines(this.#snapshot, width, this.#listing) : [];
    const lines = running.map((line) => line.slice(0, width));
    // Whole, however narrow the terminal is: it is an address to be taken from there.
    if (this.#last !== null) lines.push("", this.#last);
    if (lines.length === 0) return;
    this.#out.write(`${lines.join("\n")}\n`);
    this.#drawn = lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0);
  }
}

/** The display's lines for a snapshot: the whole job, then the current file. A narrow terminal gets a shorter bar. */
export function progressLines(snapshot: Snapshot, width: number, listing = ASKING): string[] {
  if (snapshot.phase === "listing") return [listing];
  if (snapshot.phase === "retention") return ["Removing what is past retention …"];
  const { current_file: file } = snapshot;
  const work = workOf(snapshot);
  const cells = Math.max(4, Math.min(MOST_BAR_CELLS, width - BESIDE_BAR));
  const all = [
    `${bar(snapshot.percent, cells)} ${doneOf({ ...work, done: work.done + work.failed })}`,
    partOf(snapshot.bytes_downloaded_total, snapshot.bytes_expected, snapshot.bytes_expected_is_guess),
    ...pace(snapshot.bytes_per_second, snapshot.eta_seconds),
    ...(work.failed > 0 ? [`${work.failed} failed`] : []),
  ];
  if (!file) return [all.join(", ")];
  const one = [
    `${bar(file.percent, cells)} ${file.filename}`,
    partOf(file.downloaded_bytes, file.total_bytes || file.expected_bytes, file.total_bytes === 0),
    ...pace(file.bytes_per_second, file.eta_seconds),
  ];
  return [all.join(", "), one.join(", ")];
}

/** Writes the bytes that have come, and the total if it is known. */
function partOf(done: number, all: number | null, isGuess: boolean): string {
  return all === null || all <= done
    ? formatBytes(done)
    : `${formatBytes(done)} of ${isGuess ? "≈ " : ""}${formatBytes(all)}`;
}

function pace(bytesPerSecond: number, eta: number | null): string[] {
  return [
    ...(bytesPerSecond > 0 ? [formatRate(bytesPerSecond)] : []),
    ...(eta === null ? [] : [`${formatSeconds(eta)} left`]),
  ];
}

function bar(percent: number, cells: number): string {
  const full = Math.round((percent / 100) * cells);
  return `[${"=".repeat(full)}${" ".repeat(cells - full)}]`;
}
