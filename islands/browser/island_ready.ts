/** Says that the island around an element, or that it is, is alive and shows all it has. */
export function islandIsReady(element: Element | null): void {
  element?.closest("[data-island]")?.setAttribute("data-ready", "");
}
