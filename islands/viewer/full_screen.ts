import { effect, type Signal, signal } from "@preact/signals";
import type { SyncedPlayers } from "./player/synced_players.ts";

/** The controls fade when nothing has moved for so long. */
const FADE_MS = 3000;
/** Parts that keep the controls: open ones, and the focus of a user who works by keyboard. */
const KEEPS = ":popover-open, dialog[open], .vw-head.is-open, .vw-note.is-open, .next-up, .vw-keep :focus-visible";
const MOVES = ["pointermove", "pointerdown", "keydown", "focusin", "wheel"] as const;

/** Interface of browsers that let pages take keys which the browser would use itself. */
interface KeyboardLocking {
  readonly keyboard?: { readonly lock?: (keys: readonly string[]) => Promise<void> };
}

/** Keeps Escape for the page: the browser would leave full screen, whatever is open over it. */
const keepEscape = () => (navigator as KeyboardLocking).keyboard?.lock?.(["Escape"]);

/** The viewer over the whole screen: by the browser where it can do that, elsewhere over the whole page. */
export class FullScreen {
  readonly isOn: Signal<boolean> = signal(false);
  /** The controls have faded. */
  readonly isQuiet: Signal<boolean> = signal(false);
  readonly #place: () => HTMLElement | null;

  /** @param place what fills the screen */
  constructor(place: () => HTMLElement | null) {
    this.#place = place;
  }

  toggle(): void {
    if (this.isOn.peek()) this.leave();
    else this.#enter();
  }

  leave(): void {
    this.isOn.value = false;
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
  }

  #enter(): void {
    const place = this.#place();
    if (!place) return;
    const entered = () => {
      this.isOn.value = true;
    };
    // Telephones that know it for videos alone: the page is filled, as where the browser refuses.
    if (!place.requestFullscreen) entered();
    // Not before the browser has entered: then it closes what is open over the page, and an earlier leaving has ended.
    else
      void place
        .requestFullscreen({ navigationUI: "hide" })
        .then(entered, entered)
        .then(keepEscape)
        .catch(() => {});
  }

  /** Follows the browser, marks the place, and lets the controls fade while something plays. @returns what ends it */
  follow(page: Document, players: SyncedPlayers): () => void {
    const place = this.#place();
    const region = page.getElementById("toasts");
    let fading: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(fading);
      fading = setTimeout(() => {
        const isKept = !this.isOn.peek() || !players.isPlaying.peek() || page.querySelector(KEEPS) !== null;
        if (isKept) wait();
        else this.isQuiet.value = true;
      }, FADE_MS);
    };
    const moved = () => {
      this.isQuiet.value = false;
      if (this.isOn.peek()) wait();
    };
    // A finger cannot look before it touches: the first touch only shows the controls.
    let isRevealing = false;
    const touched = (event: PointerEvent) => {
      isRevealing = event.pointerType !== "mouse" && this.isQuiet.peek();
    };
    const clicked = (event: MouseEvent) => {
      if (!isRevealing) return;
      isRevealing = false;
      event.preventDefault();
      event.stopPropagation();
    };
    place?.addEventListener("pointerdown", touched, { capture: true });
    place?.addEventListener("click", clicked, { capture: true });
    for (const kind of MOVES) page.addEventListener(kind, moved);
    const changed = () => {
      const full = page.fullscreenElement;
      if (full === null) this.isOn.value = false;
      // In full screen only the element that fills the screen is seen.
      if (region) (full ?? page.body).append(region);
    };
    page.addEventListener("fullscreenchange", changed);
    const ends = [
      effect(() => {
        place?.classList.toggle("is-full", this.isOn.value);
        place?.classList.toggle("is-quiet", this.isOn.value && this.isQuiet.value);
      }),
      effect(() => {
        const isPlaying = players.isPlaying.value;
        if (this.isOn.value && isPlaying) wait();
        else this.isQuiet.value = false;
      }),
      () => page.removeEventListener("fullscreenchange", changed),
      () => {
        for (const kind of MOVES) page.removeEventListener(kind, moved);
        place?.removeEventListener("pointerdown", touched, { capture: true });
        place?.removeEventListener("click", clicked, { capture: true });
        clearTimeout(fading);
      },
    ];
    return () => {
      for (const end of ends) end();
    };
  }
}
