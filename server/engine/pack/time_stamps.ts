import type { Clock } from "../../clock.ts";
import { isSame } from "../../domain/pack/ssh_signature_format.ts";
import { readStamp, stampRequest } from "../../domain/pack/timestamp_protocol.ts";
import type { StampState } from "../../domain/pack/verify_text.ts";
import { type Log, messageOf } from "../../log.ts";
import { askForStamp, STAMP_MS, StampProblem } from "../../remote/timestamp_authority.ts";
import type { StampFiles } from "../../store/config/stamp_files.ts";

/** Time for which an authority is not asked again about the same hash: a download goes on with the same bytes. */
const RESTS_MS = 3_600_000;
/** Failures remembered. */
const MOST_FAILURES = 1000;

export interface StampOfPack {
  readonly stamp: Uint8Array | null;
  readonly state: StampState;
}

interface Parts {
  readonly files: StampFiles;
  readonly clock: Clock;
  readonly log: Log;
  /** Time that an authority may take. */
  readonly limitMs?: number;
}

/** The time stamps of packs: each hash is stamped once, and has the same stamp from then on. */
export class TimeStamps {
  readonly #parts: Parts;
  /** Times of failures on the clock that never jumps, by hash and address. */
  readonly #failed = new Map<string, number>();
  /** Requests on their way, by hash and address. */
  readonly #asking = new Map<string, Promise<Uint8Array | null>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Returns the stamp of a list; none where that is not wanted, or not to be had.
   * @param address of the authority; null for none
   * @throws the signal's reason when the client has gone
   */
  async of(sums: Uint8Array, address: string | null, signal: AbortSignal): Promise<StampOfPack> {
    if (address === null) return { stamp: null, state: "off" };
    const hash = new Uint8Array(new Bun.CryptoHasher("sha256").update(sums).digest());
    const kept = await this.#kept(hash);
    if (kept) return { stamp: kept, state: "stamped" };
    const order = `${hash.toHex()} ${address}`;
    const failedAt = this.#failed.get(order);
    if (failedAt !== undefined && this.#parts.clock.elapsed() - failedAt < RESTS_MS)
      return { stamp: null, state: "failed" };
    // The request goes on when its client has gone: the next one finds the stamp.
    let asking = this.#asking.get(order);
    if (asking === undefined) {
      asking = this.#ask(hash, address, order).finally(() => this.#asking.delete(order));
      this.#asking.set(order, asking);
    }
    const stamp = await untilAborted(asking, signal);
    return { stamp, state: stamp ? "stamped" : "failed" };
  }

  async #kept(hash: Uint8Array): Promise<Uint8Array | null> {
    const stamp = await this.#parts.files.read(hash.toHex());
    if (stamp === null || isStampOf(stamp, hash)) return stamp;
    await this.#parts.files.remove(hash.toHex());
    return null;
  }

  async #ask(hash: Uint8Array, address: string, order: string): Promise<Uint8Array | null> {
    const { files, log, clock, limitMs = STAMP_MS } = this.#parts;
    try {
      const stamp = await askForStamp(address, stampRequest(hash), new AbortController().signal, limitMs);
      if (!isStampOf(stamp, hash)) throw new StampProblem(`${new URL(address).host} sent no time stamp of this hash.`);
      return await files.keep(hash.toHex(), stamp);
    } catch (error) {
      log.warning("http", `A pack comes without a time stamp. ${messageOf(error)}`);
      this.#failed.set(order, clock.elapsed());
      const [oldest] = this.#failed.keys();
      if (this.#failed.size > MOST_FAILURES && oldest !== undefined) this.#failed.delete(oldest);
      return null;
    }
  }
}

function isStampOf(stamp: Uint8Array, hash: Uint8Array): boolean {
  const found = readStamp(stamp);
  return found !== null && isSame(found.hash, hash);
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
