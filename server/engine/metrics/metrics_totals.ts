import type { DeletionReceipt } from "../../domain/retention/deletion.ts";
import { DELETION_CAUSES, type DeletionCause } from "../../domain/retention/deletion_cause.ts";
import { FAILURE_REASONS, type FailureReason, type Failures, noFailures } from "../../domain/runs/failure_reason.ts";
import type { Run } from "../../domain/runs/run.ts";
import { runEnding } from "../../domain/runs/run_ending.ts";
import type { Log } from "../../log.ts";
import { type MetricsState, readMetricsState, writeMetricsState } from "../../store/config/metrics_state.ts";
import type { OutsideFiles } from "../../store/config/outside_file.ts";
import { counter, type Family, type RunMetrics, runFamilies } from "./metrics_text.ts";

/** Counts from the first run on. They survive restarts in the metrics state file. */
interface Totals {
  runs_total: number;
  runs_failed_total: number;
  runs_offline_total: number;
  files_downloaded_total: number;
  bytes_downloaded_total: number;
  file_failures_total: ReturnType<typeof noFailures>;
  recordings_deleted_total: Record<DeletionCause, number>;
}

/** Facts about a run that has ended, for the counts. */
export interface EndedRun {
  readonly run: Run;
  /** The cause that ended the run early; null when it went through. */
  readonly failure: { readonly reason: FailureReason } | null;
  /** Failed files by reason, without the run's own. */
  readonly fileFailures: Failures;
  /** Epoch seconds of the last file that came home; null when none did. */
  readonly lastPullAt: number | null;
}

/** Place of the state. */
export interface MetricsPlace {
  readonly path: () => string;
  readonly log: Log;
  /** Files that must not be written over. When left out, the state file is written anywhere. */
  readonly outside?: Pick<OutsideFiles, "problem"> | undefined;
  /** Throws when it must not be written just now. */
  readonly requireSame?: (() => void) | undefined;
}

/** The latest run's gauges and the totals of all runs, for files, gateways and scrapers. */
export class RunMetricsTotals {
  readonly #path: () => string;
  readonly #log: Log;
  readonly #outside: MetricsPlace["outside"];
  readonly #requireSame: (() => void) | undefined;
  readonly #state: MetricsState;
  readonly #totals: Totals;
  #latest: RunMetrics | null = null;

  private constructor({ path, log, outside, requireSame }: MetricsPlace, state: MetricsState, latest: Run | null) {
    this.#path = path;
    this.#log = log;
    this.#outside = outside;
    this.#requireSame = requireSame;
    this.#state = state;
    this.#totals = totalsOf(state["totals"]);
    const lastPullAt = state.last_successful_file_pull_timestamp_seconds ?? null;
    if (latest) this.#latest = { ...remembered(latest), lastPullAt };
  }

  /**
   * Reads the state file; a missing or broken one begins at nought.
   * @param place where it is; the path is asked for each time it is written
   * @param latest the run before this start, for the gauges until the next one
   */
  static async open(place: MetricsPlace, latest: Run | null = null): Promise<RunMetricsTotals> {
    const { path, log, outside } = place;
    const isForeign = ((await outside?.problem(path(), "state")) ?? null) !== null;
    return new RunMetricsTotals(place, (isForeign ? null : await readMetricsState(path(), log)) ?? {}, latest);
  }

  /** Adds a run to the totals; returns its metrics. A state that cannot be saved is a warning. */
  async enter(result: EndedRun): Promise<RunMetrics> {
    const { run, fileFailures } = result;
    const totals = this.#totals;
    const lastPullAt = result.lastPullAt ?? this.#state.last_successful_file_pull_timestamp_seconds ?? null;
    this.#latest = { run, reason: result.failure?.reason ?? null, fileFailures, lastPullAt };
    // A dry run leaves nothing behind, and nothing came home.
    if (run.dryRun) return this.#latest;
    totals.runs_total++;
    if (!run.success) totals.runs_failed_total++;
    if (runEnding(run) === "away") totals.runs_offline_total++;
    totals.files_downloaded_total += run.files;
    totals.bytes_downloaded_total += run.bytes;
    for (const reason of FAILURE_REASONS) totals.file_failures_total[reason] += fileFailures[reason];
    if (result.lastPullAt !== null) this.#state.last_successful_file_pull_timestamp_seconds = result.lastPullAt;
    await this.#save();
    return this.#latest;
  }

