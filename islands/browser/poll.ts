import type { Asker } from "./client.ts";
import { refreshWhileVisible } from "./refresh_while_visible.ts";

/** Sent to the page by an island that knows which cards have changed; see `CardsAsked`. */
export const CHANGED = "dashdock:changed";

/** Changed cards, null for all; each asked card adds a promise of the function that shows it. */
export interface CardsAsked {
  readonly cards: readonly string[] | null;
  readonly coming: Promise<() => void>[];
}

/**
 * Keeps every `[data-poll]` outside of islands up to date: asks for its fragment every `data-every` seconds and changes
 * in place what is different.
 */
export function startPolling(page: Document, get: Asker["ask"] = fetch): void {
  for (const card of page.querySelectorAll<HTMLElement>("[data-poll]"))
    if (!card.closest("[data-island]")) keepFresh(page, card, get);
}

function keepFresh(page: Document, drawn: HTMLElement, get: Asker["ask"]): void {
  const { id } = drawn;
  const { ask, refresh } = refreshWhileVisible({
    page,
    everyMs() {
      const card = page.getElementById(id);
      return card && Number(card.dataset["every"] ?? 5) * 1000;
    },
    // The server drew the card without data that takes long to read.
    firstMs: "soon" in drawn.dataset ? 0 : undefined,
    async ask(signal) {
      // Only now: nothing of it is needed before the first question.
      const [{ fetchFragment }, { morph }] = await Promise.all([import("./fragment.ts"), import("./morph.ts")]);
      const path = page.getElementById(id)?.dataset["poll"];
      const fresh = path === undefined ? null : await fetchFragment({ page, ask: get }, path, signal);
      return () => {
        const shown = page.getElementById(id);
        if (fresh && shown && fresh.id === id && shown.dataset["poll"] === path) morph(shown, fresh);
      };
    },
    show: (apply) => apply(),
  });
  // Sent by an island that has changed the data, or `data-poll` itself.
  drawn.addEventListener("refresh", () => void refresh());
  page.addEventListener(CHANGED, (event) => {
    const { cards, coming } = (event as CustomEvent<CardsAsked>).detail;
    // Answers on their way were asked for before the change.
    if (cards === null || cards.includes(id)) coming.push(ask());
  });
}
