import { readFile } from "node:fs/promises";
import type { Clock } from "../../clock.ts";
import { isObject } from "../../domain/settings/settings_migrations.ts";
import type { Log } from "../../log.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

const LOGGER = "http";
/** More sign-outs than one household makes in the life of a session. */
const MOST = 1000;

/** A session that was ended before its time. Times are epoch milliseconds. */
export interface Revocation {
  readonly id: string;
  readonly issued: number;
  /** When it would have ended anyway and can be forgotten. */
  readonly until: number;
}

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
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #entries: Map<string, Revocation>;
  /** Sessions that began up to this moment have all ended. */
  #endedUntil: number;
  #saving: Promise<void> = Promise.resolve();
  /** The save that has not begun yet and will hold whatever is added until it does. */
  #nextSave: Promise<void> | null = null;

  private constructor(
    { path, clock, log }: SessionRevocationsOptions,
    entries: readonly Revocation[],
    endedUntil: number,
  ) {
    this.#path = path;
    this.#clock = clock;
    this.#log = log;
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#endedUntil = endedUntil;
  }

  /** Reads the file. One that cannot be read ends all sessions: which of them were ended cannot be known any more. */
  static async open(options: SessionRevocationsOptions): Promise<SessionRevocations> {
    const { path, clock, log } = options;
    try {
      const { entries, endedUntil } = parse(await readFile(path, "utf8"));
      return new SessionRevocations(options, entries, endedUntil);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return new SessionRevocations(options, [], 0);
      log.warning(
        LOGGER,
        `${path} cannot be used (${errorCode(error) || String(error)}): everyone has to sign in again`,
      );
      const revocations = new SessionRevocations(options, [], clock.now());
      await revocations.#save();
      return revocations;
    }
  }

  has(id: string, issued: number): boolean {
    return issued <= this.#endedUntil || this.#entries.has(id);
  }

  /** Ends a session at once; resolves when that would survive a restart. */
  add(revocation: Revocation): Promise<void> {
    this.#entries.set(revocation.id, revocation);
    this.#forget();
    this.#nextSave ??= this.#saving.then(() => this.#save());
    this.#saving = this.#nextSave;
    return this.#saving;
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

  async #save(): Promise<void> {
    this.#nextSave = null;
    const text = JSON.stringify({ ended_until: this.#endedUntil, sessions: [...this.#entries.values()] });
    try {
      await replaceFile(this.#path, `${text}\n`);
    } catch (error) {
      const what = `${this.#path} could not be written (${errorCode(error) || String(error)})`;
      this.#log.warning(LOGGER, `${what}: a session that was signed out may hold again after a restart`);
    }
  }
}

function parse(text: string): { entries: readonly Revocation[]; endedUntil: number } {
  const root: unknown = JSON.parse(text);
  if (!isObject(root)) throw new Error("not an object");
  const { ended_until: endedUntil, sessions } = root;
  if (typeof endedUntil !== "number" || !Array.isArray(sessions) || !sessions.every(isRevocation)) {
    throw new Error("not a list of sessions");
  }
  return { entries: sessions, endedUntil };
}

function isRevocation(value: unknown): value is Revocation {
  if (!isObject(value)) return false;
  return typeof value["id"] === "string" && typeof value["issued"] === "number" && typeof value["until"] === "number";
}
