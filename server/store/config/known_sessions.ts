import * as v from "valibot";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";

/** More browsers than one household signs in with; the oldest go. */
const MOST = 200;
/** A session that is used says so on the disk no more often than that. */
const SAVED_EVERY_MS = 600_000;

const ENTRY = v.object({
  id: v.string(),
  /** Epoch milliseconds. */
  issued: v.number(),
  /** Mark of the password that the session began with. */
  password: v.string(),
  role: v.optional(v.picklist(["admin", "viewer"]), "admin"),
  browser: v.string(),
  is_phone: v.boolean(),
  address: v.string(),
  seen: v.number(),
});
const FORMAT = jsonFormat(v.object({ sessions: v.array(ENTRY) }));

/** A browser that has signed in, and when it was here last. */
export type KnownSession = v.InferOutput<typeof ENTRY>;

interface SessionList {
  readonly sessions: readonly KnownSession[];
}

export interface KnownSessionsOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Browsers that have signed in, for people to look through. The cookie alone lets a browser in: an entry that is lost
 * here is known again with its next request.
 */
export class KnownSessions {
  readonly #clock: Clock;
  readonly #file: RememberedFile<SessionList>;
  readonly #entries: Map<string, KnownSession>;
  #saved = 0;

  private constructor(clock: Clock, file: RememberedFile<SessionList>, entries: readonly KnownSession[]) {
    this.#clock = clock;
    this.#file = file;
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
  }

  /** Reads the file; one that cannot be used counts as empty. */
  static async open({ path, clock, log }: KnownSessionsOptions): Promise<KnownSessions> {
    const loss = "browsers that have signed in are listed again with their next request";
    const file = new RememberedFile<SessionList>({ path, log, logger: "http", level: "debug", format: FORMAT, loss });
    return new KnownSessions(clock, file, (await file.read())?.sessions ?? []);
  }

  /** All of them, the one that was here last first. */
  get all(): readonly KnownSession[] {
    return [...this.#entries.values()].sort((one, other) => other.seen - one.seen);
  }

  /** Notes that a session was used just now. @returns false when it is not known */
  touch(id: string, address: string): boolean {
    const known = this.#entries.get(id);
    if (!known) return false;
    const now = this.#clock.now();
    this.#entries.set(id, { ...known, address, seen: now });
    if (now - this.#saved >= SAVED_EVERY_MS) this.#save();
    return true;
  }

  /** Notes a session that has begun, or goes on with another password. */
  note(session: Omit<KnownSession, "seen">): void {
    const now = this.#clock.now();
    this.#entries.set(session.id, { ...session, seen: now });
    if (this.#entries.size > MOST) for (const { id } of this.all.slice(MOST)) this.#entries.delete(id);
    this.#save();
  }

  /** Forgets those that hold no more. */
  keep(holds: (session: KnownSession) => boolean): void {
    const before = this.#entries.size;
    for (const session of this.all) if (!holds(session)) this.#entries.delete(session.id);
    if (this.#entries.size !== before) this.#save();
  }

  /** Resolves when everything is on the disk. */
  close(): Promise<void> {
    return this.#file.close();
  }

  #save(): void {
    this.#saved = this.#clock.now();
    void this.#file.write({ sessions: this.all });
  }
}
