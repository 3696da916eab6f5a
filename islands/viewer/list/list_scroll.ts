/** Keeps the visible rows of a list where they are while others are put in above them. */
export class RowsInPlace {
  readonly #list: () => HTMLElement | null;
  /** Places that the rows need at the next drawing: those before the first change since the last one. */
  #places: readonly Place[] | null = null;

  constructor(list: () => HTMLElement | null) {
    this.#list = list;
  }

  /** Called right before the list changes. */
  hold(): void {
    const list = this.#list();
    // A row that was moved by one change has not been put back yet: the next one must not take that for its place.
    if (this.#places !== null || !list || !scrolls(list)) return;
    this.#places = seenIn(list);
    requestAnimationFrame(() => {
      // One that is gone has no place.
      const kept = this.#places?.find(({ row }) => row.isConnected);
      this.#places = null;
      if (kept) putBack(list, kept);
    });
  }
}

interface Place {
  readonly row: HTMLElement;
  readonly top: number;
}

/** Rows that are seen, and behind them heads of days: what is new comes in below a head, which would stay while rows move. */
function seenIn(list: HTMLElement): Place[] {
  const edge = list.getBoundingClientRect().top;
  const isSeen = (one: HTMLElement) => one.getBoundingClientRect().bottom > edge + one.offsetHeight / 2;
  return [".trip", ".day"].flatMap((kind) => {
    const all = [...list.querySelectorAll<HTMLElement>(kind)];
    const first = all.findIndex(isSeen);
    return first < 0
      ? []
      : all.slice(first, first + HELD).map((row) => ({ row, top: row.getBoundingClientRect().top }));
  });
}
/** The first of them may be gone with the change. */
const HELD = 20;

function putBack(list: HTMLElement, { row, top }: Place): void {
  const moved = row.getBoundingClientRect().top - top;
  // A list that is too short to scroll so far gets the room below, and one that does not fill its place what it lacks.
  const padding = parseFloat(getComputedStyle(list).paddingBottom);
  const end = (list.lastElementChild?.getBoundingClientRect().bottom ?? 0) - list.getBoundingClientRect().top;
  const content = end + list.scrollTop + padding;
  const missing = list.scrollTop + moved + list.clientHeight - content;
  if (moved > 0 && missing > 0) list.style.paddingBottom = `${missing + padding}px`;
  list.scrollTop += moved;
}

/** Scrolls the list, and never the page, until the chosen row is seen. */
export function revealChosen(list: HTMLElement | null): void {
  const row = list?.querySelector<HTMLElement>(".trip[aria-current]");
  if (!list || !row || !scrolls(list)) return;
  const frame = list.getBoundingClientRect();
  const place = row.getBoundingClientRect();
  const head = list.querySelector(".trips-head")?.clientHeight ?? 0;
  if (place.top >= frame.top + head && place.bottom <= frame.bottom) return;
  list.scrollTop += place.top - frame.top - head - (frame.height - head - place.height) / 2;
}

/** On narrow screens the list is part of the page and has no scroll of its own. */
function scrolls(list: HTMLElement): boolean {
  return getComputedStyle(list).overflowY === "auto";
}
