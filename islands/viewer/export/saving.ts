import { type Signal, signal } from "@preact/signals";
import type { FullScreen } from "../full_screen.ts";

/** Who gets what is saved. */
export type Receiver = "myself" | "police" | "insurer";

/** The panel that saves a part of the trip. */
export class Saving {
  readonly isOpen: Signal<boolean> = signal(false);
  readonly receiver: Signal<Receiver> = signal("myself");
  readonly #fullScreen: Pick<FullScreen, "isOn" | "leave">;

  constructor(fullScreen: Pick<FullScreen, "isOn" | "leave">) {
    this.#fullScreen = fullScreen;
  }

  /** The panel stands beside the pictures, where full screen has no place. */
  toggle(): void {
    if (!this.isOpen.peek() && this.#fullScreen.isOn.peek()) this.#fullScreen.leave();
    this.isOpen.value = !this.isOpen.peek();
  }

  close(): void {
    this.isOpen.value = false;
  }
}
