import { parseArtifact, parseRecording } from "../domain/recording.ts";
import type { SimulatedCard } from "./simulated_card.ts";
import type { CardFile } from "./simulated_video.ts";
import { type FaultBoard, wholeNumber } from "./simulator_faults.ts";

/** How many requests a growing recording takes to be finished when the fault does not say. */
const GROWTH_REQUESTS = 3;

/** The card as the camera's server sees it at this moment: recordings may be growing, or be overwritten. */
export class Shelf {
  readonly card: SimulatedCard;
  /** The listing names companions too. */
  readonly listsCompanions: boolean;
  readonly #faults: FaultBoard;

  constructor(card: SimulatedCard, faults: FaultBoard, listsCompanions: boolean) {
    this.card = card;
    this.listsCompanions = listsCompanions;
    this.#faults = faults;
  }

  /** The file as much as is written of it: all, except while it is growing; null when the card does not have it. */
  file(name: string): CardFile | null {
    const file = this.card.files.get(name);
    if (!file) return null;
    const growing = this.#faults.growing(name);
    if (!growing || !this.#isNewest(name)) return file;
    const until = growing.times ?? GROWTH_REQUESTS;
    const missing = Math.max(0, until - (growing.requests.get(name) ?? 0));
    const step = wholeNumber(growing.value, Math.floor(file.size / (2 * until)));
    return { size: Math.max(0, file.size - missing * step), read: (start, end) => file.read(start, end) };
  }

  /** Loop recording: the video goes, its thumbnail with it, and what all directions share with the last of them. */
  overwrite(name: string): void {
    const video = parseRecording(name);
    if (!video) return;
    this.card.remove(name);
    const shared = this.card.videos().some((other) => other.startsWith(`${video.base}_${video.type}`));
    for (const other of this.card.names()) {
      const file = parseArtifact(other);
      if (file?.base !== video.base || file.type !== video.type) continue;
      if (file.direction === null ? !shared : file.direction === video.direction) this.card.remove(other);
    }
  }

  #isNewest(name: string): boolean {
    const direction = parseRecording(name)?.direction;
    return this.card.videos().findLast((other) => parseRecording(other)?.direction === direction) === name;
  }
}
