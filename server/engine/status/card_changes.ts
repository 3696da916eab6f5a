import type { Clock } from "../../clock.ts";
import {
  CARDS_OF_CAMERA,
  CARDS_OF_SCHEDULE,
  type CardId,
  cardsOfFiles,
  cardsOfProgress,
  cardsOfSettings,
} from "../../domain/status/card_ids.ts";
import type { Snapshot } from "../../domain/sync/job_progress.ts";
import { Topic } from "../../topic.ts";
import type { CameraProbe } from "../listed/camera_probe.ts";
import type { Arrival } from "../run/arrival.ts";
import type { Scheduler, ScheduleSource } from "../run/scheduler.ts";
import type { DiskUsageCache } from "../transfer/disk_space.ts";

/** Cards that show the recordings folder are read anew at most this often: small files come many a second. */
const FILES_MS = 1000;

export interface CardChangesParts {
  readonly clock: Clock;
  /** The progress of the job. */
  readonly progress: Topic<Snapshot>;
  readonly settings: ScheduleSource;
  readonly scheduler: Pick<Scheduler, "moved">;
  readonly arrival: Pick<Arrival, "moved">;
  readonly probe: Pick<CameraProbe, "flipped">;
  readonly storage: Pick<DiskUsageCache, "drop">;
}

/**
 * Tells open dashboards which cards have changed. Changes of the job, the schedule, the settings and the camera are
 * known here at once, long before a page would ask.
 */
export class CardChanges {
  readonly #clock: Clock;
  readonly #progress: CardChangesParts["progress"];
  readonly #storage: CardChangesParts["storage"];
  readonly #topic = new Topic<readonly CardId[]>([]);
  #before: Snapshot;
  /** The snapshot whose files the cards count, and when these were published. */
  #counted: Snapshot;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor({ clock, progress, settings, scheduler, arrival, probe, storage }: CardChangesParts) {
    this.#clock = clock;
    this.#progress = progress;
    this.#storage = storage;
    this.#before = progress.value;
    this.#counted = progress.value;
    progress.subscribe((now) => this.#follow(now));
    settings.onChange((now, before) => this.publish(cardsOfSettings(before, now)));
    scheduler.moved.subscribe(() => this.publish(CARDS_OF_SCHEDULE));
    arrival.moved.subscribe(() => this.publish([...CARDS_OF_SCHEDULE, "plan-card"]));
    probe.flipped.subscribe(() => this.publish(CARDS_OF_CAMERA));
  }

  /** Calls `listener` with the cards of each change, before the progress that goes with it is published. */
  subscribe(listener: (cards: readonly CardId[]) => void): () => void {
    return this.#topic.subscribe(listener);
  }

  /** Something beside the job has changed: the present progress is published again, and these cards with it. */
  publish(cards: readonly CardId[]): void {
    this.#emit(cards);
    const { value } = this.#progress;
    this.#progress.set({ ...value, seq: value.seq + 1 });
  }

  #follow(now: Snapshot): void {
    const cards = cardsOfProgress(this.#before, now);
    this.#before = now;
    if (cards.length > 0) this.#emit(cards);
    const counting = cardsOfFiles(this.#counted, now);
    if (counting.length === 0 || this.#clock.elapsed() - this.#countedAt < FILES_MS) return;
    this.#counted = now;
    this.#countedAt = this.#clock.elapsed();
    this.#emit(counting);
  }

  /** The end of a run and a deletion change what is on the disk: the overview, the card and the status read it anew together. */
  #emit(cards: readonly CardId[]): void {
    if (cards.includes("storage-card")) this.#storage.drop();
    this.#topic.set(cards);
  }
}
