/** Time that a finger rests before it selects. */
const REST_MS = 500;
/** Distance that the finger may move meanwhile. */
const STRAY_PX = 10;
/** Pixels that the page moves in each frame while the finger is on a bar at its edge. */
const SCROLL_PX = 8;
/** From a bar inwards the nearest place is looked for in such steps. */
const STEP_PX = 24;
const STEPS = 12;
const ENDS = ["touchend", "touchcancel"] as const;

/** Begins a selection at the place under a resting finger. The answer then selects all up to another place. */
export type BeginSelecting = (place: HTMLElement) => ((reached: HTMLElement) => void) | null;

interface LongPress {
  /** A selector of what can be selected. */
  readonly places: string;
  /** A selector of what lies over the page at its edges. */
  readonly bars: string;
  readonly begin: BeginSelecting;
  /** Ends it. */
  readonly signal: AbortSignal;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * A finger that rests on a row or on a day selects it, and selects all that it is drawn over then; on a bar at the edge
 * the page goes on below it. A finger that moves first scrolls, as anywhere.
 */
export function selectByLongPress(root: HTMLElement, { places, bars, begin, signal }: LongPress): void {
  const page = root.ownerDocument;
  let resting: (Point & { readonly timer: ReturnType<typeof setTimeout> }) | null = null;
  let reach: ((reached: HTMLElement) => void) | null = null;
  let finger: Point = { x: 0, y: 0 };
  const at = ({ x, y }: Point, selector: string) => page.elementFromPoint(x, y)?.closest<HTMLElement>(selector) ?? null;
  const stop = () => {
    if (resting !== null) clearTimeout(resting.timer);
    resting = null;
    reach = null;
  };
  /** Selects up to the finger, or up to what is nearest to it beside the bar it is on. */
  const reachFinger = () => {
    const inward = finger.y > innerHeight / 2 ? -1 : 1;
    const isOnBar = at(finger, bars) !== null;
    if (isOnBar) scrollBy(0, -inward * SCROLL_PX);
    for (let step = 0; step <= (isOnBar ? STEPS : 0); step++) {
      const place = at({ x: finger.x, y: finger.y + inward * step * STEP_PX }, places);
      if (place === null) continue;
      reach?.(place);
      return;
    }
  };
  const follow = () => {
    if (reach === null) return;
    reachFinger();
    requestAnimationFrame(follow);
  };
  const press = () => {
    const place = resting && at(resting, places);
    resting = null;
    reach = place && begin(place);
    if (reach !== null) requestAnimationFrame(follow);
  };
  root.addEventListener(
    "touchstart",
    ({ touches, target }) => {
      stop();
      const touch = touches[0];
      if (touch === undefined || touches.length > 1) return;
      finger = { x: touch.clientX, y: touch.clientY };
      // Elsewhere a rest is the browser's: it opens a link's menu, or marks a word.
      if (at(finger, places) === null) return;
      // A row may leave the page under the finger, and its touch then ends at the row alone.
      const stopIfGone = () => {
        if (target instanceof Node && !root.contains(target)) stop();
      };
      for (const end of ENDS) target?.addEventListener(end, stopIfGone, { signal, once: true });
      resting = { ...finger, timer: setTimeout(press, REST_MS) };
    },
    { signal, passive: true },
  );
  root.addEventListener(
    "touchmove",
    (event) => {
      const touch = event.touches[0];
      if (touch === undefined) return;
      finger = { x: touch.clientX, y: touch.clientY };
      if (resting !== null && Math.hypot(finger.x - resting.x, finger.y - resting.y) > STRAY_PX) stop();
      if (reach === null) return;
      // A page that glides on takes the finger for its own.
      if (!event.cancelable) return stop();
      event.preventDefault();
      reachFinger();
    },
    { signal, passive: false },
  );
  for (const end of ENDS)
    root.addEventListener(
      end,
      (event) => {
        // The click after a long press is not meant.
        if (reach !== null && event.cancelable) event.preventDefault();
        stop();
      },
      { signal, passive: false },
    );
  // A picture has a menu of its own that comes with a rest.
  root.addEventListener(
    "contextmenu",
    (event) => {
      if (resting !== null || reach !== null) event.preventDefault();
    },
    { signal },
  );
  signal.addEventListener("abort", stop);
}
