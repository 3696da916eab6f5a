import { selectByLongPress } from "./long_press.ts";
import type { RecordedView } from "./recorded_view.ts";
import type { Trash } from "./trash.ts";

interface PressParts {
  readonly trash: Trash;
  /** View by day of recording; null when days are those of deletion. */
  readonly view: RecordedView | null;
  readonly signal: AbortSignal;
}

/** A finger that rests on a clip or a day of the trash selects it, and all up to where it is drawn. */
export function pressToSelect(root: HTMLElement, { trash, view, signal }: PressParts): void {
  if (signal.aborted) return;
  selectByLongPress(root, {
    places: "[data-row], [data-day] > .tday-h",
    bars: ".bar, .savebar, .nav",
    begin: (place) => fromRow(trash, place) ?? fromDay(view, place),
    signal,
  });
}

/** Selects a clip, and then all up to another one in place of what was reached before. */
function fromRow(trash: Trash, place: HTMLElement): ((reached: HTMLElement) => void) | null {
  const [date, key] = rowAt(place);
  if (date === undefined || key === undefined) return null;
  const before = trash.choice.value;
  trash.choose(date, key, true, false);
  let last = key;
  return (reached) => {
    const [toDate, toKey] = rowAt(reached);
    if (toDate === undefined || toKey === undefined || toKey === last) return;
    last = toKey;
    trash.put(before);
    trash.choose(date, key, true, false);
    trash.choose(toDate, toKey, true, true);
  };
}

function fromDay(view: RecordedView | null, place: HTMLElement): ((reached: HTMLElement) => void) | null {
  const date = dayAt(place);
  if (view === null || date === undefined) return null;
  const reach = view.beginDays(date);
  if (reach === null) return null;
  let last = date;
  return (reached) => {
    const to = dayAt(reached);
    if (to === undefined || to === last) return;
    last = to;
    reach(to);
  };
}

function rowAt({ dataset }: HTMLElement): string[] {
  return dataset["row"]?.split("/") ?? [];
}

function dayAt({ parentElement }: HTMLElement): string | undefined {
  return parentElement?.dataset["day"];
}
