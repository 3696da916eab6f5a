import { type Signal, signal } from "@preact/signals";
import type { FullScreen } from "../full_screen.ts";
import type { SideBySideMaking, SideChoice } from "../side_by_side/making.ts";

/** Who gets what is saved. */
export type Receiver = "myself" | "police" | "insurer" | "others";

/** The panel that saves a part of the trip. */
export class Saving {
  readonly isOpen: Signal<boolean> = signal(false);
  readonly receiver: Signal<Receiver> = signal("myself");
  /** One video of all cameras: it goes on being made while the panel is closed. */
  readonly video: {
    readonly choice: Signal<SideChoice>;
    readonly making: Signal<SideBySideMaking | null>;
  } = { choice: signal({ hasSpeed: true, hasMap: true, hasSound: true }), making: signal(null) };
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
