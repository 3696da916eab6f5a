import * as v from "valibot";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

/** More sign-outs than one household makes in the life of a session. */
const MOST = 1000;

const REVOCATION = v.object({
  id: v.string(),
  issued: v.number(),
  /** When it would have ended anyway and can be forgotten. */
  until: v.number(),
});
/** A session that was ended before its time. Times are epoch milliseconds. */
export type Revocation = Readonly<v.InferOutput<typeof REVOCATION>>;

const FILE = v.object({
  /** Sessions that began up to this moment have all ended. */
  ended_until: v.number(),
  sessions: v.array(REVOCATION),
});
type Revoked = v.InferOutput<typeof FILE>;

export interface SessionRevocationsOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The sessions that were signed out, kept in a file so that a restart does not revive them. The list is bounded: when it
 * is full, the older half goes, and with it every session that began no later than those did.
 */
export class SessionRevocations {
  readonly #clock: Clock;
  readonly #file: RememberedFile<Revoked>;
  readonly #entries: Map<string, Revocation>;
  #endedUntil: number;

  private constructor(clock: Clock, file: RememberedFile<Revoked>, { ended_until, sessions }: Revoked) {
    this.#clock = clock;
    this.#file = file;
    this.#entries = new Map(sessions.map((session) => [session.id, session]));
    this.#endedUntil = ended_until;
  }

  /** Reads the file. One that cannot be used ends all sessions: which of them were ended cannot be known any more. */
  static async open({ path, clock, log }: SessionRevocationsOptions): Promise<SessionRevocations> {
    const file = new RememberedFile<Revoked>({
      path,
      log,
      logger: "http",
      format: jsonFormat(FILE),
      loss: "everyone has to sign in again",
      unwritten: "a session that was signed out may hold again after a restart",
    });
    const allEnded: Revoked = { ended_until: clock.now(), sessions: [] };
    const found = await file.read(allEnded);
    if (found === allEnded) await file.write(allEnded);
    return new SessionRevocations(clock, file, found ?? { ended_until: 0, sessions: [] });
  }

  has(id: string, issued: number): boolean {
    return issued <= this.#endedUntil || this.#entries.has(id);
  }

  /** Ends a session at once; resolves when that would survive a restart. */
  add(revocation: Revocation): Promise<void> {
    this.#entries.set(revocation.id, revocation);
    this.#forget();
    return this.#file.write({ ended_until: this.#endedUntil, sessions: [...this.#entries.values()] });
  }

  #forget(): void {
    const now = this.#clock.now();
    for (const { id, until } of [...this.#entries.values()]) if (until <= now) this.#entries.delete(id);
    if (this.#entries.size <= MOST) return;
    const oldestFirst = [...this.#entries.values()].sort((a, b) => a.issued - b.issued);
    for (const { id, issued } of oldestFirst.slice(0, MOST / 2)) {
      this.#entries.delete(id);
      this.#endedUntil = Math.max(this.#endedUntil, issued);
    }
  }
}
