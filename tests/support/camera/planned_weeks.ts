import { afterList, type CardMemory, EMPTY_CARD_MEMORY } from "../../../server/domain/plan/card_memory.ts";
import { type PlanFacts, planOf, riskBoundaryOf } from "../../../server/domain/plan/plan.ts";
import { Turnover } from "../../../server/domain/plan/turnover.ts";
import type { Span } from "../../../server/domain/plan/usual_visits.ts";
import { median } from "../../../server/domain/plan/visit.ts";
import type { ListedFile } from "../../../server/domain/recordings/camera_listing.ts";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import type { Priority } from "../../../server/domain/settings/sections/sync.ts";
import { type AtHome, type PlannedFile, planSync } from "../../../server/domain/sync/download_plan.ts";
import { ExpectedSizes, sizeClassOf } from "../../../server/domain/sync/expected_sizes.ts";
import type { Look, Video, Watcher } from "./lived_weeks.ts";
import { EVERYTHING } from "./plans.ts";

/** The plan's figures a minute after the camera had come, and the true ones; both in seconds. */
export interface Forecast {
  readonly needs: number;
  readonly needed: number;
}

/** Visits whose rates count for the next one. */
const RECENT_VISITS = 5;
/** A transfer that goes on tells its rate from so many milliseconds on. */
const TELLING_MS = 4000;

/** A service that downloads in an order, and makes its plan out of what lists, visits and files have shown. */
export class PlanningService implements Watcher {
  /** One of each visit in which files were still coming after a minute. */
  readonly forecasts: Forecast[] = [];
  readonly #priority: Priority;
  readonly #sizes = new ExpectedSizes();
  readonly #visits: (Span & { readonly rate: number | null })[] = [];
  #memory: CardMemory = EMPTY_CARD_MEMORY;
  #list: Parameters<typeof afterList>[1] = null;
  #turnover: Turnover | null = null;
  #visit: Span | null = null;
  #rates: number[] = [];

  constructor(priority: Priority) {
    this.#priority = priority;
  }

  arrived(at: number): void {
    this.#visit = { from: at / 1000, to: at / 1000 };
    this.#rates = [];
  }

  order(at: number, listed: readonly ListedFile[], home: AtHome): readonly PlannedFile[] {
    const moments = Float64Array.from(listed, ({ name }) => momentNumber(name)).sort();
    const list = { size: moments.length, momentAt: (index: number) => moments[index] ?? 0 };
    this.#memory = afterList(this.#memory, this.#list, list, at / 1000);
    this.#list = list;
    this.#turnover = Turnover.of(this.#memory, list);
    const atRiskBefore = this.#priority === "smart" ? riskBoundaryOf(this.#known(at)) : null;
    return planSync(listed, home, { ...EVERYTHING, priority: this.#priority, atRiskBefore }).files;
  }

  came(_at: number, video: Video, bytes: number, ms: number, whole: boolean): void {
    if (!whole) return;
    this.#sizes.learn(sizeClassOf(video.name, "mp4"), video.size);
    if (ms > 0) this.#rates.push((bytes / ms) * 1000);
  }

  looked({ at, current, waiting, seconds }: Look): void {
    const sizes = waiting.map(({ name }) => this.#sizes.of(sizeClassOf(name, "mp4")));
    const isKnown = sizes.every((size) => size !== null);
    const bytes = isKnown ? sizes.reduce((sum, size) => sum + size, 0) - (current?.bytes ?? 0) : null;
    const { needsSeconds } = planOf({
      ...this.#known(at),
      camera: "here",
      waiting: { recordings: waiting.length, bytes },
      eachWaiting: (take) => {
        for (const [index, { name }] of waiting.entries()) take(momentNumber(name), sizes[index] ?? 0);
      },
      rate: this.#rate(current),
    });
    if (needsSeconds !== null && seconds > 0) this.forecasts.push({ needs: needsSeconds, needed: seconds });
  }

  left(at: number): void {
    if (this.#visit !== null) this.#visits.push({ from: this.#visit.from, to: at / 1000, rate: median(this.#rates) });
    this.#visit = null;
  }

  #known(at: number): Pick<PlanFacts, "now" | "visits" | "visit" | "turnover"> {
    return { now: at / 1000, visits: this.#visits, visit: this.#visit, turnover: this.#turnover };
  }

  /** As that of a visit is found: by its videos so far, else by the visits before. */
  #rate(current: Look["current"]): number | null {
    const going = current === null || current.ms < TELLING_MS ? [] : [(current.bytes / current.ms) * 1000];
    const before = this.#visits.flatMap(({ rate }) => (rate === null ? [] : [rate]));
    return median([...this.#rates, ...going]) ?? median(before.slice(-RECENT_VISITS));
  }
}
