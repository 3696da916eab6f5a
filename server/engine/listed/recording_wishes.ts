import type { DownloadQueue } from "../../domain/sync/download_queue.ts";
import { NO_WISHES, type Wishes, type WishesFile } from "../../store/config/wishes_file.ts";

/** Users' wishes for recordings that are still on the camera: some come first, and some are not needed. */
export class RecordingWishes {
  readonly #file: WishesFile;
  readonly #followers: (() => Promise<unknown>)[] = [];
  #wishes: Wishes = NO_WISHES;
  #queue: DownloadQueue | null = null;
  #revision = 0;

  constructor(file: WishesFile) {
    this.#file = file;
  }

  /** Calls `follow` when a wish is another. The caller that changed it waits until that is done. */
  onChange(follow: () => Promise<unknown>): void {
    this.#followers.push(follow);
  }

  /** Reads what was wanted before a restart. */
  async open(): Promise<void> {
    this.#wishes = await this.#file.read();
  }

  /** True when the wishes outlive a restart. */
  get isSaved(): boolean {
    return this.#file.isSaved;
  }

  /** Another number when a wish is another. */
  get revision(): number {
    return this.#revision;
  }

  /** Moments that come before all others, in this order. */
  get first(): readonly number[] {
    return this.#wishes.first;
  }

  /** Number of moments that are not needed. */
  get unwantedCount(): number {
    return this.#wishes.unwanted.size;
  }

  /** Moments that come whatever the rules say. */
  get anyway(): ReadonlySet<number> {
    return this.#wishes.anyway;
  }

  isUnwanted(moment: number): boolean {
    return this.#wishes.unwanted.has(moment);
  }

  /** Recordings that the run in progress is to fetch; null while there is none. */
  get queue(): DownloadQueue | null {
    return this.#queue;
  }

  /** A run begins to fetch; it gives the queue up when it has. */
  follow(queue: DownloadQueue | null): void {
    this.#queue = queue;
  }

  /** Moves these to the front, before what was put there earlier. */
  prioritize(moments: readonly number[]): Promise<void> {
    const chosen = new Set(moments);
    const unwanted = new Set([...this.#wishes.unwanted].filter((moment) => !chosen.has(moment)));
    const first = [...moments, ...this.#wishes.first.filter((moment) => !chosen.has(moment))];
    this.#queue?.prioritize(moments);
    return this.#keep({ ...this.#wishes, first, unwanted });
  }

  /** These come with the next run, whatever the rules say, as long as the camera has them. */
  bringAnyway(moments: readonly number[]): Promise<void> {
    return this.#keep({ ...this.#wishes, anyway: new Set([...this.#wishes.anyway, ...moments]) });
  }

  /** These are not asked for any more. */
  leaveOut(moments: readonly number[]): Promise<void> {
    const chosen = new Set(moments);
    const first = this.#wishes.first.filter((moment) => !chosen.has(moment));
    const anyway = new Set([...this.#wishes.anyway].filter((moment) => !chosen.has(moment)));
    return this.#keep({ first, unwanted: new Set([...this.#wishes.unwanted, ...moments]), anyway });
  }

  /** These are wanted after all. */
  takeBack(moments: readonly number[]): Promise<void> {
    const chosen = new Set(moments);
    const unwanted = new Set([...this.#wishes.unwanted].filter((moment) => !chosen.has(moment)));
    return this.#keep({ ...this.#wishes, unwanted });
  }

  /** Forgets wishes for what came home, and for what the camera does not have any more. */
  async forget(isWaiting: (moment: number) => boolean, isListed: (moment: number) => boolean): Promise<void> {
    const first = this.#wishes.first.filter(isWaiting);
    const unwanted = new Set([...this.#wishes.unwanted].filter(isListed));
    const anyway = new Set([...this.#wishes.anyway].filter(isListed));
    const { first: asked, unwanted: left, anyway: all } = this.#wishes;
    if (first.length === asked.length && unwanted.size === left.size && anyway.size === all.size) return;
    await this.#keep({ first, unwanted, anyway });
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#file.close();
  }

  async #keep(wishes: Wishes): Promise<void> {
    this.#wishes = wishes;
    this.#revision++;
    await Promise.all([this.#file.write(wishes), ...this.#followers.map((follow) => follow())]);
  }
}
