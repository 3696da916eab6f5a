import { isPlainClick } from "../../browser/plain_click.ts";
import { revealChosen } from "./list_scroll.ts";

/**
 * Lays the list over the page, also over one in full screen, until a trip is chosen, or it is closed: where it has no place
 * beside the pictures. It stays the same list, and goes back to its place in the page.
 */
export function openTrips(page: Document): void {
  const list = page.getElementById("recordings");
  if (!list || list.matches(":popover-open")) return;
  // Older browsers have it in the page alone.
  if (!list.showPopover) {
    list.scrollIntoView();
    return;
  }
  list.popover = "auto";
  const chosen = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest("a.trip") : null;
    // The row of the trip on show opens and closes its clips.
    const isOnShow = row?.closest(".trip-item")?.querySelector("[aria-current]") != null;
    if (row && isPlainClick(event) && (row.hasAttribute("data-key") || !isOnShow)) list.hidePopover();
  };
  const toggled = (event: Event) => {
    if ((event as ToggleEvent).newState !== "closed") return;
    list.removeEventListener("click", chosen);
    list.removeEventListener("toggle", toggled);
    list.removeAttribute("popover");
  };
  list.addEventListener("click", chosen);
  list.addEventListener("toggle", toggled);
  list.showPopover();
  revealChosen(list);
}

export function closeTrips(page: Document): void {
  const list = page.getElementById("recordings");
  if (list?.matches(":popover-open")) list.hidePopover();
}

/** Sees to it that the list is seen, for what is done in it. */
export function showList(page: Document): void {
  if (page.getElementById("recordings")?.checkVisibility({ visibilityProperty: true }) === false) openTrips(page);
}
