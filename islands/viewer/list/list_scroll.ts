/** Keeps the visible rows where they are while others are put in above them. */
export function keepInPlace(list: HTMLElement | null): void {
  if (!list || !scrolls(list)) return;
  const edge = list.getBoundingClientRect().top;
  const isSeen = (one: HTMLElement) => one.getBoundingClientRect().bottom > edge + one.offsetHeight / 2;
  // What is new comes in below its day's head: a head would stay where it is while the rows move.
  const [rows, heads] = [".trip", ".day"].map((kind) => [...list.querySelectorAll<HTMLElement>(kind)].find(isSeen));
  const row = rows ?? heads;
  if (!row) return;
  const { top } = row.getBoundingClientRect();
  requestAnimationFrame(() => {
    const moved = row.getBoundingClientRect().top - top;
    // A list that is too short to scroll so far gets the room below, and one that does not fill its place what it lacks.
    const padding = parseFloat(getComputedStyle(list).paddingBottom);
    const end = (list.lastElementChild?.getBoundingClientRect().bottom ?? 0) - list.getBoundingClientRect().top;
    const content = end + list.scrollTop + padding;
    const missing = list.scrollTop + moved + list.clientHeight - content;
    if (moved > 0 && missing > 0) list.style.paddingBottom = `${missing + padding}px`;
    list.scrollTop += moved;
  });
}

/** Scrolls the list, and never the page, until the chosen row is seen. */
export function revealChosen(list: HTMLElement | null): void {
  const row = list?.querySelector<HTMLElement>(".trip[aria-current]");
  if (!list || !row || !scrolls(list)) return;
  const [frame, place] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  const head = list.querySelector(".trips-head")?.clientHeight ?? 0;
  if (place.top >= frame.top + head && place.bottom <= frame.bottom) return;
  list.scrollTop += place.top - frame.top - (frame.height - place.height) / 2;
}

/** On narrow screens the list is part of the page and has no scroll of its own. */
function scrolls(list: HTMLElement): boolean {
  return getComputedStyle(list).overflowY === "auto";
}
