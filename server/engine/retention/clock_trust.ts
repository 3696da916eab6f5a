import { type Clock, steadyTime } from "../../clock.ts";
import { hasNoAge, momentKey } from "../../domain/recordings/moment_number.ts";
import { baseOf, secondsOf } from "../../domain/recordings/recording_name.ts";
import { type ClockFacts, clockDoubt, firmDoubt, isOfNow } from "../../domain/retention/clock_doubt.ts";
import type { CameraList } from "../../domain/sync/camera_list.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import type { RetentionFacts, RetentionMemory } from "../../store/config/retention_memory.ts";
import type { RunHistory } from "../../store/config/run_history.ts";

const DAY = 86_400;

export interface ClockTrustParts {
  readonly memory: RetentionMemory;
  readonly history: Pick<RunHistory, "latest">;
  readonly segments: Pick<RecordingIndex, "newest">;
  /** The camera's last list. */
  readonly onCamera: () => Pick<CameraList, "size" | "momentAt"> | null;
  readonly clock: Clock;
}

/** Judges if the clock of this machine can be trusted with deleting. */
export class ClockTrust {
  readonly #parts: ClockTrustParts;
  /** The wall clock and the steady one at a moment when they were right, milliseconds. */
  #right: { readonly wall: number; readonly steady: number };
  /** A doubt at the start of a run stays until its end, unless a recording that is just listed removes it. */
  #mayConfirm = true;

  constructor(parts: ClockTrustParts) {
    this.#parts = parts;
    this.#right = this.#now();
  }

  /**
   * Returns the time that a deletion is dated by, epoch milliseconds. A clock behind the last run and the newest
   * recording has lost its time. Files dated by it would be purged as soon as the clock is right. Only one of the two
   * in the future may come from a clock that was ahead.
   */
  async datedAt(): Promise<number> {
    const { clock, history } = this.#parts;
    const newest = await this.newest();
    const recorded = newest === null ? 0 : secondsOf(newest);
    return Math.max(clock.now(), Math.min(history.latest()?.ts ?? 0, recorded) * 1000);
  }

  /** Called before a run adds its row to the history: a doubt is remembered from here on. */
  async beforeRun(): Promise<void> {
    await this.#confirm();
    const facts = await this.#facts();
    const why = this.#judge(facts);
    this.#mayConfirm = firmDoubt(facts) === null;
    if (why !== null) await this.#parts.memory.set({ clock: { newest: await this.#latest(), why } });
  }

  /** Called when a run has its row in the history. */
  async afterRun(): Promise<void> {
    this.#mayConfirm = true;
    await this.#parts.memory.set({ ranAt: this.#parts.clock.now() / 1000 });
  }

  /** Tells why the clock cannot be trusted with deleting, as a sentence without a full stop; null when it can. */
  async doubt(): Promise<string | null> {
    const why = this.#judge(await this.#facts());
    if (why !== null) return why;
    if (this.#mayConfirm) await this.#confirm();
    return this.#parts.memory.facts.clock?.why ?? null;
  }

  /** A user says that the clock is right. @returns what is to be remembered of that */
  async accept(): Promise<Pick<RetentionFacts, "clock" | "accepted" | "ranAt">> {
    const { history, clock } = this.#parts;
    this.#right = this.#now();
    const accepted = { run: history.latest()?.ts ?? null, newest: await this.newest() };
    return { clock: null, accepted, ranAt: clock.now() / 1000 };
  }

  /** The newest recording at home, `YYYYMMDD_HHMMSS`; null while there is none. This refreshes the library. */
  async newest(): Promise<string | null> {
    const { base } = await this.#parts.segments.newest().catch(() => ({ base: null }));
    return base;
  }

  /** A recording of these days that came since the doubt did vouches for the clock. */
  async #confirm(): Promise<void> {
    const { memory, clock } = this.#parts;
    const doubted = memory.facts.clock;
    if (doubted === null) return;
    const latest = await this.#latest();
    if (latest !== doubted.newest && isOfNow(latest, clock.now() / 1000)) await memory.set({ clock: null });
  }

  async #facts(): Promise<ClockFacts> {
    const { memory, history } = this.#parts;
    const { accepted, ranAt } = memory.facts;
    const newest = await this.newest();
    const last = history.latest()?.ts ?? null;
    // A time that a user has accepted is no reason for doubt any more.
    const isAccepted = accepted !== null && (last ?? 0) <= (accepted.run ?? 0);
    const { wall, steady } = this.#now();
    return {
      now: wall / 1000,
      last_run: isAccepted ? ranAt : last,
      newest: accepted?.newest === newest ? null : newest,
      on_camera: this.#onCamera,
      gained: (wall - this.#right.wall - (steady - this.#right.steady)) / 1000,
    };
  }

  #judge(facts: ClockFacts): string | null {
    const why = clockDoubt(facts);
    // A leap that was confirmed once, as after days of sleep, needs no recording of each day.
    if (why === null && Math.abs(facts.gained) > DAY) this.#right = this.#now();
    return why;
  }

  /** The newest recording there is, at home or on the camera. */
  async #latest(): Promise<string | null> {
    const home = await this.newest();
    const camera = this.#onCamera;
    return home === null || (camera !== null && camera > home) ? camera : home;
  }

  get #onCamera(): string | null {
    const list = this.#parts.onCamera();
    const moment = list === null || list.size === 0 ? null : list.momentAt(list.size - 1);
    return moment === null || hasNoAge(moment) ? null : baseOf(momentKey(moment));
  }

  #now(): { wall: number; steady: number } {
    const { clock } = this.#parts;
    return { wall: clock.now(), steady: steadyTime(clock) };
  }
}
