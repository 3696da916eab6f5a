import type { Clock } from "../../clock.ts";
import { nextFire, scheduleInForce } from "../../domain/settings/schedule.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { TimeFormat } from "../../domain/text/time_format.ts";
import type { Log } from "../../log.ts";
import { Topic } from "../../topic.ts";
import type { Job } from "./job.ts";

/** Machines suspend and clocks jump: no sleep is longer than this, and after each the wall clock is read. */
const LONGEST_SLEEP_MS = 30_000;
/** A wall clock this far behind where it was has been set back. */
const SET_BACK_MS = 2000;

export interface NextRun {
  /** Epoch milliseconds; null when the schedule never fires. */
  at: number | null;
  paused: boolean;
  cron_expression: string;
  timezone: string;
}

/** The settings as the scheduler reads them: now, and when they change. */
export interface ScheduleSource {
  readonly current: Settings;
  onChange(listener: (now: Settings, before: Settings) => void): () => void;
}

/** Parts of the job that the scheduler needs. */
export type JobStarter = Pick<Job, "start" | "isRunning" | "snapshot">;

/**
 * Starts a scheduled job whenever the schedule fires. A late wake-up runs once; ticks while it is paused or busy, or
 * before there is a camera's address, run nothing.
 */
export class Scheduler {
  /** When the next run comes, in epoch milliseconds, as often as that moves; null when none does. */
  readonly moved = new Topic<number | null>(null);
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #settings: ScheduleSource;
  readonly #closing = new AbortController();
  readonly #offChange: () => void;
  #woken = new AbortController();
  #next: number | null = null;
  /** The last result of `next`, with its schedule, zone and start. */
  #computed: { wanted: string; zone: string; from: number; run: NextRun } | null = null;
  /** The last result of `inWords`, with its schedule and format. */
  #worded: { readonly cron: string; readonly hours: TimeFormat["hours"]; readonly text: string } | null = null;
  #hasLoggedNoAddress = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(parts: { clock: Clock; log: Log; settings: ScheduleSource }) {
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#settings = parts.settings;
    this.#offChange = parts.settings.onChange((now, before) => this.#changed(now, before));
  }

  /** From here on it starts this job whenever the schedule fires. */
  start(job: JobStarter): void {
    this.#arm();
    this.#loop = this.#wait(job);
  }

  /** When the next scheduled run comes, by the same evaluator that fires it. */
  next(): NextRun {
    const { paused, cron_expression: wanted, timezone: zone } = this.#settings.current.schedule;
    const now = this.#clock.now();
    const known = this.#computed;
    // It stays the next one until it has come; every page asks for it.
    if (known?.wanted === wanted && known.zone === zone && known.from <= now && now < (known.run.at ?? 0))
      return { ...known.run, paused };
    const { cron_expression, timezone } = scheduleInForce(this.#settings.current.schedule);
    const run = { at: nextFire(cron_expression, timezone, now), paused, cron_expression, timezone };
    this.#computed = { wanted, zone, from: now, run };
    return run;
  }

  /**
   * The schedule in force as `say` words it. The words are kept: every page shows them, and it takes long to find them.
   * The code that finds them is loaded when a page asks.
   */
  inWords(format: TimeFormat, say: (cron: string, format: TimeFormat) => string): string {
    const cron = this.next().cron_expression;
    if (this.#worded?.cron !== cron || this.#worded.hours !== format.hours)
      this.#worded = { cron, hours: format.hours, text: say(cron, format) };
    return this.#worded.text;
  }

  async close(): Promise<void> {
    this.#offChange();
    this.#closing.abort();
    this.#woken.abort();
    await this.#loop;
  }

  #changed(now: Settings, before: Settings): void {
    const a = now.schedule;
    const b = before.schedule;
    if (a.cron_expression === b.cron_expression && a.timezone === b.timezone) return;
    this.#log.info(
      "scheduler",
      `Schedule changed from "${b.cron_expression}" (${b.timezone}) to "${a.cron_expression}" (${a.timezone})`,
    );
    this.#arm();
    this.#woken.abort();
  }

  #arm(): void {
    const { cron_expression, timezone } = scheduleInForce(this.#settings.current.schedule);
    const next = nextFire(cron_expression, timezone, this.#clock.now());
    if (next === this.#next) return;
    this.#next = next;
    this.moved.set(next);
  }

  async #wait(job: JobStarter): Promise<void> {
    let seen = this.#clock.now();
    while (!this.#closing.signal.aborted) {
      const now = this.#clock.now();
      // Set back, the clock would keep us waiting for a time that was computed from the future.
      if (now < seen - SET_BACK_MS) this.#arm();
      seen = now;
      if (this.#next !== null && now >= this.#next) {
        // First: the next time is published together with the start of the run.
        this.#arm();
        this.#fire(job);
      }
      const left = this.#next === null ? LONGEST_SLEEP_MS : this.#next - this.#clock.now();
      this.#woken = new AbortController();
      try {
        await this.#clock.sleep(Math.max(1, Math.min(left, LONGEST_SLEEP_MS)), this.#woken.signal);
      } catch {
        // woken by a change, or closing
      }
    }
  }

  #fire(job: JobStarter): void {
    if (this.#settings.current.connection.address === "") {
      // Logged once: until the address is set it is the same at every tick.
      if (!this.#hasLoggedNoAddress)
        this.#log.info("scheduler", "scheduled syncs are skipped until a camera address is set");
      this.#hasLoggedNoAddress = true;
      return;
    }
    this.#hasLoggedNoAddress = false;
    if (this.#settings.current.schedule.paused) {
      this.#log.info("scheduler", "scheduled sync skipped: schedule is paused");
      return;
    }
    if (job.isRunning) {
      this.#log.info("scheduler", `scheduled sync skipped: job ${job.snapshot.job_id} is still running`);
      return;
    }
    job.start("schedule");
  }
}
