import type * as v from "valibot";
import type { RunSample } from "./run.ts";
import { runEnding } from "./run_ending.ts";
import type { RUN_SUMMARY } from "./stats_schema.ts";

export type RunSummary = v.InferOutput<typeof RUN_SUMMARY>;

/** The summary of all runs added so far. */
export class SummaryBuilder {
  #runs = 0;
  #offline = 0;
  #bytes = 0;
  #files = 0;
  #seconds = 0;
  #longest = 0;
  #successes = 0;
  #stopped = 0;

  add(run: RunSample): void {
    this.#runs++;
    if (!run.dryRun) {
      this.#bytes += run.bytes;
      this.#files += run.files;
    }
    const ending = runEnding(run);
    if (ending === "away") {
      this.#offline++;
      return;
    }
    this.#seconds += run.durationSeconds;
    if (run.durationSeconds > this.#longest) this.#longest = run.durationSeconds;
    if (ending === "completed") this.#successes++;
    else if (ending === "stopped") this.#stopped++;
  }

  get summary(): RunSummary {
    const reachable = this.#runs - this.#offline;
    return {
      runs: this.#runs,
      offline: this.#offline,
      reachable_runs: reachable,
      bytes: this.#bytes,
      files: this.#files,
      avg_duration_seconds: reachable === 0 ? 0 : this.#seconds / reachable,
      longest_seconds: this.#longest,
      stopped: this.#stopped,
      success_rate: reachable === 0 ? null : this.#successes / reachable,
    };
  }
}
