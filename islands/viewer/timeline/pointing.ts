import type { TripRange, TripState } from "../trip_state.ts";
import type { RangeEnd, TimeLineState } from "./time_line_state.ts";

/** Part that a pointer holds: the play head, or an end of the marked range. */
export type Held = RangeEnd | "head";

interface Parts {
  readonly line: TimeLineState;
  readonly trip: TripState;
  /** Element that takes the pointers, once it is there. */
  readonly place: () => HTMLElement | null;
  /** Place of a pointer on the time line, as a share of its width; below 0 and above 1 outside. */
  readonly shareOf: (clientX: number) => number;
}

/** A finger that moves less than this taps. In pixels. */
const TAP_PIXELS = 8;

/**
 * State of the fingers: not decided yet; scrubbing; zooming, with two of them; or at rest, because it was a swipe that
 * scrolls the page, or because one of two was lifted.
 */
type Doing = "waits" | "scrubs" | "zooms" | "rests";

/**
 * Hands on a time line. A mouse seeks where it is pressed, and goes on seeking while it is dragged. A finger may be
 * about to scroll the page. It seeks when it is lifted where it came down, or from its first step sideways on. A
 * movement that the browser takes over, or that a second finger turns into another one, is put back.
 */
export class Pointing {
  readonly #parts: Parts;
  readonly #fingers = new Map<number, { readonly x: number; readonly y: number; now: number }>();
  #doing: Doing = "rests";
  /** Part that is being dragged; null for none. */
  #held: Held | null = null;
  /** State before the drag. */
  #before: { readonly head: number; readonly range: TripRange | null } = { head: 0, range: null };
  /** The times that two fingers took hold of. */
  #taken: readonly [number, number] = [0, 0];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  down(what: Held, event: PointerEvent): void {
    const { line, trip, place } = this.#parts;
    if (event.button !== 0 || trip.clock.peek() === null) return;
    event.stopPropagation();
    // Captures the pointer: the part under the finger may be drawn anew meanwhile, and the finger be lost with it.
    place()?.setPointerCapture(event.pointerId);
    line.hover.value = null;
    if (event.pointerType === "mouse") {
      event.preventDefault();
      place()?.focus({ preventScroll: true });
      this.#takeHold(what);
      if (what === "head") line.drag(this.#timeUnder(event));
      return;
    }
    this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, now: event.clientX });
    if (this.#fingers.size === 1) {
      this.#takeHold(what);
      this.#doing = "waits";
    } else {
      this.#undo();
      this.#doing = this.#fingers.size === 2 ? "zooms" : "rests";
      this.#taken = this.#shares().map((share) => line.timeAt(share)) as [number, number];
    }
  }

  move(event: PointerEvent): void {
    const { line, trip } = this.#parts;
    const finger = this.#fingers.get(event.pointerId);
    if (finger === undefined) {
      if (event.pointerType !== "mouse") return;
      if (this.#held !== null) this.#drag(event);
      else if (trip.clock.peek() !== null) line.hover.value = this.#timeUnder(event);
      return;
    }
    finger.now = event.clientX;
    if (this.#doing === "waits") {
      const x = Math.abs(event.clientX - finger.x);
      const y = Math.abs(event.clientY - finger.y);
      if (Math.hypot(x, y) < TAP_PIXELS) return;
      this.#doing = x > y ? "scrubs" : "rests";
    }
    if (this.#doing === "scrubs") {
      this.#drag(event);
      line.hover.value = this.#held === "head" ? this.#timeUnder(event) : null;
    } else if (this.#doing === "zooms") line.pinch(this.#taken, this.#shares());
  }

  up(event: PointerEvent): void {
    const { line } = this.#parts;
    if (this.#fingers.delete(event.pointerId) && this.#doing === "waits" && this.#held === "head")
      line.seek(this.#timeUnder(event));
    this.#letGo();
  }

  cancel(event: PointerEvent): void {
    this.#undo();
    this.#fingers.delete(event.pointerId);
    this.#letGo();
  }

  #takeHold(what: Held): void {
    const { line, trip } = this.#parts;
    this.#held = what;
    this.#before = { head: line.head.peek(), range: trip.range.peek() };
  }

  #drag(event: PointerEvent): void {
    const { line } = this.#parts;
    if (this.#held === "head") line.drag(this.#timeUnder(event));
    else if (this.#held !== null) line.dragEnd(this.#held, this.#timeUnder(event));
  }

  #letGo(): void {
    const { line } = this.#parts;
    this.#held = null;
    this.#doing = "rests";
    line.hover.value = null;
    line.letGo();
  }

  #undo(): void {
    const { line } = this.#parts;
    const isMoved = this.#doing === "scrubs" || this.#fingers.size === 0;
    if (isMoved && this.#held === "head") line.undoDrag(this.#before.head);
    else if (isMoved && this.#held !== null) line.undoRange(this.#before.range);
    this.#held = null;
    line.hover.value = null;
  }

  #timeUnder({ clientX }: PointerEvent): number {
    return this.#parts.line.timeAt(this.#parts.shareOf(clientX));
  }

  /** Places of the first two fingers. */
  #shares(): [number, number] {
    const [first = 0, second = first] = [...this.#fingers.values()].map(({ now }) => this.#parts.shareOf(now));
    return [first, second];
  }
}

/** Place on a time line's axis, as a share of its width. */
export function shareOn(axis: Element | null | undefined, clientX: number): number {
  const area = axis?.getBoundingClientRect();
  return area && area.width > 0 ? (clientX - area.left) / area.width : 0;
}
