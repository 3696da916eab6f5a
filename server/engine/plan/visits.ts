import { type Clock, steadyTime } from "../../clock.ts";
import { afterContact, type OpenVisit, type Visit, visitOf, withBytes } from "../../domain/plan/visit.ts";
import type { VisitRecords } from "../../store/config/visit_records.ts";

/** Without a contact for so long the visit has ended: it is not known where the camera was meanwhile. */
const MOST_SILENT_MS = 3_600_000;
/** Milliseconds between two notes of what a visit brings, in case the process is killed. */
const NOTED_MS = 30_000;
/** So large a part of a long visit that brings nothing may be lost: a disk can sleep meanwhile. */
const NOTED_PART = 0.1;

/** Visits of the camera: the one that goes on, and those of two years. */
export class Visits {
  readonly #clock: Clock;
  readonly #records: VisitRecords;
  #id: number;
  #open: OpenVisit | null = null;
  /** Times on a clock that nobody sets, in milliseconds. */
  #contactAt = 0;
  #notedAt = 0;
  #version = 0;
  #ended: { readonly version: number; readonly since: number; readonly visits: readonly Visit[] } | null = null;

  constructor(parts: { clock: Clock; records: VisitRecords }) {
    this.#clock = parts.clock;
    this.#records = parts.records;
    this.#id = this.#records.begin(this.#clock.now() / 1000);
  }

  /** Another number when a visit has begun or ended. */
  get version(): number {
    this.#endSilent();
    return this.#version;
  }

  /** The visit that goes on; null when there is none. */
  get current(): Visit | null {
    this.#endSilent();
    return this.#open && visitOf(this.#open, false);
  }

  /** Number of the visit that goes on; null when there is none. */
  get number(): number | null {
    return this.current === null ? null : this.#id;
  }

  /**
   * Visits whose last contact was at or after this time, in epoch milliseconds, newest first; the one that goes on too.
   */
  all(since: number): readonly Visit[] {
    const { current } = this;
    const ended = this.ended(since);
    return current === null ? ended : [current, ...ended];
  }

  /** As `all`, without the one that goes on. Read once until a visit ends. */
  ended(since: number): readonly Visit[] {
    this.#endSilent();
    if (this.#ended?.version !== this.#version || this.#ended.since > since) {
      const visits = this.#records.since(since / 1000).filter(({ to }) => to !== null);
      this.#ended = { version: this.#version, since, visits };
    }
    return this.#ended.visits.filter(({ to }) => (to ?? 0) >= since);
  }

  /** The camera has just been reached. */
  contact(): void {
    const { from, last } = this.#touch();
    this.#noteAfter(Math.max(NOTED_MS, (last - from) * NOTED_PART));
  }

  /** Bytes have come home. @param rates at which videos among them came, in bytes per second */
  came(bytes: number, rates: readonly number[]): void {
    this.#open = withBytes(this.#touch(), bytes, rates);
    this.#noteAfter(NOTED_MS);
  }

  /** The camera is away, or nobody looks for it any more: the visit has ended with its last contact. */
  gone(): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    this.#records.put(this.#id++, visitOf(open, true));
    this.#version++;
  }

  close(): void {
    this.gone();
  }

  #touch(): OpenVisit {
    this.#endSilent();
    const elapsed = steadyTime(this.#clock);
    const isNew = this.#open === null;
    const open = afterContact(this.#open, this.#clock.now(), elapsed - this.#contactAt);
    this.#open = open;
    this.#contactAt = elapsed;
    if (isNew) {
      this.#version++;
      this.#notedAt = Number.NEGATIVE_INFINITY;
    }
    return open;
  }

  #endSilent(): void {
    if (this.#open !== null && steadyTime(this.#clock) - this.#contactAt > MOST_SILENT_MS) this.gone();
  }

  #noteAfter(ms: number): void {
    const elapsed = steadyTime(this.#clock);
    if (this.#open === null || elapsed - this.#notedAt < ms) return;
    this.#notedAt = elapsed;
    this.#records.put(this.#id, visitOf(this.#open, false));
  }
}