  /** Counts recordings that went to the trash. */
  async enterDeletion({ cause, recordings }: Pick<DeletionReceipt, "cause" | "recordings">): Promise<void> {
    this.#totals.recordings_deleted_total[cause] += recordings;
    await this.#save();
  }

  async #save(): Promise<void> {
    this.#state["totals"] = this.#totals;
    try {
      this.#requireSame?.();
      const problem = await this.#outside?.problem(this.#path(), "state");
      if (problem) this.#log.warning("metrics", `Cannot write the metrics state file: its path ${problem}`);
      else await writeMetricsState(this.#path(), this.#state);
    } catch {
      this.#log.warning("metrics", "Cannot write the metrics state file; check its folder");
    }
  }

  /** As `enter`, for a run that its process did not bring to the end: a failed one, of whose files nothing more is known. */
  async enterInterrupted(run: Run): Promise<void> {
    const lastPullAt = run.files > 0 ? run.ts : null;
    await this.enter({ run, failure: { reason: "unknown" }, fileFailures: noFailures(), lastPullAt });
  }

  /** The latest run's figures; null before the first one. */
  get latest(): RunMetrics | null {
    return this.#latest;
  }

  /** The latest run and the totals; before the first run ever only the totals. */
  families(): readonly Family[] {
    const totals = this.#totals;
    return [
      ...(this.#latest ? runFamilies(this.#latest) : []),
      counter("runs_total", "Runs", totals.runs_total),
      counter("runs_failed_total", "Runs that failed", totals.runs_failed_total),
      counter("runs_offline_total", "Runs that did not reach the camera", totals.runs_offline_total),
      counter("files_downloaded_total", "Files that came home", totals.files_downloaded_total),
      counter("bytes_downloaded_total", "Bytes transferred", totals.bytes_downloaded_total),
      {
        name: "file_failures_total",
        help: "Failed files",
        type: "counter",
        samples: [...FAILURE_REASONS]
          .sort()
          .map((reason) => [`{reason="${reason}"}`, totals.file_failures_total[reason]] as const),
      },
      {
        name: "recordings_deleted_total",
        help: "Recordings moved to the trash",
        type: "counter",
        samples: DELETION_CAUSES.map(
          (cause) => [`{cause="${cause}"}`, totals.recordings_deleted_total[cause]] as const,
        ),
      },
    ];
  }
}

/** A run from history, which keeps the run's own reason and those of its files in one count. */
function remembered(run: Run): Omit<RunMetrics, "lastPullAt"> {
  const reason = run.success ? null : (FAILURE_REASONS.find((one) => run.failures[one] > 0) ?? null);
  const fileFailures = { ...run.failures };
  if (reason) fileFailures[reason]--;
  return { run, reason, fileFailures };
}

/** Totals from a state file that may hold anything. */
function totalsOf(stored: unknown): Totals {
  const from = (typeof stored === "object" && stored !== null ? stored : {}) as Record<string, unknown>;
  const number = (value: unknown) => (typeof value === "number" && value >= 0 && Number.isFinite(value) ? value : 0);
  const failures = (from["file_failures_total"] ?? {}) as Record<string, unknown>;
  const deleted = (from["recordings_deleted_total"] ?? {}) as Record<string, unknown>;
  return {
    runs_total: number(from["runs_total"]),
    runs_failed_total: number(from["runs_failed_total"]),
    runs_offline_total: number(from["runs_offline_total"]),
    files_downloaded_total: number(from["files_downloaded_total"]),
    bytes_downloaded_total: number(from["bytes_downloaded_total"]),
    file_failures_total: {
      http: number(failures["http"]),
      network: number(failures["network"]),
      timeout: number(failures["timeout"]),
      disk: number(failures["disk"]),
      unknown: number(failures["unknown"]),
    },
    recordings_deleted_total: {
      age: number(deleted["age"]),
      room: number(deleted["room"]),
      hand: number(deleted["hand"]),
    },
  };
}
