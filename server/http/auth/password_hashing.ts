import type { Clock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { LONGEST_PASSWORD } from "../../domain/settings/password_length.ts";
import { Turns } from "../../turns.ts";
import type { Question, Reply } from "./password_worker.ts";

/** No check takes this long; a worker that needs longer is stuck. */
const ANSWER_MS = 30_000;
/** The worker and its memory are given back when no sign-in comes for this long. */
const IDLE_MS = 30_000;
/** In each of the two lines. */
const MOST_WAITING = 32;
const RETRY_SECONDS = 5;

/** Form of a hash of this or another program. One that asks for more than this matches no password. */
const HASH = /^\$argon2(?:id|i|d)\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,2}),p=([0-9]{1,2})\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/;
const MOST_MEMORY_KIB = 1_048_576;
/** The cost of ours and an unknown password: checked when there is no usable hash, so that this takes as long. */
const NO_PASSWORD = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/**
 * Hashes and checks passwords with Argon2id, one after the other, in a worker that is there only while it is needed.
 * Browsers that have signed in before wait in a line of their own, which comes first: guesses of strangers do not keep
 * them out. Close it, or the process waits for the worker.
 */
export class Passwords {
  readonly #clock: Clock;
  #worker: HashWorker | null = null;
  readonly #turns = new Turns(1);
  /** Numbers of those who wait in each line; the one whose turn it is counts as well. */
  readonly #count = { known: 0, strangers: 0 };
  #idle: AbortController | null = null;
  #isClosed = false;

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  get hasWorker(): boolean {
    return this.#worker !== null;
  }

  /**
   * The hash of a new password, as a PHC string.
   * @param isKnown whether a browser asks that has signed in before
   * @throws AppError RATE_LIMITED when too many wait
   */
  async hash(password: string, isKnown = false): Promise<string> {
    const salt = crypto.getRandomValues(new Uint8Array(16));
    const reply = await this.#ask({ kind: "hash", password, salt }, isKnown);
    if ("text" in reply) return reply.text;
    throw new Error(`A password could not be hashed: ${"failure" in reply ? reply.failure : "no hash"}`);
  }

  /**
   * True when a hash is that of the password. A hash that makes no sense matches none; finding that out takes as long.
   * @param isKnown whether a browser asks that has signed in before
   * @throws AppError RATE_LIMITED when too many wait
   */
  async verify(password: string, hash: string, isKnown = false): Promise<boolean> {
    const isUsable = isSane(hash) && password.length <= 2 * LONGEST_PASSWORD;
    const reply = isUsable ? await this.#ask({ kind: "verify", password, hash }, isKnown) : null;
    if (reply && "matches" in reply) return reply.matches;
    await this.#ask({ kind: "verify", password: "none", hash: NO_PASSWORD }, isKnown);
    return false;
  }

  /** Ends the worker; what was still being checked fails. */
  close(): void {
    this.#isClosed = true;
    this.#endWorker();
  }

  [Symbol.dispose] = (): void => this.close();

  async #ask(question: Question, isKnown: boolean): Promise<Reply> {
    const line = isKnown ? "known" : "strangers";
    if (this.#count[line] >= MOST_WAITING) {
      const message = "Too many people are signing in at this moment. Try again in a few seconds.";
      throw new AppError("RATE_LIMITED", message, { retry_after_seconds: RETRY_SECONDS });
    }
    this.#count[line]++;
    this.#idle?.abort();
    const leave = await this.#turns.enter(undefined, isKnown);
    try {
      return await this.#askWorker(question);
    } finally {
      this.#count[line]--;
      leave();
      if (!this.#turns.isBusy && this.#worker) this.#endWorkerWhenIdle();
    }
  }

  async #askWorker(question: Question): Promise<Reply> {
    if (this.#isClosed) throw new Error("Passwords are not checked any more: the service stops");
    this.#worker ??= new HashWorker();
    try {
      return await this.#worker.ask(question, this.#clock);
    } catch (error) {
      // One that broke or got stuck is not asked again; the next question starts another.
      this.#endWorker();
      throw error;
    }
  }

  #endWorker(): void {
    this.#idle?.abort();
    this.#worker?.end();
    this.#worker = null;
  }

  #endWorkerWhenIdle(): void {
    const idle = new AbortController();
    this.#idle = idle;
    this.#clock.sleep(IDLE_MS, idle.signal).then(
      () => this.#endWorker(),
      () => {},
    );
  }
}

/** The worker, asked one question at a time. */
class HashWorker {
  readonly #worker = new Worker(workerAddress());
  #fail: ((error: Error) => void) | null = null;

  async ask(question: Question, clock: Clock): Promise<Reply> {
    const grace = new AbortController();
    try {
      return await new Promise<Reply>((resolve, reject) => {
        this.#fail = reject;
        this.#worker.onmessage = ({ data }: MessageEvent<Reply>) => resolve(data);
        this.#worker.onerror = ({ message }) => reject(new Error(`The password worker broke: ${message}`));
        this.#worker.postMessage(question);
        clock.sleep(ANSWER_MS, grace.signal).then(
          () => reject(new Error("The password worker gave no answer")),
          () => {},
        );
      });
    } finally {
      grace.abort();
    }
  }

  end(): void {
    this.#worker.terminate();
    this.#fail?.(new Error("The password worker was ended"));
  }
}

/**
 * Returns the address of the worker. In an executable it is an entry point of its own. Its name is its place below the
 * folder that all entry points have in common, which is `server/`.
 */
function workerAddress(): string {
  const isExecutable = /\/\$bunfs\/|\/~BUN\//.test(import.meta.url);
  return isExecutable ? "./http/auth/password_worker.ts" : new URL("./password_worker.ts", import.meta.url).href;
}

function isSane(hash: string): boolean {
  const [, memory, passes, lanes] = HASH.exec(hash)?.map(Number) ?? [];
  return memory !== undefined && memory <= MOST_MEMORY_KIB && Number(passes) > 0 && Number(lanes) > 0;
}
