import { parseRecording } from "../../domain/recordings/recording_name.ts";
import type { SimulatedCard } from "./simulated_card.ts";
import { type ConfigFiles, configFiles } from "./simulated_config.ts";
import type { CardFile } from "./simulated_video.ts";
import { otherContent, shortened, zeroedFrom } from "./simulator_contents.ts";
import { type ArmedFault, type ArmedFaults, wholeNumber } from "./simulator_faults.ts";

/** Requests until a growing recording is finished, when the fault names no number. */
const GROWTH_REQUESTS = 3;

/** The card as the camera's server sees it at this moment: recordings may be growing, or be replaced. */
export class ServedCard {
  readonly card: SimulatedCard;
  /** The listing names companions too. */
  readonly listsCompanions: boolean;
  settings: ConfigFiles = configFiles();
  readonly #faults: ArmedFaults;

  constructor(card: SimulatedCard, faults: ArmedFaults, listsCompanions: boolean) {
    this.card = card;
    this.listsCompanions = listsCompanions;
    this.#faults = faults;
  }

  /** The file as it is at this moment: whole, unless a fault changes it; null when the card does not have it. */
  file(name: string): CardFile | null {
    const file = this.card.files.get(name);
    if (!file) return null;
    return this.#faults.shaping(name).reduce((content, fault) => this.#shaped(content, fault, name), file);
  }

  #shaped(file: CardFile, fault: ArmedFault, name: string): CardFile {
    const half = Math.floor(file.size / 2);
    const requests = fault.requests.get(name) ?? 0;
    switch (fault.name) {
      case "growing": {
        if (!this.#isNewest(name)) return file;
        const until = fault.times ?? GROWTH_REQUESTS;
        const step = wholeNumber(fault.value, Math.floor(file.size / (2 * until)));
        return shortened(file, file.size - Math.max(0, until - requests) * step);
      }
      case "paused":
        return shortened(file, fault.after ?? half);
      case "preallocated":
        return requests > (fault.times ?? Number.POSITIVE_INFINITY) ? file : zeroedFrom(file, fault.after ?? half);
      case "other-content":
        return otherContent(name, file, wholeNumber(fault.value, file.size));
      default:
        return file;
    }
  }

  #isNewest(name: string): boolean {
    const direction = parseRecording(name)?.direction;
    return this.card.videos().findLast((other) => parseRecording(other)?.direction === direction) === name;
  }
}
