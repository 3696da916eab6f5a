import { type Signal, signal } from "@preact/signals";
import type { Calendar } from "../../../server/domain/viewer/viewer_schema.ts";
import { send } from "../../browser/client.ts";
import type { Totals } from "../viewer_props.ts";
import { isSame } from "./recording_list.ts";

/** Amounts in the whole library, whatever the list holds. */
export class LibraryTotals {
  readonly totals: Signal<Totals>;
  /** Amounts of each day; null until they are asked for. */
  readonly days: Signal<Calendar["days"] | null> = signal(null);

  readonly #changed: () => void;

  /** @param changed is called right before what is seen of it changes */
  constructor({ totals }: { readonly totals: Totals }, changed: () => void = () => {}) {
    this.totals = signal(totals);
    this.#changed = changed;
  }

  /** Reads what there is now. @throws Refusal */
  async refresh(): Promise<void> {
    const { days, ...totals } = await send<Calendar>("GET /api/viewer/calendar");
    if (!isSame(totals, this.totals.value)) {
      this.#changed();
      this.totals.value = totals;
    }
    this.days.value = days;
  }

  /** The days, newest first, read once. @throws Refusal */
  async load(): Promise<Calendar["days"]> {
    if (this.days.value === null) await this.refresh();
    return this.days.value ?? [];
  }
}
