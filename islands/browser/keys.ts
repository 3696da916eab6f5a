import { reached } from "./address.ts";

/** Targets of `G` followed by a letter. */
const PLACES: Readonly<Record<string, string>> = { d: "/", v: "/viewer", s: "/stats", l: "/logs", e: "/settings" };
/** A page's own list may be turned off: single letters get in the way of speech control (WCAG 2.1.4). */
const OFF = "dashdock-keys-off";
const PAIR_MS = 1200;

/** The keys all pages share: `?` shows the list, `/` goes to the search field, `G` and a letter changes the page. */
export function startKeys(page: Document): void {
  const list = page.querySelector<HTMLDialogElement>("dialog[data-modal=keys]");
  if (!list) return;
  for (const button of page.querySelectorAll("[data-open-keys]"))
    button.addEventListener("click", () => list.showModal());
  const box = list.querySelector<HTMLInputElement>("input[name=keys]");
  if (box) {
    box.checked = areKeysOn(page);
    box.addEventListener("change", () => turnKeys(page, box.checked));
  }
  let pairedAt = Number.NEGATIVE_INFINITY;
  page.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !areKeysOn(page)) return;
    if (isTyping(event.target) || page.querySelector("dialog[open]")) return;
    const place = PLACES[event.key];
    const isPaired = event.timeStamp - pairedAt < PAIR_MS;
    pairedAt = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (isPaired && place !== undefined) {
      // Stops the second letter, which would also be a key of the page.
      event.stopImmediatePropagation();
      page.location.assign(reached(place, page));
    } else if (event.key === "?") list.showModal();
    else if (event.key === "/") {
      const search = page.querySelector<HTMLInputElement>("input[type=search]");
      if (!search) return;
      event.preventDefault();
      search.focus();
    }
  });
}

/** True when a key belongs to a field and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  return (target as Partial<Element> | null)?.matches?.("input, select, textarea, [contenteditable]") ?? false;
}

/** True while single letters act as keys. */
export function areKeysOn(page: Document = document): boolean {
  try {
    return (page.defaultView?.localStorage.getItem(OFF) ?? null) === null;
  } catch {
    return true;
  }
}

function turnKeys(page: Document, on: boolean): void {
  try {
    const storage = page.defaultView?.localStorage;
    if (on) storage?.removeItem(OFF);
    else storage?.setItem(OFF, "1");
  } catch {
    // A browser without storage: the choice is lost with the page.
  }
}
