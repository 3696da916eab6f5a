import type { Clock } from "../clock.ts";
import {
  CARDS_OF_CAMERA,
  CARDS_OF_SCHEDULE,
  type CardId,
  cardsOfFiles,
  cardsOfProgress,
  cardsOfSettings,
} from "../domain/cards.ts";
import type { Snapshot } from "../domain/progress.ts";
import { Topic } from "../topic.ts";
import type { CameraProbe } from "./health.ts";
import type { Job } from "./job.ts";
import type { Scheduler, ScheduleSource } from "./scheduler.ts";

/** Cards that look at the recordings folder are read anew at most this often: small files come many a second. */
const FILES_MS = 1000;

export interface CardChangesParts {
  readonly clock: Clock;
  readonly job: Pick<Job, "topic" | "touch">;
  readonly settings: ScheduleSource;
  readonly scheduler: Pick<Scheduler, "moved">;
  readonly probe: Pick<CameraProbe, "flipped">;
}

/**
 * Which cards of open dashboards say something else from now on: what the job, the schedule, the settings and the camera
 * do is known here at once, long before a page would ask.
 */
export class CardChanges {
  readonly #clock: Clock;
  readonly #job: CardChangesParts["job"];
  readonly #topic = new Topic<readonly CardId[]>([]);
  #before: Snapshot;
  /** The snapshot whose files the cards count, and when they were told of it. */
  #counted: Snapshot;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor({ clock, job, settings, scheduler, probe }: CardChangesParts) {
    this.#clock = clock;
    this.#job = job;
    this.#before = job.topic.value;
    this.#counted = job.topic.value;
    job.topic.subscribe((now) => this.#follow(now));
    settings.onChange((now, before) => this.tell(cardsOfSettings(before, now)));
    scheduler.moved.subscribe(() => this.tell(CARDS_OF_SCHEDULE));
    probe.flipped.subscribe(() => this.tell(CARDS_OF_CAMERA));
  }

  /** Hands on the cards of each change, before the progress that goes with it is published. */
  subscribe(listener: (cards: readonly CardId[]) => void): () => void {
    return this.#topic.subscribe(listener);
  }

  /** Something beside the job has changed: the present progress is published again, and these cards with it. */
  tell(cards: readonly CardId[]): void {
    this.#topic.set(cards);
    this.#job.touch();
  }

  #follow(now: Snapshot): void {
    const cards = cardsOfProgress(this.#before, now);
    this.#before = now;
    if (cards.length > 0) this.#topic.set(cards);
    const counting = cardsOfFiles(this.#counted, now);
    if (counting.length === 0 || this.#clock.elapsed() - this.#countedAt < FILES_MS) return;
    this.#counted = now;
    this.#countedAt = this.#clock.elapsed();
    this.#topic.set(counting);
  }
}
