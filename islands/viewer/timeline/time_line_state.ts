import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { nearMovement } from "../../../server/domain/viewer/reel.ts";
import type { TripRange, TripState } from "../trip_state.ts";
import { moved, percentAt, pinched, type TimeWindow, zoomed } from "./time_window.ts";

/** One press of a zoom key or button. */
const ZOOM_STEP = 2;
/** A marked range is at least as long as this. */
const SHORTEST_RANGE_SECONDS = 0.5;
const USUAL_WIDTH = 900;
/** Pixels around a movement of the parked car in which it is meant: most are drawn wider than they last. */
const MOVEMENT_REACH = 10;
/** Place of the head in a window that follows it, as a share. */
const FOLLOWED_AT = 0.1;

/** End of the marked range. */
export type RangeEnd = "from" | "to";

/** Part of the trip that the time line shows, and the effects of a pointer on it. */
export class TimeLineState {
  /** Null for the whole trip. */
  readonly zoom: Signal<TimeWindow | null> = signal(null);
  readonly shown: ReadonlySignal<TimeWindow>;
  /** Pixels of the lanes; a usual width until it is measured. */
  readonly width: Signal<number> = signal(USUAL_WIDTH);
  /** Under the pointer; null when none is over the time line. */
  readonly hover: Signal<number | null> = signal(null);
  /** Time of the play head: at the picture that is seen, or where the head is being dragged. */
  readonly head: ReadonlySignal<number>;
  readonly #trip: TripState;
  readonly #dragged: Signal<number | null> = signal(null);
  #wanted: number | null = null;
  #isSeeking = false;
  #isHeld = false;

  constructor(trip: TripState) {
    this.#trip = trip;
    this.shown = computed(() => {
      const length = trip.clock.value?.length ?? 0;
      const zoom = this.zoom.value;
      return zoom && zoom.to <= length ? zoom : { from: 0, to: length };
    });
    this.head = computed(() => this.#dragged.value ?? trip.time.value ?? 0);
  }

  /** Place of a time, as SVG attributes take it. */
  placeOf(time: number): string {
    return `${percentAt(this.shown.value, time)}%`;
  }

  /** The time at a share of the width; of a parked car the movement that is near. */
  timeAt(share: number): number {
    const { from, to } = this.shown.peek();
    const time = Math.max(from, Math.min(to, from + share * (to - from)));
    const clock = this.#trip.clock.peek();
    if (clock === null || this.#trip.movements.peek() === null) return time;
    return nearMovement(clock, time, (MOVEMENT_REACH / (this.width.peek() || USUAL_WIDTH)) * (to - from));
  }

  /** Draws the head somewhere and seeks there, as fast as seeking goes. */
  drag(time: number): void {
    this.#isHeld = true;
    this.#dragged.value = time;
    this.seek(time);
  }

  /** Nothing of a drag counts: the head goes back to where it was. */
  undoDrag(before: number): void {
    this.drag(before);
    this.letGo();
  }

  /** Puts the marked range back to what it was before one of its ends was dragged. */
  undoRange(before: TripRange | null): void {
    this.#trip.range.value = before;
  }

  /** The head is drawn at what is seen again, once that is what was wanted. */
  letGo(): void {
    this.#isHeld = false;
    if (!this.#isSeeking) this.#dragged.value = null;
  }

  /** Goes to a time. While a seek is under way, only the last further one counts. */
  seek(time: number): void {
    this.#wanted = Math.max(0, Math.min(time, this.#trip.clock.peek()?.length ?? 0));
    if (!this.#isSeeking) void this.#seekOn();
  }

  seekBy(seconds: number): void {
    this.seek((this.#wanted ?? this.#trip.time.peek() ?? 0) + seconds);
  }

  /** The window nearer (1) or farther (-1), around a time or what is seen. */
  zoomBy(steps: number, around?: number): void {
    const length = this.#trip.clock.peek()?.length ?? 0;
    const window = this.shown.peek();
    const seen = this.head.peek();
    const isSeen = seen >= window.from && seen <= window.to;
    const middle = around ?? (isSeen ? seen : (window.from + window.to) / 2);
    this.zoom.value = zoomed(window, ZOOM_STEP ** -steps, middle, length);
  }

  /** Two fingers keep under them the times they took hold of. @param shares of the width, where they are now */
  pinch(held: readonly [number, number], shares: readonly [number, number]): void {
    this.zoom.value = pinched(held, shares, this.#trip.clock.peek()?.length ?? 0);
  }

  /** Moves the window by a share of its width. */
  moveBy(share: number): void {
    const window = this.zoom.peek();
    if (window === null) return;
    this.zoom.value = moved(window, share * (window.to - window.from), this.#trip.clock.peek()?.length ?? 0);
  }

  /** Keeps a head that runs out of the window in sight. @param before where it was */
  follow(before: number): void {
    const window = this.zoom.peek();
    const now = this.head.peek();
    if (window === null || (now >= window.from && now <= window.to) || before < window.from || before > window.to)
      return;
    const length = this.#trip.clock.peek()?.length ?? 0;
    this.zoom.value = moved(window, now - window.from - FOLLOWED_AT * (window.to - window.from), length);
  }

  /** Puts an end of the marked range to a time; with nothing marked before, the other end is the trip's. */
  mark(end: RangeEnd, time: number): void {
    const length = this.#trip.clock.peek()?.length ?? 0;
    const at = Math.max(0, Math.min(time, length));
    const { from, to } = this.#trip.range.peek() ?? { from: 0, to: length };
    const range: TripRange =
      end === "from" ? { from: at, to: to > at ? to : length } : { from: from < at ? from : 0, to: at };
    if (range.to - range.from >= SHORTEST_RANGE_SECONDS) this.#trip.range.value = range;
  }

  /** Moves an end of the marked range, not past the other one. */
  dragEnd(end: RangeEnd, time: number): void {
    const range = this.#trip.range.peek();
    if (range === null) return;
    const { from, to } = range;
    this.#trip.range.value =
      end === "from"
        ? { from: Math.min(time, to - SHORTEST_RANGE_SECONDS), to }
        : { from, to: Math.max(time, from + SHORTEST_RANGE_SECONDS) };
  }

  clearRange(): void {
    this.#trip.range.value = null;
  }

  async #seekOn(): Promise<void> {
    this.#isSeeking = true;
    while (this.#wanted !== null) {
      const to = this.#wanted;
      await this.#trip.seek(to).catch(() => {});
      if (this.#wanted === to) this.#wanted = null;
    }
    this.#isSeeking = false;
    if (!this.#isHeld) this.#dragged.value = null;
  }
}
