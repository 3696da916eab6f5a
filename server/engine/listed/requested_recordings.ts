import type { DownloadQueue } from "../../domain/sync/download_queue.ts";
import { NOTHING_REQUESTED, type Requested, type RequestedFile } from "../../store/config/requested_file.ts";

/** Users' requested for recordings that are still on the camera: some come first, and some are not needed. */
export class RequestedRecordings {
  readonly #file: RequestedFile;
  readonly #followers: (() => Promise<unknown>)[] = [];
  #requested: Requested = NOTHING_REQUESTED;
  #queue: DownloadQueue | null = null;
  #revision = 0;

  constructor(file: RequestedFile) {
    this.#file = file;
  }

  /** Calls `follow` when a wish is another. The caller that changed it waits until that is done. */
  onChange(follow: () => Promise<unknown>): void {
    this.#followers.push(follow);
  }

  /** Reads what was wanted before a restart. */
  async open(): Promise<void> {
    this.#requested = await this.#file.read();
  }

  /** True when the requested outlive a restart. */
  get isSaved(): boolean {
    return this.#file.isSaved;
  }

  /** Another number when a wish is another. */
  get revision(): number {
    return this.#revision;
  }

  /** Moments that come before all others, in this order. */
  get first(): readonly number[] {
    return this.#requested.first;
  }

  /** Number of moments that are not needed. */
  get unwantedCount(): number {
    return this.#requested.unwanted.size;
  }

  /** Moments that come whatever the rules say. */
  get anyway(): ReadonlySet<number> {
    return this.#requested.anyway;
  }

  isUnwanted(moment: number): boolean {
    return this.#requested.unwanted.has(moment);
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
    const unwanted = new Set([...this.#requested.unwanted].filter((moment) => !chosen.has(moment)));
    const first = [...moments, ...this.#requested.first.filter((moment) => !chosen.has(moment))];
    this.#queue?.prioritize(moments);
    return this.#keep({ ...this.#requested, first, unwanted });
  }

  /** These come with the next run, whatever the rules say, as long as the camera has them. */
  bringAnyway(moments: readonly number[]): Promise<void> {
    return this.#keep({ ...this.#requested, anyway: new Set([...this.#requested.anyway, ...moments]) });
  }

  /** These are not asked for any more. */
  leaveOut(moments: readonly number[]): Promise<void> {
    const chosen = new Set(moments);
    const first = this.#requested.first.filter((moment) => !chosen.has(moment));
    const anyway = new Set([...this.#requested.anyway].filter((moment) => !chosen.has(moment)));
    return this.#keep({ first, unwanted: new Set([...this.#requested.unwanted, ...moments]), anyway });
  }

  /** These are wanted after all. */
  takeBack(moments: readonly number[]): Promise<void> {
    const chosen = new Set(moments);
    const unwanted = new Set([...this.#requested.unwanted].filter((moment) => !chosen.has(moment)));
    return this.#keep({ ...this.#requested, unwanted });
  }

  /** Forgets requested for what came home, and for what the camera does not have any more. */
  async forget(isWaiting: (moment: number) => boolean, isListed: (moment: number) => boolean): Promise<void> {
    const first = this.#requested.first.filter(isWaiting);
    const unwanted = new Set([...this.#requested.unwanted].filter(isListed));
    const anyway = new Set([...this.#requested.anyway].filter(isListed));
    const { first: asked, unwanted: left, anyway: all } = this.#requested;
    if (first.length === asked.length && unwanted.size === left.size && anyway.size === all.size) return;
    await this.#keep({ first, unwanted, anyway });
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#file.close();
  }

  async #keep(requested: Requested): Promise<void> {
    this.#requested = requested;
    this.#revision++;
    await Promise.all([this.#file.write(requested), ...this.#followers.map((follow) => follow())]);
  }
}
