import { momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import type { GivenUpFile } from "../../store/config/given_up_file.ts";

/** Recordings on the card that the camera cannot read, and that a user does not wait for any more. */
export class GivenUp {
  readonly #file: Pick<GivenUpFile, "read" | "write" | "isSaved" | "close">;
  #moments: ReadonlySet<number> = new Set();
  #revision = 0;

  constructor(file: Pick<GivenUpFile, "read" | "write" | "isSaved" | "close">) {
    this.#file = file;
  }

  /** Reads what was given up before a restart. */
  async open(): Promise<void> {
    this.#moments = new Set((await this.#file.read())?.map(momentNumber));
  }

  /** True when a restart forgets nothing. */
  get isSaved(): boolean {
    return this.#file.isSaved;
  }

  /** Another number when others are given up. */
  get revision(): number {
    return this.#revision;
  }

  get moments(): ReadonlySet<number> {
    return this.#moments;
  }

  add(moments: Iterable<number>): Promise<void> {
    return this.#keep(new Set([...this.#moments, ...moments]));
  }

  /** These are waited for again. */
  takeBack(moments: Iterable<number>): Promise<void> {
    return this.#keep(this.#moments.difference(new Set(moments)));
  }

  /** Forgets those that the card does not have any more. */
  async forget(isListed: (moment: number) => boolean): Promise<void> {
    if (this.#moments.size > 0) await this.#keep(new Set([...this.#moments].filter(isListed)));
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#file.close();
  }

  async #keep(moments: ReadonlySet<number>): Promise<void> {
    if (moments.size === this.#moments.size && moments.isSubsetOf(this.#moments)) return;
    this.#moments = moments;
    this.#revision++;
    await this.#file.write([...moments].sort((one, other) => one - other).map(momentKey));
  }
}
