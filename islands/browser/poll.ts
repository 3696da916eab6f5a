import { noteConnection } from "./connection.ts";
import type { Asked, Get } from "./fragment.ts";

/** A service that hangs, or a network that has gone without a word, is not waited for. */
const PATIENCE_MS = 10_000;
/** How much longer is waited when the service does not answer, at most. */
const LONGEST_FACTOR = 6;

/** Sent to the page by an island that knows of cards that say something else; see `askCards`. */
export const CHANGED = "dashdock:changed";

/** Which cards, all when there are none; who asks for one adds when it can be shown. */
export interface CardsAsked {
  readonly cards: readonly string[] | null;
  readonly coming: Promise<() => void>[];
}

/**
 * Keeps every `[data-poll]` outside of islands up to date: asks for its fragment every `data-every` seconds and changes
 * in place what is different. A hidden tab asks nothing, and asks at once when it is looked at again.
 */
export function startPolling(page: Document, get: Get = fetch): void {
  for (const card of page.querySelectorAll<HTMLElement>("[data-poll]"))
    if (!card.closest("[data-island]")) keepFresh(page, card.id, get);
}

function keepFresh(page: Document, id: string, get: Get): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | null = null;
  let hasAsked = false;
  let isSignedOut = false;
  let failures = 0;
  let askedAt = performance.now();
  const card = () => page.getElementById(id);
  const everyMs = () => Number(card()?.dataset["every"] ?? 5) * 1000;

  const plan = () => {
    clearTimeout(timer);
    const shown = card();
    if (page.hidden || isSignedOut || !shown) return;
    // What the page could not wait for is asked for as soon as it stands; but only once.
    const isSoon = "soon" in shown.dataset && !hasAsked;
    const due = isSoon ? 0 : askedAt + everyMs() * Math.min(LONGEST_FACTOR, 1 + failures);
    timer = setTimeout(poll, Math.max(0, due - performance.now()));
  };
  /** @returns what shows the answer; nothing is to be shown when a later question is on its way */
  const ask = async (): Promise<() => void> => {
    const nothing = () => {};
    const path = card()?.dataset["poll"];
    if (path === undefined) return nothing;
    const mine = new AbortController();
    asking = mine;
    hasAsked = true;
    askedAt = performance.now();
    let asked: Asked | null = null;
    try {
      // Only now: nothing of it is needed before the first question.
      const { askFragment } = await import("./fragment.ts");
      const signal = AbortSignal.any([mine.signal, AbortSignal.timeout(PATIENCE_MS)]);
      asked = await askFragment(page, id, { path, get, signal });
    } catch {
      // There is no connection, or nobody waits for this answer any more.
    }
    if (asking !== mine) return nothing;
    asking = null;
    failures = asked === null || asked.outcome === "failed" ? failures + 1 : 0;
    isSignedOut = asked?.outcome === "signed out";
    // Once may be a hiccup; a service that goes on refusing is as good as none.
    if (asked === null || failures > 1) noteConnection(page, false);
    // Meanwhile the page may have turned to something else.
    if (card()?.dataset["poll"] === path) plan();
    else void poll();
    return asked?.apply ?? nothing;
  };
  const poll = async () => {
    if (!asking) (await ask())();
  };
  page.addEventListener("visibilitychange", plan);
  page.addEventListener("signedin", () => void poll());
  // An island may know that the time has come.
  card()?.addEventListener("refresh", () => void poll());
  page.addEventListener(CHANGED, (event) => {
    const { cards, coming } = (event as CustomEvent<CardsAsked>).detail;
    if (cards !== null && !cards.includes(id)) return;
    // What is on its way was asked for before the change.
    asking?.abort();
    coming.push(ask());
  });
  plan();
}
