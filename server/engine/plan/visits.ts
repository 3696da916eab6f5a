import { type Clock, steadyTime } from "../../clock.ts";
import { afterContact, type OpenVisit, type Visit, visitOf, withBytes } from "../../domain/plan/visit.ts";
import type { VisitRecords } from "../../store/config/visit_records.ts";

/** A contact after so long begins another visit: nobody knows where the camera was meanwhile. */
const MOST_SILENT_MS = 3_600_000;
/** Milliseconds between two notes of a visit that goes on, in case the process is killed. */
const NOTED_MS = 30_000;

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
    return this.#version;
  }

  /** The visit that goes on; null when there is none. */
  get current(): Visit | null {
    return this.#open && visitOf(this.#open, false);
  }

  /** Visits whose last contact was at or after this time, in epoch milliseconds, newest first; the one that goes on too. */
  all(since: number): readonly Visit[] {
    const ended = this.ended(since);
    return this.current === null ? ended : [this.current, ...ended];
  }

  /** As `all`, without the one that goes on. Read once until a visit ends. */
  ended(since: number): readonly Visit[] {
    if (this.#ended?.version !== this.#version || this.#ended.since > since) {
      const visits = this.#records.since(since / 1000).filter(({ to }) => to !== null);
      this.#ended = { version: this.#version, since, visits };
    }
    return this.#ended.visits.filter(({ to }) => (to ?? 0) >= since);
  }

  /** The camera has just been reached. */
  contact(): void {
    const elapsed = steadyTime(this.#clock);
    if (this.#open !== null && elapsed - this.#contactAt > MOST_SILENT_MS) this.gone();
    const isNew = this.#open === null;
    this.#open = afterContact(this.#open, this.#clock.now(), elapsed - this.#contactAt);
    this.#contactAt = elapsed;
    if (isNew) this.#version++;
    if (isNew || elapsed - this.#notedAt >= NOTED_MS) this.#note();
  }

  /** Bytes have come home. @param rates at which videos among them came, in bytes per second */
  came(bytes: number, rates: readonly number[]): void {
    this.contact();
    if (this.#open !== null) this.#open = withBytes(this.#open, bytes, rates);
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

  #note(): void {
    if (this.#open === null) return;
    this.#notedAt = steadyTime(this.#clock);
    this.#records.put(this.#id, visitOf(this.#open, false));
  }
}
