import { areKeysOn, isTyping } from "../../browser/keys.ts";
import type { TripState } from "../trip_state.ts";
import type { TimeLineState } from "./time_line_state.ts";

interface Parts {
  readonly line: TimeLineState;
  readonly trip: TripState;
}

const SMALL_STEP = 5;
const LARGE_STEP = 60;

/** Carries out a key of the slider while the slider has the focus. @returns whether it was one of its keys */
export function pressedOnSlider(key: string, { line, trip }: Parts): boolean {
  const length = trip.clock.peek()?.length ?? 0;
  const does: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => line.seekBy(-SMALL_STEP),
    ArrowDown: () => line.seekBy(-SMALL_STEP),
    ArrowRight: () => line.seekBy(SMALL_STEP),
    ArrowUp: () => line.seekBy(SMALL_STEP),
    PageDown: () => line.seekBy(-LARGE_STEP),
    PageUp: () => line.seekBy(LARGE_STEP),
    Home: () => line.seek(0),
    End: () => line.seek(length),
  };
  does[key]?.();
  return key in does;
}

/** The keys of the time line that work anywhere on the page, as its key list has them. @returns what ends it */
export function listenToTimeLineKeys(page: Document, { line, trip }: Parts): () => void {
  const does: Readonly<Record<string, () => void>> = {
    i: () => line.mark("from", line.head.peek()),
    o: () => line.mark("to", line.head.peek()),
    "+": () => line.zoomBy(1),
    "=": () => line.zoomBy(1),
    "-": () => line.zoomBy(-1),
  };
  const pressed = (event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !areKeysOn()) return;
    if (isTyping(target) || page.querySelector("dialog[open]") || trip.clock.peek() === null) return;
    const action = does[key.length === 1 ? key.toLowerCase() : key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  page.addEventListener("keydown", pressed);
  return () => page.removeEventListener("keydown", pressed);
}
