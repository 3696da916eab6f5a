import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { type Log, messageOf } from "../../log.ts";
import { Turns } from "../../turns.ts";
import { isFolder } from "../path_facts.ts";
import type { DestinationIdentity } from "./destination_identity.ts";
import { acquireLock, LockFailed, LockHeld, lockHolder } from "./destination_lock.ts";
import { DestinationProblem } from "./destination_problem.ts";
import { makeOwnFolder, OWN_FOLDER } from "./own_folder.ts";

/** Recordings cannot be moved now; the sentence says why, without a full stop. Nothing was changed. */
export class TrashUnusable extends Error {
  override readonly name = "TrashUnusable";
}

export interface GuardParts {
  readonly root: string;
  /** Without it any folder at that path is taken. */
  readonly identity?: Pick<DestinationIdentity, "refusalOfWork">;
  readonly clock: Clock;
  readonly log: Log;
  /** Name of this process's work, for the log of another one. */
  readonly command?: string;
}

/**
 * Lets one piece of work at a time change what is ours in the destination: trash, kept recordings, deleted ones. It is
 * not the lock of a sync, which may take hours; a person who restores a recording meanwhile does not wait for it.
 */
export class OwnFolderGuard {
  readonly root: string;
  readonly #parts: GuardParts;
  readonly #turns = new Turns(1);

  constructor(parts: GuardParts) {
    this.root = parts.root;
    this.#parts = parts;
  }

  /** Runs the work after all before it, alone. @throws TrashUnusable, and what the work throws */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(() => this.#alone(work));
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const { root, identity, clock, log, command = "serve" } = this.#parts;
    const [refusal] = (await identity?.refusalOfWork()) ?? [];
    if (refusal !== undefined) throw new TrashUnusable(refusal);
    if (!isFolder(root)) throw new TrashUnusable("the recordings folder is not there; is its disk mounted?");
    let lock: ReturnType<typeof acquireLock>;
    try {
      await makeOwnFolder(root);
      lock = acquireLock(root, lockHolder(command, clock), { log, clock, file: join(OWN_FOLDER, "lock") });
    } catch (error) {
      throw new TrashUnusable(whyNot(error), { cause: error });
    }
    try {
      return await work();
    } catch (error) {
      throw error instanceof DestinationProblem ? new TrashUnusable(error.message) : error;
    } finally {
      lock.release();
    }
  }
}

function whyNot(error: unknown): string {
  if (error instanceof LockHeld) return "another Dashdock is moving recordings in this folder just now; try again";
  if (error instanceof LockFailed) return error.message;
  return `the folder ${OWN_FOLDER} in the recordings folder cannot be used (${messageOf(error)})`;
}
