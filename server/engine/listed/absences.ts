import type { Clock } from "../../clock.ts";
import type { Dashcam } from "../../dashcam/camera.ts";
import type { Listing } from "../../domain/recordings/camera_listing.ts";
import { groupOf } from "../../domain/recordings/recording_name.ts";
import { AbsentCompanions } from "../../store/destination/absent_companions.ts";
import type { Destination } from "../../store/destination/destination.ts";

export interface AbsencesParts {
  clock: Clock;
  dashcam: Pick<Dashcam, "generation">;
}

/**
 * Companions that the camera need not be asked for. This holds as long as it lists the same of their moment and speaks
 * the same interface. With other firmware it may give what it did not give before.
 */
export class Absences {
  readonly #absent: AbsentCompanions;
  readonly #listing: Listing;
  readonly #clock: Clock;
  readonly #dashcam: Pick<Dashcam, "generation">;
  /** By moment, a short text that changes with what is listed of it; made when it is first needed. */
  #listed: ReadonlyMap<string, string> | null = null;

  private constructor(absent: AbsentCompanions, listing: Listing, parts: AbsencesParts) {
    this.#absent = absent;
    this.#listing = listing;
    this.#clock = parts.clock;
    this.#dashcam = parts.dashcam;
  }

  /** @param recordings the destination, where earlier runs left what they learned */
  static async open(
    recordings: Pick<Destination, "root" | "requireSame">,
    listing: Listing,
    parts: AbsencesParts,
  ): Promise<Absences> {
    return new Absences(await AbsentCompanions.open(recordings.root, recordings), listing, parts);
  }

  has(name: string): boolean {
    return !this.#absent.isEmpty && this.#absent.has(name, this.#listedOf(name), this.#clock.now());
  }

  /** True when the camera has answered that it does not have this file. It may be asked again all the same. */
  isKnown(name: string): boolean {
    return !this.#absent.isEmpty && this.#absent.isKnown(name, this.#listedOf(name));
  }

  note(name: string): void {
    this.#absent.note(name, this.#listedOf(name), this.#clock.now());
  }

  async save(): Promise<void> {
    // A list that is empty or damaged is no proof that the camera lost a recording.
    const isGood = this.#listing.files.length > 0 && this.#listing.strangeCount === 0;
    if (isGood && !this.#absent.isEmpty) this.#absent.keepOnly((name) => this.#moments.has(groupOf(name)));
    await this.#absent.save();
  }

  #listedOf(name: string): string {
    const listed = this.#moments.get(groupOf(name)) ?? "-";
    // Without the addition for the older one, of which files of earlier versions are.
    return this.#dashcam.generation === "v1009" ? `${listed}-v1009` : listed;
  }

  get #moments(): ReadonlyMap<string, string> {
    if (this.#listed) return this.#listed;
    const texts = new Map<string, number>();
    for (const { name, size } of this.#listing.files) {
      const moment = groupOf(name);
      // The order in which a camera lists files means nothing.
      texts.set(moment, ((texts.get(moment) ?? 0) + Bun.hash.crc32(`${name} ${size}`)) >>> 0);
    }
    this.#listed = new Map([...texts].map(([moment, sum]) => [moment, sum.toString(36)]));
    return this.#listed;
  }
}
