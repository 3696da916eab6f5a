import { type Signal, signal } from "@preact/signals";
import { calendarTogether, clipsByCamera } from "../../../server/domain/viewer/days_of_cameras.ts";
import type { Calendar } from "../../../server/domain/viewer/viewer_schema.ts";
import { send } from "../../browser/client.ts";
import type { Totals, ViewerProps } from "../viewer_props.ts";
import { isSame } from "./recording_list.ts";

/** Amounts in the whole library, whatever the list holds. */
export class LibraryTotals {
  readonly totals: Signal<Totals>;
  /** Amounts of each day, of all cameras on the page together; null until they are asked for. */
  readonly days: Signal<Calendar["days"] | null> = signal(null);
  /** Clips of each camera, by its id; empty where there is one camera. */
  readonly clips: Signal<Readonly<Record<string, number>>>;

  readonly #changed: () => void;
  /** The page is about all of several cameras. */
  readonly #isOfAll: boolean;
  /** Days as they were read: one for each camera. */
  #read: Calendar["days"] | null = null;

  /** @param changed is called right before what is seen of it changes */
  constructor({ totals, whose }: Pick<ViewerProps, "totals" | "whose">, changed: () => void = () => {}) {
    this.totals = signal(totals);
    this.clips = signal(Object.fromEntries(whose?.cameras.map(({ id, clips }) => [id, clips]) ?? []));
    this.#changed = changed;
    this.#isOfAll = whose?.only === null;
  }

  /** Reads what there is now. @throws Refusal */
  async refresh(): Promise<void> {
    const { days, ...totals } = await send<Calendar>("GET /api/viewer/calendar");
    const counted = clipsByCamera(days);
    // A page of one camera reads nothing of the others.
    const clips = Object.fromEntries(
      Object.entries(this.clips.value).map(([id, before]) => [id, counted.get(id) ?? (this.#isOfAll ? 0 : before)]),
    );
    if (!isSame([totals, clips], [this.totals.value, this.clips.value])) {
      this.#changed();
      this.totals.value = totals;
      this.clips.value = clips;
    }
    this.#read = days;
    this.days.value = calendarTogether(days);
  }

  /** The days of each camera, newest first, read once. @throws Refusal */
  async load(): Promise<Calendar["days"]> {
    if (this.#read === null) await this.refresh();
    return this.#read ?? [];
  }
}
